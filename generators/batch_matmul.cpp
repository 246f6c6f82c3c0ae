// Batched matrix product: out(n, m, i) = finish(sum over k of (a(k, m, i) - in_zero) * (b(n, k, i) - weight_zero)).
//
//   a    in_type, (k, m, i), or (m, k, i) with transposed_a; with one_a one matrix for the whole batch
//   b    weight_type, (n, k, i), or (k, n, i) with transposed; one_b as one_a
//   out  out_type, (n, m, i)
//   bias, multiplier, shift   by n; see contraction.h for types, output stage and overflow
// Source: TFLite reference BATCH_MATMUL (mode single), ONNX MatMul and QLinearMatMul.
//
// Schedule: one batch element after the other; tiles as in matmul.
#include "generators/contraction.h"
#include "generators/matmul_tiles.h"

namespace emulsion::generators {

class BatchMatmul : public Contraction<BatchMatmul> {
public:
    static constexpr const char *says = "Matrix products over a batch of pairs.";

    GeneratorParam<bool> transposed{"transposed", false}, transposed_a{"transposed_a", false};
    GeneratorParam<bool> one_a{"one_a", false}, one_b{"one_b", false};
    GeneratorParam<int> tile_n{"tile_n", 0};  ///< 0: from the machine
    GeneratorParam<int> tile_m{"tile_m", 0};
    GeneratorParam<int> tile_k{"tile_k", 0};
    GeneratorParam<int> depth{"depth", 2};

    Input<Buffer<>> a{"a"};
    Input<Buffer<>> b{"b"};
    Output<Buffer<>> out{"out"};

    void configure() {
        a.set_type(in_type);
        a.set_dimensions(3);
        b.set_type(weight_type);
        b.set_dimensions(3);
        out.set_type(out_type);
        out.set_dimensions(3);
        add_parameters();
    }

    void generate() {
        k = RDom(0, a.dim(transposed_a ? 1 : 0).extent(), "k");
        const Expr ia = one_a ? Expr(0) : Expr(i), ib = one_b ? Expr(0) : Expr(i);
        acc(n, m, i) = cast(acc_type(), 0);
        acc(n, m, i) += product(transposed_a ? a(m, k, ia) : a(k, m, ia), transposed ? b(k, n, ib) : b(n, k, ib));
        out(n, m, i) = finish(acc(n, m, i), n);
    }

    void npu_schedule() {
        const MatmulTiles t = matmul_tiles(machine(), {in_type.value().bytes(), weight_type.value().bytes(), out_type.value().bytes()},
                                           {tile_n, tile_m, tile_k});
        Var no("no"), ni("ni"), mo("mo"), mi("mi");
        Func(out).tile(n, m, no, mo, ni, mi, t.n, t.m, TailStrategy::GuardWithIf).reorder(ni, mi, mo, no, i);
        drain(out);
        stage_out(out, depth);

        RVar ko("ko"), ki("ki");
        acc.compute_at(out, mo).update().split(k, ko, ki, t.k);
        tile_matmul(acc, {n}, {m}, {ki});
        double_buffer(acc, LoopLevel::root());
        double_buffer(stage_in(a, acc, {acc, ko}), LoopLevel::root(), depth);
        double_buffer(stage_in(b, acc, {acc, ko}), LoopLevel::root(), depth);
        keep_parameters(out, {out, no}, std::source_location::current());
    }

private:
    Var n{"n"}, m{"m"}, i{"i"};
    RDom k;
    Func acc{"acc"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::BatchMatmul, batch_matmul)
