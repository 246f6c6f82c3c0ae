// Requantize: an int32 accumulator times a real scale, in integers. One definition per rounding mode, the same in DSL,
// constant folder, emulator and tests: runtime/isa/requantize.h holds the scalar form, this header the Halide forms.
#pragma once
#include "dsl/form.h"
#include "runtime/isa/micro_op.h"

#include <string_view>
#include <vector>

namespace emulsion {

/// The rounding modes by name, as generator parameters and the assembler spell them.
inline constexpr std::string_view rounding_names[] = {"single", "double", "floor", "trunc", "half_away", "rne_f32"};

/// The mode called `name`; raises EM201 for others.
Rounding rounding(std::string_view name);

/// acc (int32) * multiplier (int32) / 2^shift (int32, 0..63), rounded by `mode`; int32. The scale is multiplier / 2^shift.
///   single     (acc*m + 2^(s-1)) >> s on the exact product: ties toward +infinity
///   double     TFLite's two steps: doubling high multiply (ties up), then a shift that rounds ties away from zero; the
///              accumulator is first shifted left when shift < 31 (tensorflow/lite/kernels/internal/common.h, MultiplyByQuantizedMultiplier)
///   floor, trunc, half_away   of the exact quotient
/// For rne_f32 `multiplier` is the float32 scale and `shift` is not read: nearest even of float32(acc) * scale.
Halide::Expr requantize(Halide::Expr acc, Halide::Expr multiplier, Halide::Expr shift, Rounding mode, Form form);

/// The same, then zero point (int32) added, clamped to [lo, hi] and cast to `type`.
Halide::Expr requantize_to(Halide::Type type, Halide::Expr acc, Halide::Expr multiplier, Halide::Expr shift, Rounding mode,
                           Halide::Expr zero_point, Form form);

}  // namespace emulsion
