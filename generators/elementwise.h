// What element-wise operators of two tensors share: shapes, broadcasting and the tiling.
//
//   a, b  type, `rank` dimensions; bit d of a_broadcast (b_broadcast): the operand has extent 1 in dimension d
//   out   type, the larger extents; clamped to [out_min, out_max] where the operator has a fused activation
// Quantised (quantized = true): integers of 8 or 16 bits with zero points a_zero, b_zero, out_zero and scalar inputs
//   a_multiplier a_shift b_multiplier b_shift out_multiplier out_shift (int32), where the operator has them
// or, rounding rne_f32, a_scale b_scale out_scale (float32): operands dequantised, the operation in float32, the result divided by
// out_scale and rounded to nearest even: ONNX DequantizeLinear, operator, QuantizeLinear.
#pragma once
#include "generators/bounds.h"
#include "generators/tile.h"

#include <algorithm>

namespace emulsion::generators {

template<typename T>
class Elementwise : public emulsion::Generator<T> {
public:
    Halide::GeneratorParam<Halide::Type> type{"type", Halide::Int(8)};
    Halide::GeneratorParam<int> rank{"rank", 1};
    Halide::GeneratorParam<int> a_broadcast{"a_broadcast", 0}, b_broadcast{"b_broadcast", 0};
    Halide::GeneratorParam<bool> quantized{"quantized", false};
    Halide::GeneratorParam<int> a_zero{"a_zero", 0}, b_zero{"b_zero", 0}, out_zero{"out_zero", 0};
    Bounds bounds;
    Halide::GeneratorParam<int> tile_0{"tile_0", 0};  ///< elements of dimension 0 in a tile; 0: from the machine and the rank
    Halide::GeneratorParam<int> tile_1{"tile_1", 16};  ///< elements of dimension 1
    Halide::GeneratorParam<int> depth{"depth", 3};     ///< slots of input and output tiles

    Halide::GeneratorInput<Halide::Buffer<>> a{"a"};
    Halide::GeneratorInput<Halide::Buffer<>> b{"b"};
    Halide::GeneratorOutput<Halide::Buffer<>> out{"out"};

    void configure() {
        for (auto *operand : {&a, &b}) {
            operand->set_type(type);
            operand->set_dimensions(rank);
        }
        out.set_type(static_cast<const T *>(this)->result_type());
        out.set_dimensions(rank);
    }

    Halide::Type result_type() const { return type; }

    void npu_schedule() {
        std::vector<int> sizes(rank, 1);
        // A quarter of the scratchpad for the slots of three tiles of up to four bytes.
        const int64_t elements = static_cast<int64_t>(this->machine().spm_bytes) / 4 / (3 * depth * type.value().bytes());
        const int64_t rows = rank > 1 ? int(tile_1) : 1;
        sizes[0] = tile_0 > 0 ? int(tile_0) : static_cast<int>(std::clamp<int64_t>(elements / rows / 64 * 64, 64, 16384));
        if (rank > 1) sizes[1] = tile_1;
        const Tiling tiling = tile_output(out, sizes, depth);
        stage_tile(a, out, tiling, depth);
        stage_tile(b, out, tiling, depth);
    }

    void schedule_epilogue(const StitchPart::Anchor &anchor, const std::string &input) override {
        Halide::GeneratorInput<Halide::Buffer<>> &other = input == "a" ? b : a;
        double_buffer(stage_in(other, out, anchor.tile), Halide::LoopLevel::root(), anchor.depth);
    }
    bool fits_output_unit() const override { return true; }

protected:
    std::vector<Halide::Var> index() const { return {index_, index_ + int(rank)}; }
    Halide::Expr a_value() const { return value(a, a_broadcast); }
    Halide::Expr b_value() const { return value(b, b_broadcast); }

    void add_real_scales() {
        for (RealScale &s : real_scales_) s.input = this->template add_input<float>(s.name);
    }
    Halide::Expr a_real() const { return dequantize(a_value(), *real_scales_[0].input, int(a_zero)); }
    Halide::Expr b_real() const { return dequantize(b_value(), *real_scales_[1].input, int(b_zero)); }
    Halide::Expr quantized_real(const Halide::Expr &x) const {
        const Halide::Expr q = quantize(Halide::Int(32), x, *real_scales_[2].input, int(out_zero), Ties::even);
        return clamped(q);
    }

    /// The result, clamped to the fused activation.
    Halide::Expr clamped(const Halide::Expr &x) const {
        const Halide::Expr bounded = bounds.clamp(x);
        return x.type() == type.value() ? bounded : Halide::saturating_cast(type, bounded);
    }

private:
    struct RealScale {
        const char *name;
        Halide::GeneratorInput<float> *input = nullptr;
    };
    RealScale real_scales_[3] = {{"a_scale"}, {"b_scale"}, {"out_scale"}};

    const Halide::Var index_[6] = {Halide::Var("i"), Halide::Var("j"), Halide::Var("k"),
                                   Halide::Var("l"), Halide::Var("m"), Halide::Var("n")};

    Halide::Expr value(const Halide::Func &operand, int broadcast) const {
        std::vector<Halide::Expr> at;
        for (int d = 0; d < rank; d++) at.push_back((broadcast >> d) & 1 ? Halide::Expr(0) : Halide::Expr(index_[d]));
        return operand(at);
    }
};

}  // namespace emulsion::generators
