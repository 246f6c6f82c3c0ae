// Fully connected layer: out(n, m) = finish(sum over k of (in(k, m) - in_zero) * (weights(k, n) - weight_zero)).
//
//   in       in_type, (k, m): m is the batch
//   weights  weight_type, (k, n): the inputs of one output side by side, as TFLite stores them
//   out      out_type, (n, m)
//   bias, multiplier, shift   by n; see contraction.h for types, output stage and overflow
// Source: TFLite reference FULLY_CONNECTED (mode single).
//
// Schedule: weights stream through once per tile of the batch; slices of tile_k inputs.
#include "generators/contraction.h"
#include "generators/matmul_tiles.h"

namespace emulsion::generators {

class FullyConnected : public Contraction<FullyConnected> {
public:
    static constexpr const char *says = "Fully connected layer with bias, requantisation and clamp.";

    GeneratorParam<int> tile_n{"tile_n", 0};  ///< 0: from the machine
    GeneratorParam<int> tile_m{"tile_m", 0};
    GeneratorParam<int> tile_k{"tile_k", 0};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> in{"in"};
    Input<Buffer<>> weights{"weights"};
    Output<Buffer<>> out{"out"};

    void configure() {
        in.set_type(in_type);
        in.set_dimensions(2);
        weights.set_type(weight_type);
        weights.set_dimensions(2);
        out.set_type(out_type);
        out.set_dimensions(2);
        add_parameters();
    }

    void generate() {
        k = RDom(0, in.dim(0).extent(), "k");
        acc(n, m) = cast(acc_type(), 0);
        acc(n, m) += product(in(k, m), weights(k, n));
        out(n, m) = finish(acc(n, m), n);
    }

    void npu_schedule() {
        const MatmulTiles t = matmul_tiles(machine(), {in_type.value().bytes(), weight_type.value().bytes(), out_type.value().bytes()},
                                           {tile_n, tile_m, tile_k});
        Var no("no"), ni("ni"), mo("mo"), mi("mi");
        Func(out).tile(n, m, no, mo, ni, mi, t.n, t.m, TailStrategy::GuardWithIf).reorder(ni, mi, no, mo);
        drain(out);
        stage_out(out, depth);

        RVar ko("ko"), ki("ki");
        acc.compute_at(out, no).update().split(k, ko, ki, t.k);
        tile_matmul(acc, {n}, {m}, {ki});
        double_buffer(acc, LoopLevel::root());
        double_buffer(stage_in(in, acc, {acc, ko}), LoopLevel::root(), depth);
        double_buffer(stage_in(weights, acc, {acc, ko}), LoopLevel::root(), depth);
        keep_parameters(out, {out, no}, std::source_location::current());
    }

private:
    Var n{"n"}, m{"m"};
    RDom k;
    Func acc{"acc"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::FullyConnected, fully_connected)
