// Depthwise convolution, channels innermost: each input channel has `multiplier_c` filters of its own.
//   out(c*multiplier_c + j, x, y, b) = finish(sum over kx, ky of (in(c, x*stride_x + kx*dilation_x - pad_x, ..., b) - in_zero)
//                                                                * (weights(c*multiplier_c + j, kx, ky) - weight_zero))
//
//   in       in_type, (c, x, y, b); outside its x and y it reads as in_zero
//   weights  weight_type, (co, kx, ky)
//   out      out_type, (co, x, y, b)
//   bias, multiplier, shift   by co; see contraction.h
// Source: TFLite reference DEPTHWISE_CONV_2D (mode double in shipped builds), ONNX QLinearConv with group = channels.
//
// Schedule: output tiles of tile_c input channels x tile_x x tile_y; the weights of a channel tile stay while the image runs.
#include "generators/contraction.h"
#include "generators/window.h"
#include "generators/window_tiles.h"

namespace emulsion::generators {

class DepthwiseConv2d : public Contraction<DepthwiseConv2d> {
public:
    static constexpr const char *says = "Depthwise convolution with channel multiplier, bias, requantisation and clamp.";

    Window window;
    GeneratorParam<int> multiplier_c{"multiplier_c", 1};
    GeneratorParam<int> tile_c{"tile_c", 0};  ///< 0: from the machine
    GeneratorParam<int> tile_x{"tile_x", 0};
    GeneratorParam<int> tile_y{"tile_y", 0};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Input<Buffer<>> weights{"weights"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(4);
        weights.set_type(weight_type);
        weights.set_dimensions(3);
        out.set_type(out_type);
        out.set_dimensions(4);
        add_parameters();
    }

    void generate() {
        padded = window_input(in, int(in_zero), window, form());
        r = RDom(0, window.kernel_x, 0, window.kernel_y, "r");
        const Expr sx = window.in_x(x, r.x), sy = window.in_y(y, r.y);
        if (multiplier_c == 1) {
            acc(co, x, y, b) = cast(acc_type(), 0);
            acc(co, x, y, b) += product(padded(co, sx, sy, b), weights(co, r.x, r.y));
            out(co, x, y, b) = finish(acc(co, x, y, b), co);
        } else {
            out.dim(0).set_min(0);
            acc(j, c, x, y, b) = cast(acc_type(), 0);
            acc(j, c, x, y, b) += product(padded(c, sx, sy, b), weights(c * multiplier_c + j, r.x, r.y));
            out(co, x, y, b) = finish(acc(co % multiplier_c, co / multiplier_c, x, y, b), co);
        }
    }

    void npu_schedule() { schedule_anchor(out, true); }

    Anchor schedule_anchor(Func last, bool inlined) override {
        const WindowTiles t = tiles();
        const std::vector<Var> v = last.args();
        Var coo("coo"), coi("coi"), cc("cc"), cj("cj"), xo("xo"), xi("xi"), yo("yo"), yi("yi");
        // Channels are a multiple of multiplier_c, so only tiles of whole input channels can be ragged.
        last.split(v[0], cc, cj, multiplier_c, TailStrategy::RoundUp)
            .split(cc, coo, coi, t.co, TailStrategy::GuardWithIf)
            .split(v[1], xo, xi, t.x, TailStrategy::GuardWithIf)
            .split(v[2], yo, yi, t.y, TailStrategy::GuardWithIf)
            .reorder(cj, coi, xi, yi, xo, yo, v[3], coo);
        stage_out(last, depth);
        drain(inlined ? last : compute_in_scratchpad(out, {last, xo}));
        schedule_stages({last, xo}, {last, coo});
        return {.input = padded, .tile = {last, xo}, .depth = depth};
    }

    void schedule_producer(const Anchor &anchor) override {
        drain(anchor.input);
        schedule_stages(anchor.tile, LoopLevel::root());
    }

private:
    Var co{"co"}, c{"c"}, j{"j"}, x{"x"}, y{"y"}, b{"b"};
    RDom r;
    Func acc{"acc"}, padded;

    /// Per `tile`; weights and parameters per `strip`.
    void schedule_stages(const LoopLevel &tile, const LoopLevel &strip) {
        acc.compute_at(tile);
        const std::vector<Halide::VarOrRVar> columns(multiplier_c > 1 ? 1 : 0, j);
        tile_matmul(acc, columns, {x, y}, {r.x, r.y});
        double_buffer(acc, LoopLevel::root());

        compute_in_scratchpad(padded, tile);
        double_buffer(padded, LoopLevel::root(), depth);
        stage_parameter(stage_in(weights, acc, strip), strip);
        keep_parameters(out, strip, std::source_location::current());
    }

    WindowTiles tiles() const {
        return window_tiles(machine(), {tile_c, tile_x, tile_y, 1}, [&](const WindowTiles &t) -> WindowBytes {
            const int64_t outputs = int64_t{t.x} * t.y * t.co * multiplier_c;
            return {.scratchpad = int64_t{window.span_x(t.x)} * window.span_y(t.y) * t.co * in_type.value().bytes() +
                                  int64_t{window.kernel_x} * window.kernel_y * t.co * multiplier_c * weight_type.value().bytes() +
                                  outputs * out_type.value().bytes(),
                    .accumulator = outputs * acc_type().bytes()};
        });
    }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::DepthwiseConv2d, depthwise_conv2d)
