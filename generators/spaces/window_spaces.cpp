// Schedule spaces of pooling, element-wise operators, softmax and plane kernels: tiles of the output and ring depth.
#include "dsl/space.h"

#include <algorithm>

namespace emulsion::generators {
namespace {

constexpr int version = 1;

int64_t turns(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Depth, and the rule that a ring has no more slots than the tile loops have turns.
void add_depth(ScheduleSpace &space, const std::vector<std::pair<size_t, int64_t>> &tiles, int64_t other_turns) {
    const size_t depth = space.number("depth", {1, 2, 3, 4}, "slots of input and output tiles");
    space.skip("more slots than turns", [=](const Choices &c) {
        int64_t n = other_turns;
        for (const auto &[parameter, extent] : tiles) n *= turns(extent, c[parameter]);
        return c[depth] > n;
    });
}

ScheduleSpace pool_space(const SpaceRequest &r, const TargetDesc &t) {
    ScheduleSpace space(r.generator, version);
    const std::vector<int> out = r.shape("out");
    const int64_t granule = std::min<int64_t>(std::max<int64_t>(1, t.array.columns), out[0]);
    const size_t c = space.tile("tile_c", out[0], granule, "channels of a tile");
    const size_t y = space.tile("tile_y", out[2], 1, "output rows of a tile");
    const size_t x = space.tile("tile_x", out[1], 1, "output columns of a tile");
    add_depth(space, {{c, out[0]}, {y, out[2]}, {x, out[1]}}, out[3]);
    const int64_t bytes = r.bytes("type", "int8"), reduced = r.generator == "average_pool" ? 4 : bytes;
    // Without bounds a maximum is stored from where it is accumulated.
    const bool direct = r.generator == "max_pool" && r.word("out_min", "").empty() && r.word("out_max", "").empty();
    const int64_t kx = r.number("kernel_x", 3), ky = r.number("kernel_y", 3), sx = r.number("stride_x", 1), sy = r.number("stride_y", 1);
    const int64_t dx = r.number("dilation_x", 1), dy = r.number("dilation_y", 1);
    const size_t depth = space.depth() - 1;
    space.fits("spm_bytes", t.spm_bytes, [=](const Choices &p) {
        const int64_t span_x = (p[x] - 1) * sx + (kx - 1) * dx + 1, span_y = (p[y] - 1) * sy + (ky - 1) * dy + 1, outputs = p[c] * p[x] * p[y];
        return static_cast<uint64_t>((aligned(p[c] * span_x * span_y * bytes) + (direct ? 0 : aligned(outputs * bytes))) * p[depth] + aligned(outputs * reduced));
    });
    return space;
}

ScheduleSpace elementwise_space(const SpaceRequest &r, const TargetDesc &t) {
    ScheduleSpace space(r.generator, version);
    const std::vector<int> out = r.shape("out");
    const bool rows = out.size() > 1;
    const size_t x = space.tile("tile_0", out[0], std::min(64, out[0]), "elements of dimension 0 in a tile; multiples of a burst");
    const size_t y = rows ? space.tile("tile_1", out[1], 1, "elements of dimension 1") : x;
    int64_t outer = 1;
    for (size_t d = 2; d < out.size(); d++) outer *= out[d];
    std::vector<std::pair<size_t, int64_t>> tiles{{x, out[0]}};
    if (rows) tiles.emplace_back(y, out[1]);
    add_depth(space, tiles, outer);
    const size_t depth = space.depth() - 1;
    const int64_t bytes = r.bytes("type", "int8"), a = r.number("a_broadcast", 0), b = r.number("b_broadcast", 0);
    space.fits("spm_bytes", t.spm_bytes, [=](const Choices &p) {
        const auto tile = [&](int64_t broadcast) { return aligned(((broadcast & 1) ? 1 : p[x]) * (!rows || (broadcast & 2) ? 1 : p[y]) * bytes); };
        return static_cast<uint64_t>((tile(a) + tile(b) + tile(0)) * p[depth]);
    });
    return space;
}

ScheduleSpace softmax_space(const SpaceRequest &r, const TargetDesc &t) {
    ScheduleSpace space(r.generator, version);
    const std::vector<int> out = r.shape("out");
    const size_t j = space.tile("tile_j", out[1], 1, "rows of a tile");
    add_depth(space, {{j, out[1]}}, 1);
    const size_t depth = space.depth() - 1;
    const int64_t bytes = r.bytes("type", "int8");
    space.fits("spm_bytes", t.spm_bytes, [=](const Choices &p) {
        return static_cast<uint64_t>(2 * aligned(out[0] * p[j] * bytes) * p[depth] + aligned(out[0] * p[j] * 4));
    });
    return space;
}

ScheduleSpace blur_space(const SpaceRequest &r, const TargetDesc &t) {
    ScheduleSpace space(r.generator, version);
    const std::vector<int> out = r.shape("out");
    const size_t y = space.tile("tile_y", out[1], 2, "output rows of a tile; even");
    const size_t x = space.tile("tile_x", out[0], std::min(128, out[0]), "output columns of a tile; multiples of the vector unit");
    add_depth(space, {{y, out[1]}, {x, out[0]}}, 1);
    const size_t depth = space.depth() - 1;
    space.fits("spm_bytes", t.spm_bytes, [=](const Choices &p) {
        return static_cast<uint64_t>((aligned((p[x] + 4) * (p[y] + 4)) + aligned(p[x] * p[y])) * p[depth] + 6 * aligned(p[x] * (p[y] + 4) * 2));
    });
    return space;
}

const RegisteredSpace spaces[] = {{"average_pool", pool_space}, {"max_pool", pool_space},      {"add", elementwise_space}, {"sub", elementwise_space},
                                  {"mul", elementwise_space},   {"softmax", softmax_space},    {"gaussian_blur", blur_space}};

}  // namespace
}  // namespace emulsion::generators
