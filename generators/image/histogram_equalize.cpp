// Histogram equalisation: spreads the levels of a plane over the whole range.
//
//   n(v)     pixels of `in` with level v           below(v) = n(0) + ... + n(v)          first = the smallest n(v) + ... that is not 0
//   out      ((below(in) - first) * 255 + (all - first) / 2) / (all - first); a plane of one level stays as it is
// Shapes: plane.h, (x, y); `out` is as large as `in`. Numerics: exact in i64. Source: Gonzalez and Woods, Digital Image
// Processing, histogram equalisation; the first level goes to 0, as in OpenCV's equalizeHist.
//
// Counting is one pixel after another: the next pixel may have the same level.
#include "generators/image/plane.h"

namespace emulsion::generators {

class HistogramEqualize : public PlaneKernel<HistogramEqualize> {
public:
    static constexpr const char *says = "Spreads the levels of a plane evenly over the whole range.";

    void configure() { set_planes(2, 2); }

    void generate() {
        no_edge();
        const Expr width = in.dim(0).extent(), height = in.dim(1).extent();
        RDom pixel(in.dim(0).min(), width, in.dim(1).min(), height, "pixel");
        counted(x, y) = in(x, y);
        count(level) = 0;
        count(cast<int>(counted(pixel.x, pixel.y))) += 1;
        column = pixel.x, row = pixel.y;

        RDom v(1, 255, "v");
        below(level) = count(level);
        below(v) = below(v - 1) + below(v);

        RDom all(0, 256, "all");
        first(level) = width * height;
        first(0) = min(first(0), select(below(all) > 0, below(all), width * height));

        const Expr rest = cast<int64_t>(width * height - first(0));
        const Expr spread = (cast<int64_t>(below(level) - first(0)) * 255 + rest / 2) / rest;
        table(level) = select(rest == 0, cast<uint8_t>(level), cast<uint8_t>(clamp(spread, 0, 255)));
        out(x, y) = table(cast<int>(edge(x, y)));
    }

    void npu_schedule() {
        schedule_tiles();
        const PlaneTile best = plane_tile(machine(), 2 * depth);
        RVar column_o("column_o"), column_i("column_i"), row_o("row_o"), row_i("row_i");
        count.update().split(column, column_o, column_i, best.x, TailStrategy::GuardWithIf)
            .split(row, row_o, row_i, best.y, TailStrategy::GuardWithIf).reorder(column_i, row_i, column_o, row_o);
        compute_in_scratchpad(counted, LoopLevel(count, column_o));
        double_buffer(counted, LoopLevel::root(), depth);
        for (Func f : {count, below, first, table}) compute_in_scratchpad(f, LoopLevel::root());
    }

    void cpu_schedule() {
        for (Func f : {count, below, first, table}) f.compute_root();
    }

private:
    Var level{"level"};
    RVar column, row;
    Func counted{"counted"}, count{"count"}, below{"below"}, first{"first"}, table{"table"};
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::HistogramEqualize, histogram_equalize)
