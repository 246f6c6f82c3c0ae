// Matrix product: out(n, m) = finish(sum over k of (a(k, m) - in_zero) * (b(n, k) - weight_zero)).
//
//   a    in_type, (k, m): k innermost, row m of the left matrix is contiguous
//   b    weight_type, (n, k)
//   out  out_type, (n, m)
//   bias, multiplier, shift   by n; see contraction.h for types, output stage and overflow
// Numerics: integers exact; float32 accumulators add in the order of k on the reference, tile by tile on the machine.
// Source: TFLite reference FULLY_CONNECTED (mode single), ONNX QLinearMatMul (mode rne_f32).
//
// Schedule: output tiles tile_n x tile_m, n outside m. Operands are staged in slices of tile_k, or whole strips:
//   b_at   k: slices inside the reduction;  strip: all k of a tile column, kept while m runs;  root: all of b, before anything
//          else;  once: each slice when it is first needed, then kept (needs n*k bytes, fixed shapes)
//   a_at   k;  tile: all k of a tile row;  once: each slice when it is first needed, then kept (needs m*k bytes, fixed shapes)
#include "generators/contraction.h"
#include "generators/matmul_tiles.h"

namespace emulsion::generators {

class Matmul : public Contraction<Matmul> {
public:
    static constexpr const char *says = "Matrix product with bias, requantisation and clamp.";

    GeneratorParam<int> tile_n{"tile_n", 0};  ///< 0: from the machine
    GeneratorParam<int> tile_m{"tile_m", 0};
    GeneratorParam<int> tile_k{"tile_k", 0};
    GeneratorParam<int> depth{"depth", 2};  ///< slots of staged operands and output tiles
    GeneratorParam<std::string> b_at{"b_at", "k"};
    GeneratorParam<std::string> a_at{"a_at", "k"};

    Input<Buffer<>> a{"a"};
    Input<Buffer<>> b{"b"};
    Output<Buffer<>> out{"out"};

    void configure() {
        a.set_type(in_type);
        a.set_dimensions(2);
        b.set_type(weight_type);
        b.set_dimensions(2);
        out.set_type(out_type);
        out.set_dimensions(2);
        add_parameters();
    }

    void generate() {
        k = RDom(0, a.dim(0).extent(), "k");
        acc(n, m) = cast(acc_type(), 0);
        acc(n, m) += product(a(k, m), b(n, k));
        out(n, m) = finish(acc(n, m), n);
    }

    void npu_schedule() {
        const MatmulTiles t = matmul_tiles(machine(), {in_type.value().bytes(), weight_type.value().bytes(), out_type.value().bytes()},
                                           {tile_n, tile_m, tile_k});
        Var no("no"), ni("ni"), mo("mo"), mi("mi");
        Func(out).tile(n, m, no, mo, ni, mi, t.n, t.m, TailStrategy::GuardWithIf).reorder(ni, mi, mo, no);
        drain(out);
        stage_out(out, depth);

        RVar ko("ko"), ki("ki");
        acc.compute_at(out, mo).update().split(k, ko, ki, t.k);
        tile_matmul(acc, {n}, {m}, {ki});
        double_buffer(acc, LoopLevel::root());

        const LoopLevel slice(acc, ko), tile(out, mo), strip(out, no);
        if (a_at.value() == "once")
            stage_in(a, acc, slice).store_root();
        else
            double_buffer(stage_in(a, acc, a_at.value() == "tile" ? tile : slice), LoopLevel::root(), depth);
        if (b_at.value() == "root")
            keep_resident(b, acc);
        else if (b_at.value() == "once") {
            Func kept = stage_in(b, acc, slice);
            kept.store_root().fold_storage(kept.args()[0], b.dim(0).extent());  // or Halide would keep one strip at a time
        } else
            double_buffer(stage_in(b, acc, b_at.value() == "strip" ? strip : slice), LoopLevel::root(), depth);
        keep_parameters(out, strip, std::source_location::current());
    }

private:
    Var n{"n"}, m{"m"};
    RDom k;
    Func acc{"acc"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Matmul, matmul)
