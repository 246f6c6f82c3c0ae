// Convolution, channels innermost (NHWC):
//   out(co, x, y, b) = finish(sum over ci, kx, ky of (in(ci, x*stride_x + kx*dilation_x - pad_x, ..., b) - in_zero)
//                                                    * (weights(co, ci, kx, ky) - weight_zero))
//
//   in       in_type, (c, x, y, b); outside its x and y it reads as in_zero
//   weights  weight_type, (co, ci, kx, ky); ci counts the channels of one group
//   out      out_type, (co, x, y, b)
//   bias, multiplier, shift   by co; see contraction.h for types, output stage and overflow
// Groups: with group_in and group_out set, output channels [g*group_out, (g+1)*group_out) read input channels
// [g*group_in, (g+1)*group_in) only, and a tile covers one group. Both 0: one group.
// Numerics: integers exact; float32 accumulators add in the order ci, kx, ky (ci fastest) under every schedule.
// Source: TFLite reference CONV_2D (mode single), ONNX QLinearConv (mode rne_f32).
//
// Schedule: output tiles tile_c x tile_x x tile_y, channels outermost. Operands are staged tile_ci channels at a time:
//   weights_at   slice: inside the reduction;  strip: all of a channel tile's, kept while the image runs;  root: all, once
//   in_at        slice;  tile: all channels of the tile's window
#include "generators/contraction.h"
#include "generators/window.h"
#include "generators/window_tiles.h"

namespace emulsion::generators {

class Conv2d : public Contraction<Conv2d> {
public:
    static constexpr const char *says = "Two-dimensional convolution with bias, requantisation and clamp.";

    Window window;
    GeneratorParam<int> group_in{"group_in", 0};    ///< input channels per group; 0: one group
    GeneratorParam<int> group_out{"group_out", 0};  ///< output channels per group
    GeneratorParam<int> tile_c{"tile_c", 0};        ///< 0: from the machine
    GeneratorParam<int> tile_x{"tile_x", 0};
    GeneratorParam<int> tile_y{"tile_y", 0};
    GeneratorParam<int> tile_ci{"tile_ci", 0};
    GeneratorParam<int> depth{"depth", 2};  ///< slots of staged operands and output tiles
    GeneratorParam<std::string> weights_at{"weights_at", "slice"};
    GeneratorParam<std::string> in_at{"in_at", "slice"};

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
        padded = window_input(in, int(in_zero), window, form());
        r = RDom(0, grouped() ? Expr(int(group_in)) : in.dim(0).extent(), 0, window.kernel_x, 0, window.kernel_y, "r");
        const Expr sx = window.in_x(x, r.y), sy = window.in_y(y, r.z);
        if (!grouped()) {
            acc(co, x, y, b) = cast(acc_type(), 0);
            acc(co, x, y, b) += product(padded(r.x, sx, sy, b), weights(co, r.x, r.y, r.z));
            out(co, x, y, b) = finish(acc(co, x, y, b), co);
        } else {
            out.dim(0).set_min(0);
            acc(co, g, x, y, b) = cast(acc_type(), 0);
            acc(co, g, x, y, b) +=
                product(padded(r.x + g * group_in, sx, sy, b), weights(co + g * group_out, r.x, r.y, r.z));
            out(co, x, y, b) = finish(acc(co % group_out, co / group_out, x, y, b), co);
        }
    }

    void npu_schedule() { schedule_anchor(out, true); }

    Anchor schedule_anchor(Func last, bool inlined) override {
        const WindowTiles t = tiles();
        const std::vector<Var> v = last.args();
        Var coo("coo"), coi("coi"), xo("xo"), xi("xi"), yo("yo"), yi("yi");
        last.split(v[0], coo, coi, t.co, TailStrategy::GuardWithIf)
            .split(v[1], xo, xi, t.x, TailStrategy::GuardWithIf)
            .split(v[2], yo, yi, t.y, TailStrategy::GuardWithIf)
            .reorder(coi, xi, yi, xo, yo, v[3], coo);
        stage_out(last, depth);
        drain(inlined ? last : compute_in_scratchpad(out, {last, xo}));

        RVar cio("cio"), cii("cii");
        acc.compute_at(last, xo).update().split(r.x, cio, cii, t.ci);
        if (floating()) {
            // Slices of channels inside the loops over taps keep the order of the sum.
            tile_matmul(acc, {co}, {x, y}, {cii});
            acc.update().reorder({cii, co, x, y, cio, r.y, r.z});
        } else {
            tile_matmul(acc, {co}, {x, y}, {cii, r.y, r.z});
        }
        double_buffer(acc, LoopLevel::root());

        const LoopLevel slice(acc, cio), tile(last, xo), strip(last, coo);
        compute_in_scratchpad(padded, in_at.value() == "tile" ? tile : slice);
        double_buffer(padded, LoopLevel::root(), depth);
        if (weights_at.value() == "root")
            keep_resident(weights, acc);
        else
            double_buffer(stage_in(weights, acc, weights_at.value() == "strip" ? strip : slice), LoopLevel::root(), depth);
        keep_parameters(out, strip, std::source_location::current());
        return {.input = padded, .tile = tile, .depth = depth};
    }

private:
    Var co{"co"}, g{"g"}, x{"x"}, y{"y"}, b{"b"};
    RDom r;
    Func acc{"acc"}, padded;

    bool grouped() const { return group_out > 0; }

    WindowTiles tiles() const {
        const int co_fixed = grouped() ? int(group_out) : int(tile_c);
        return window_tiles(machine(), {co_fixed, tile_x, tile_y, tile_ci}, [&](const WindowTiles &t) -> WindowBytes {
            const int64_t pixels = int64_t{t.x} * t.y, taps = int64_t{window.kernel_x} * window.kernel_y;
            return {.scratchpad = int64_t{window.span_x(t.x)} * window.span_y(t.y) * t.ci * in_type.value().bytes() +
                                  taps * t.ci * t.co * weight_type.value().bytes() + pixels * t.co * out_type.value().bytes(),
                    .accumulator = pixels * t.co * acc_type().bytes()};
        });
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Conv2d, conv2d)
