// Transposed convolution, channels innermost: the gradient of a convolution with respect to its input.
//   out(co, x, y, b) = finish(sum over ci, kx, ky, ix, iy with ix*stride_x + kx - pad_x = x, iy*stride_y + ky - pad_y = y
//                             of (in(ci, ix, iy, b) - in_zero) * (weights(co, ci, kx, ky) - weight_zero))
//
//   in       in_type, (c, x, y, b); outside its x and y it reads as in_zero
//   weights  weight_type, (co, ci, kx, ky)
//   out      out_type, (co, x, y, b)
//   bias, multiplier, shift   by co; see contraction.h
// Numerics: integers exact; float32 sums in the order ci, ix, iy (ci fastest) under every schedule. Dilation is not used. Source: TFLite reference TRANSPOSE_CONV (mode single).
//
// Outputs of one phase (x mod stride) read every stride-th tap: one dense convolution per phase, over taps padded to a whole
// number of strides with weight_zero. No multiplication by inserted zeros is made.
#include "generators/contraction.h"
#include "generators/window.h"
#include "generators/window_tiles.h"

namespace emulsion::generators {

class TransposeConv2d : public Contraction<TransposeConv2d> {
public:
    static constexpr const char *says = "Transposed convolution with bias, requantisation and clamp.";

    Window window;
    GeneratorParam<int> tile_c{"tile_c", 0};  ///< 0: from the machine
    GeneratorParam<int> tile_x{"tile_x", 0};  ///< in steps of stride_x outputs
    GeneratorParam<int> tile_y{"tile_y", 0};
    GeneratorParam<int> tile_ci{"tile_ci", 0};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Input<Buffer<>> weights{"weights"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(4);
        weights.set_type(weight_type);
        weights.set_dimensions(4);
        out.set_type(out_type);
        out.set_dimensions(4);
        add_parameters();
    }

    void generate() {
        const int step_x = window.stride_x, step_y = window.stride_y;
        out.dim(1).set_min(0);
        out.dim(2).set_min(0);
        padded = boundary::constant_exterior(in, int(in_zero), image_box(in), form());
        const Halide::Region taps_box{{Expr(), Expr()}, {Expr(), Expr()}, {0, window.kernel_x}, {0, window.kernel_y}};
        taps = boundary::constant_exterior(weights, int(weight_zero), taps_box, form());

        // x = step*q + p; kx = step*t + (p + pad) mod step; ix = q + (p + pad)/step - t
        // Inputs in the order ci, ix, iy, as a loop over inputs that scatters would add them: taps count down.
        r = RDom(0, in.dim(0).extent(), 0, taps_x(), 0, taps_y(), "r");
        const Expr tx = taps_x() - 1 - r.y, ty = taps_y() - 1 - r.z;
        const Expr ix = qx + (px + window.pad_x) / step_x - tx, iy = qy + (py + window.pad_y) / step_y - ty;
        const Expr kx = tx * step_x + (px + window.pad_x) % step_x, ky = ty * step_y + (py + window.pad_y) % step_y;
        acc(co, qx, qy, px, py, b) = cast(acc_type(), 0);
        acc(co, qx, qy, px, py, b) += product(padded(r.x, ix, iy, b), taps(co, r.x, kx, ky));
        finished(co, x, y, b) = finish(acc(co, x / step_x, y / step_y, x % step_x, y % step_y, b), co);
        out(co, x, y, b) = finished(co, x, y, b);
    }

    void npu_schedule() {
        const WindowTiles t = tiles();
        Var coo("coo"), coi("coi"), xo("xo"), xi("xi"), xq("xq"), xp("xp"), yo("yo"), yi("yi"), yq("yq"), yp("yp");
        Func(out).split(co, coo, coi, t.co, TailStrategy::GuardWithIf)
            .split(x, xo, xi, t.x * window.stride_x, TailStrategy::GuardWithIf)
            .split(y, yo, yi, t.y * window.stride_y, TailStrategy::GuardWithIf)
            .reorder(coi, xi, yi, xo, yo, b, coo);
        stage_out(out, depth);

        // The phases of a tile interleave in the scratchpad, rounded up to whole steps; what lies inside `out` is then stored.
        compute_in_scratchpad(finished, {out, xo});
        finished.split(x, xq, xp, window.stride_x, TailStrategy::RoundUp)
            .split(y, yq, yp, window.stride_y, TailStrategy::RoundUp)
            .reorder(co, xq, yq, xp, yp);
        drain(finished);
        double_buffer(finished, LoopLevel::root(), depth);

        RVar cio("cio"), cii("cii");
        acc.compute_at(out, xo).update().split(r.x, cio, cii, t.ci);
        // Phases stay inside the slice of input channels: both operands are staged once for all of them. Floats keep the order of the
        // sum: slices inside the loops over taps.
        if (floating()) {
            tile_matmul(acc, {co}, {qx, qy}, {cii});
            acc.update().reorder({cii, co, qx, qy, px, py, cio, r.y, r.z});
        } else {
            tile_matmul(acc, {co}, {qx, qy}, {cii, r.y, r.z});
            acc.update().reorder({cii, r.y, r.z, co, qx, qy, px, py, cio});
        }
        double_buffer(acc, LoopLevel::root());

        compute_in_scratchpad(padded, {acc, cio});
        double_buffer(padded, LoopLevel::root(), depth);
        compute_in_scratchpad(taps, {acc, cio});
        double_buffer(taps, LoopLevel::root(), depth);
        keep_parameters(finished, {out, coo}, std::source_location::current());
    }

private:
    Var co{"co"}, x{"x"}, y{"y"}, b{"b"}, qx{"qx"}, qy{"qy"}, px{"px"}, py{"py"};
    RDom r;
    Func acc{"acc"}, finished{"finished"}, padded, taps;

    int taps_x() const { return (int(window.kernel_x) + int(window.stride_x) - 1) / int(window.stride_x); }
    int taps_y() const { return (int(window.kernel_y) + int(window.stride_y) - 1) / int(window.stride_y); }

    WindowTiles tiles() const {
        return window_tiles(machine(), {tile_c, tile_x, tile_y, tile_ci}, [&](const WindowTiles &t) -> WindowBytes {
            const int phases = int(window.stride_x) * int(window.stride_y);
            const int64_t outputs = int64_t{t.x} * t.y * t.co * phases;
            return {.scratchpad = int64_t{t.x + taps_x()} * (t.y + taps_y()) * t.ci * in_type.value().bytes() +
                                  int64_t{taps_x()} * taps_y() * phases * t.ci * t.co * weight_type.value().bytes() +
                                  outputs * out_type.value().bytes(),
                    .accumulator = outputs * acc_type().bytes()};
        });
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::TransposeConv2d, transpose_conv2d)
