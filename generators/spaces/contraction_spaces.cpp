// Schedule spaces of the multiply-accumulate operators: conv2d, depthwise_conv2d, fully_connected, matmul.
#include "generators/spaces/contraction_shape.h"

namespace emulsion::generators {
namespace {

constexpr int version = 1;

int64_t turns(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

struct Turns {
    int64_t c, x, y, ci, batch;
    int64_t pixels() const { return batch * x * y; }
};

// Rules and limits are the same for all; parameters that a generator lacks have one value.
class Builder {
public:
    Builder(const SpaceRequest &request, const TargetDesc &target, const char *name)
        : shape(ContractionShape::of(request)), target_(target), space(name, version) {}

    void tiles(const char *c, const char *x, const char *y, const char *ci) {
        const int64_t columns = std::max<int64_t>(1, target_.array.columns), rows = std::max<int64_t>(1, target_.array.rows);
        space.tile(c, shape.out_c, columns, "output channels of a tile; multiples of the array's columns");
        if (y) space.tile(y, shape.out_y, 1, "output rows of a tile");
        space.tile(x, shape.out_x, 1, y ? "output columns of a tile" : "output rows of a tile");
        if (ci) space.tile(ci, shape.in_c, rows, "reduced elements staged at a time; multiples of the array's rows");
    }

    ScheduleSpace finish() {
        space.number("depth", {1, 2, 3, 4}, "slots of staged operands and output tiles");
        parameters_ = ContractionParameters::of(space);
        const auto at = [p = parameters_, s = shape](const Choices &c) {
            const ContractionTiles t = p.tiles(c, s);
            return std::pair(t, Turns{turns(s.out_c, t.c), turns(s.out_x, t.x), turns(s.out_y, t.y), s.depthwise ? 1 : turns(s.in_c, t.ci), s.batch});
        };
        space.skip("a strip of all channels is all weights", [at, p = parameters_](const Choices &c) {
            const auto [t, n] = at(c);
            return p.weights >= 0 && t.weights == Staging::strip && n.c == 1;
        }, parameters_.c);
        space.skip("one slice is the whole tile", [at, p = parameters_](const Choices &c) {
            const auto [t, n] = at(c);
            return p.in >= 0 && t.in == Staging::slice && n.ci == 1;
        }, parameters_.ci);
        space.skip("one slice of one tile is all that a channel tile needs", [at, p = parameters_](const Choices &c) {
            const auto [t, n] = at(c);
            return p.weights >= 0 && t.weights == Staging::slice && n.ci == 1 && n.pixels() == 1;
        }, parameters_.ci);
        space.skip("each operand kept whole is staged in one slice by loading it before anything else", [at](const Choices &c) {
            const auto [t, n] = at(c);
            return t.weights == Staging::once && n.ci == 1 && n.c == 1;
        }, parameters_.ci);
        space.skip("more slots than turns", [at](const Choices &c) {
            const auto [t, n] = at(c);
            return t.depth > n.c * n.pixels() * n.ci;
        }, parameters_.depth);
        space.fits("spm_bytes", target_.spm_bytes, [p = parameters_, s = shape](const Choices &c) { return scratchpad_bytes(s, p.tiles(c, s)); });
        space.fits("acc_bytes", target_.acc_bytes, [p = parameters_, s = shape](const Choices &c) { return accumulator_bytes(s, p.tiles(c, s)); });
        return space;
    }

    ContractionShape shape;

private:
    const TargetDesc &target_;
    ContractionParameters parameters_;

public:
    ScheduleSpace space;
};

ScheduleSpace conv2d_space(const SpaceRequest &r, const TargetDesc &t) {
    Builder b(r, t, "conv2d");
    b.space.choice("weights_at", {"root", "strip", "slice"}, "what of the weights is staged at a time");
    b.space.choice("in_at", {"tile", "slice"}, "what of the input is staged at a time");
    b.tiles("tile_c", "tile_x", "tile_y", "tile_ci");
    return b.finish();
}

ScheduleSpace depthwise_space(const SpaceRequest &r, const TargetDesc &t) {
    Builder b(r, t, "depthwise_conv2d");
    b.tiles("tile_c", "tile_x", "tile_y", nullptr);
    return b.finish();
}

ScheduleSpace fully_connected_space(const SpaceRequest &r, const TargetDesc &t) {
    Builder b(r, t, "fully_connected");
    b.tiles("tile_n", "tile_m", nullptr, "tile_k");
    return b.finish();
}

ScheduleSpace matmul_space(const SpaceRequest &r, const TargetDesc &t) {
    Builder b(r, t, "matmul");
    b.space.choice("b_at", {"root", "strip", "k", "once"}, "what of b is staged at a time");
    b.space.choice("a_at", {"tile", "k", "once"}, "what of a is staged at a time");
    b.tiles("tile_n", "tile_m", nullptr, "tile_k");
    return b.finish();
}

const RegisteredSpace spaces[] = {{"conv2d", conv2d_space},
                                  {"depthwise_conv2d", depthwise_space},
                                  {"fully_connected", fully_connected_space},
                                  {"matmul", matmul_space}};

}  // namespace
}  // namespace emulsion::generators
