// Quantised values: real = scale * (q - zero_point).
#pragma once
#include "dsl/form.h"
#include "dsl/quant/fixed_point.h"

#include <cstdint>
#include <vector>

namespace emulsion {

/// Which of two equally near integers `quantize` takes: TFLite's away from zero, or ONNX's even one.
enum class Ties { away, even };

/// saturate(round(x / scale) + zero_point) in `type` (8 or 16 bits). x, scale: float32; zero_point: int32. The division is
/// a float32 division, as in both frameworks' reference kernels.
Halide::Expr quantize(Halide::Type type, Halide::Expr x, Halide::Expr scale, Halide::Expr zero_point, Ties ties);

/// scale * float32(q - zero_point); the subtraction in int32.
Halide::Expr dequantize(Halide::Expr q, Halide::Expr scale, Halide::Expr zero_point);

/// table(index of x): `table` has one entry per value of x's 8-bit type, from the smallest value on.
Halide::Expr lookup(const Halide::Func &table, Halide::Expr x);

/// A Func of integers that stand for reals. axis -1: scale and zero_point are scalars; else both are one-dimensional
/// Funcs, indexed by the coordinate of dimension `axis`.
struct Quantized {
    Halide::Func values;
    Halide::Func scales, zero_points;  ///< per axis
    Halide::Expr scale, zero_point;    ///< per tensor
    int axis = -1;
    Halide::Type storage = Halide::Int(8);

    Halide::Expr scale_at(const std::vector<Halide::Expr> &index) const;
    Halide::Expr zero_point_at(const std::vector<Halide::Expr> &index) const;
    /// The real value at `index`, float32.
    Halide::Expr real_at(const std::vector<Halide::Expr> &index) const;
};

Quantized quantized(Halide::Func values, Halide::Expr scale, Halide::Expr zero_point);
Quantized quantized(Halide::Func values, Halide::Func scales, Halide::Func zero_points, int axis);

}  // namespace emulsion
