// Gaussian blur by a binomial window: out(x, y) = (sum over i, j in 0..4 of w[i] w[j] in(x + i - 2, y + j - 2) + 128) >> 8,
// w = 1 4 6 4 1.
//
// Shapes: plane.h, (x, y). Numerics: exact in u16, one rounding, ties up.
// Source: binomial weights approximate a Gaussian of variance 1 (Burt and Adelson, The Laplacian pyramid, 1983).
#include "generators/image/binomial.h"

namespace emulsion::generators {

class GaussianBlur : public PlaneKernel<GaussianBlur> {
public:
    static constexpr const char *says = "Blur of a plane by a 5 x 5 binomial window.";

    /// stripe: each tile computes its own border rows. line: sums over x are kept from one turn to the next (rolling rows).
    GeneratorParam<std::string> rows{"rows", "stripe"};
    GeneratorParam<int> fold{"fold", 16};  ///< line: rows kept

    void configure() { set_planes(2, 2); }

    void generate() {
        repeat_edge();
        blur = binomial(stages, edge);
        out(x, y) = cast<uint8_t>(blur.mean(stages));
    }

    void npu_schedule() {
        if (rows.value() == "line") line_schedule();
        else schedule_tiles();
    }

private:
    Binomial blur;

    /// One output row a turn; five rows of horizontal sums are alive, of which one is new.
    void line_schedule() {
        out.split(x, xo, xi, tile_x > 0 ? int(tile_x) : 2048, TailStrategy::GuardWithIf).reorder(xi, y, xo);
        stage_out(out, 4);
        const LoopLevel row(out, y), column(out, xo);
        compute_in_scratchpad(edge, row);
        double_buffer(edge, LoopLevel::root(), 4);
        const std::string kept = blur.horizontal.name();
        for (Func f : stages.funcs()) {
            if (f.name() == kept) {
                compute_in_scratchpad(f, row).store_at(column).fold_storage(y, int(fold));
                break;
            }
            compute_in_scratchpad(f, row);
        }
    }

    Var xo{"xo"}, xi{"xi"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::GaussianBlur, gaussian_blur)
