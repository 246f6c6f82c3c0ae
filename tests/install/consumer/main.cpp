// Runs the three builds of one kernel, which must agree bit for bit, and a model.
#include "brighten.h"
#include "brighten_any.h"
#include "brighten_cpu.h"
#include "fashion.h"
#include "runtime/device/emulsion_device.h"

#include "HalideBuffer.h"

#include <algorithm>
#include <cstdio>

using Image = Halide::Runtime::Buffer<uint8_t, 2>;

int main() {
    Image in(100, 37), fixed(100, 37), any(100, 37), cpu(100, 37);
    in.for_each_element([&](int x, int y) { in(x, y) = static_cast<uint8_t>(7 * x + 13 * y); });
    if (brighten(in, 90, fixed) || brighten_any(in, 90, any) || brighten_cpu(in, 90, cpu)) return 1;
    emulsion_report_t report;
    if (emulsion_last_report(&report) != 0 || report.cycles == 0) return 2;
    if (!std::equal(fixed.begin(), fixed.end(), cpu.begin()) || !std::equal(any.begin(), any.end(), cpu.begin())) return 3;
    Halide::Runtime::Buffer<int8_t> picture(1, 28, 28, 1), probabilities(10, 1);
    picture.fill(-128);
    if (consumer::fashion(picture, probabilities) != 0) return 4;
    int sum = 0;
    probabilities.for_each_value([&](int8_t p) { sum += p + 128; });
    if (sum < 250 || sum > 262) return 5;  // a softmax in 1/256
    std::printf("3700 pixels equal, %llu cycles\n", static_cast<unsigned long long>(report.cycles));
    return 0;
}
