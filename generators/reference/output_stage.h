// Scalar reference of the output stage of multiply-accumulate operators.
#pragma once
#include "generators/reference/requantize.h"

#include <algorithm>
#include <string>
#include <vector>

namespace emulsion::reference {

struct OutputStage {
    std::vector<double> bias;            ///< by channel; empty: none
    std::vector<double> multiplier, shift;  ///< by channel; empty: not requantised
    std::string mode = "single";
    double out_zero = 0, lowest = 0, highest = 0;  ///< of the output type, after the fused activation
    bool floating = false;

    double operator()(double acc, int channel) const {
        if (!bias.empty()) acc += bias[channel];
        if (floating) return acc;
        auto x = static_cast<int64_t>(acc);
        if (!multiplier.empty()) {
            const auto a = static_cast<int32_t>(x);
            x = mode == "rne_f32" ? Requantize::at(a, static_cast<float>(multiplier[channel]))
                                  : Requantize::at(a, static_cast<int32_t>(multiplier[channel]), static_cast<int>(shift[channel]), mode);
            x += static_cast<int64_t>(out_zero);
        }
        return std::clamp(static_cast<double>(x), lowest, highest);
    }
};

}  // namespace emulsion::reference
