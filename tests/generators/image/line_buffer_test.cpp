// The rolling rows of gaussian_blur. Catches: rows overwritten while they are read, rows computed twice.
#include "tests/generators/image/image_kernel.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

const scalar::Kernel &blur() {
    for (const scalar::Kernel &k : scalar::kernels())
        if (std::string(k.generator) == "gaussian_blur") return k;
    throw std::runtime_error("no gaussian_blur");
}

TEST(LineBuffer, EqualsPlainLoops) {
    for (auto [w, h] : {std::pair{1, 1}, {17, 13}, {301, 99}}) {
        const scalar::Planes in = test_picture(w, w, h);
        for (const char *fold : {"8", "16"})
            for (bool symbolic : {false, true})
                expect_equal(run_on_npu({"gaussian_blur", {{"rows", "line"}, {"fold", fold}}}, in, w, h, symbolic), blur().apply(in));
    }
}

}  // namespace
}  // namespace emulsion
