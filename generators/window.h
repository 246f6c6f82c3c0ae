// Sliding-window geometry: output (x, y) reads inputs x * stride + tap * dilation - pad.
#pragma once
#include "dsl/emulsion.h"

namespace emulsion::generators {

/// Generator parameters of a window; a member of the generator that slides it. pad_x and pad_y are the elements added before
/// the first column and row; those after the last follow from the output's extents.
struct Window {
    Halide::GeneratorParam<int> kernel_x{"kernel_x", 3}, kernel_y{"kernel_y", 3};
    Halide::GeneratorParam<int> stride_x{"stride_x", 1}, stride_y{"stride_y", 1};
    Halide::GeneratorParam<int> dilation_x{"dilation_x", 1}, dilation_y{"dilation_y", 1};
    Halide::GeneratorParam<int> pad_x{"pad_x", 0}, pad_y{"pad_y", 0};

    Halide::Expr in_x(const Halide::Expr &x, const Halide::Expr &tap) const { return x * stride_x + tap * dilation_x - pad_x; }
    Halide::Expr in_y(const Halide::Expr &y, const Halide::Expr &tap) const { return y * stride_y + tap * dilation_y - pad_y; }

    /// Input elements under `outputs` neighbouring outputs.
    int span_x(int outputs) const { return (outputs - 1) * stride_x + (kernel_x - 1) * dilation_x + 1; }
    int span_y(int outputs) const { return (outputs - 1) * stride_y + (kernel_y - 1) * dilation_y + 1; }
};

/// The box of an image tensor (c, x, y, b): bounded in x and y.
template<typename Buffer>
Halide::Region image_box(const Buffer &in) {
    return {{Halide::Expr(), Halide::Expr()},
            {in.dim(1).min(), in.dim(1).extent()},
            {in.dim(2).min(), in.dim(2).extent()},
            {Halide::Expr(), Halide::Expr()}};
}

/// `in` as a window reads it: `value` outside x and y. A window of one element without padding never reads outside.
template<typename Buffer>
Halide::Func window_input(Buffer &in, const Halide::Expr &value, const Window &window, Form form) {
    if (window.kernel_x > 1 || window.kernel_y > 1 || window.pad_x > 0 || window.pad_y > 0)
        return boundary::constant_exterior(in, value, image_box(in), form);
    Halide::Func same("padded");
    same(Halide::_) = in(Halide::_);
    return same;
}

}  // namespace emulsion::generators
