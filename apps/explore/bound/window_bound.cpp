// Bounds of operators that read tiles, compute on the vector unit and write tiles: pooling, element-wise operators, softmax,
// plane kernels. Each tile is its loads, one vector operation of one slot per result, one store.
#include "apps/explore/bound/bound.h"
#include "apps/explore/bound/timeline.h"
#include "apps/explore/bound/type_names.h"
#include "apps/explore/bound/unit_costs.h"

#include <algorithm>
#include <array>
#include <map>

namespace emulsion::explore {
namespace {

using timing::Work;

constexpr int rank = 4;

/// How one dimension of an input follows from the output's: n outputs read (n - 1) * stride + window elements from
/// first * stride - pad on.
struct Axis {
    int64_t stride = 1, window = 1, pad = 0, extent = 1;  ///< extent: of the input
    bool broadcast = false;
};

struct Input {
    std::array<Axis, rank> axis;
};

struct WindowShape {
    std::array<int64_t, rank> out{1, 1, 1, 1};
    std::array<int, rank> tile{-1, -1, -1, -1};     ///< parameter that tiles a dimension; -1: `fixed`
    std::array<int64_t, rank> fixed{0, 0, 0, 0};    ///< size of an untiled dimension's tile; 0: whole
    std::vector<Input> inputs;
    ElementType type = ElementType::i8;
    int depth = -1;

    static WindowShape of(const SpaceRequest &r, const ScheduleSpace &space);
};

int find(const ScheduleSpace &space, const char *name) {
    for (size_t k = 0; k < space.depth(); k++)
        if (space.parameters()[k].name == name) return static_cast<int>(k);
    return -1;
}

WindowShape WindowShape::of(const SpaceRequest &r, const ScheduleSpace &space) {
    WindowShape s;
    const std::vector<int> out = r.shape("out");
    // Dimensions behind the fourth are turns of the same tiles.
    for (size_t d = 0; d < out.size(); d++) d < rank ? s.out[d] = out[d] : s.out[rank - 1] *= out[d];
    s.type = r.generator == "gaussian_blur" ? ElementType::u8 : type_of(r.word("type", "int8"));
    s.depth = find(space, "depth");
    const auto same = [&] {
        Input in;
        for (int d = 0; d < rank; d++) in.axis[static_cast<size_t>(d)].extent = s.out[static_cast<size_t>(d)];
        return in;
    };
    if (r.generator.ends_with("_pool")) {
        s.tile = {find(space, "tile_c"), find(space, "tile_x"), find(space, "tile_y"), -1};
        s.fixed[3] = 1;
        const std::vector<int> in = r.shape("in");
        Input i = same();
        i.axis[1] = {r.number("stride_x", 1), (r.number("kernel_x", 3) - 1) * r.number("dilation_x", 1) + 1, r.number("pad_x", 0), in[1]};
        i.axis[2] = {r.number("stride_y", 1), (r.number("kernel_y", 3) - 1) * r.number("dilation_y", 1) + 1, r.number("pad_y", 0), in[2]};
        s.inputs = {i};
    } else if (r.generator == "softmax") {
        s.tile = {-1, find(space, "tile_j"), -1, -1};
        s.inputs = {same()};
    } else if (r.generator == "gaussian_blur") {
        s.tile = {find(space, "tile_x"), find(space, "tile_y"), -1, -1};
        Input i = same();
        i.axis[0] = {1, 5, 2, s.out[0]}, i.axis[1] = {1, 5, 2, s.out[1]};
        s.inputs = {i};
    } else {
        s.tile = {find(space, "tile_0"), find(space, "tile_1"), -1, -1};
        s.fixed = {0, 0, 1, 1};
        for (const char *name : {"a_broadcast", "b_broadcast"}) {
            Input i = same();
            for (size_t d = 0; d < rank; d++) i.axis[d].broadcast = (r.number(name, 0) >> d) & 1;
            s.inputs.push_back(i);
        }
    }
    return s;
}

class WindowBound : public BoundModel {
public:
    WindowBound(const SpaceRequest &r, const ScheduleSpace &space, const TargetDesc &target)
        : space_(space), target_(target), shape_(WindowShape::of(r, space)), bytes_(info(shape_.type).bytes) {}

    Bound complete(const Point &point) const override {
        Timeline line(target_);
        UnitCosts costs(target_);
        const Choices c(space_, point);
        const std::array<int64_t, rank> tile = tiles(c);
        const auto depth = static_cast<size_t>(c[static_cast<size_t>(shape_.depth)]);
        std::map<std::array<int64_t, 2 * rank + 1>, Work> known;
        std::vector<uint64_t> read, written;
        const auto ready = [&](const std::vector<uint64_t> &freed) { return freed.size() < depth ? 0 : freed[freed.size() - depth]; };
        std::array<int64_t, rank> at{};
        for (at[3] = 0; at[3] < shape_.out[3]; at[3] += tile[3])
            for (at[2] = 0; at[2] < shape_.out[2]; at[2] += tile[2])
                for (at[1] = 0; at[1] < shape_.out[1]; at[1] += tile[1])
                    for (at[0] = 0; at[0] < shape_.out[0]; at[0] += tile[0]) {
                        std::array<int64_t, rank> size;
                        for (size_t d = 0; d < rank; d++) size[d] = std::min(tile[d], shape_.out[d] - at[d]);
                        uint64_t loaded = 0;
                        for (size_t k = 0; k < shape_.inputs.size(); k++) loaded = std::max(loaded, line.add(Queue::LD, load(known, costs, k, at, size), ready(read)));
                        const Work &work = vector(known, costs, size);
                        const uint64_t done = line.add(Queue::VX, work, std::max(loaded, ready(written)));
                        read.push_back(loaded + work.occupancy);  // the stage that reads need not be the one that writes
                        written.push_back(line.add(Queue::ST, store(known, costs, size), done));
                    }
        return {line.cycles(), line.energy(), spm(c), line.total().ext_bytes};
    }

    Bound partial(const Point &point) const override {
        const Choices c(space_, point);
        Bound b;
        uint64_t bytes = elements(shape_.out) * static_cast<uint64_t>(bytes_);
        for (const Input &in : shape_.inputs) bytes += input_bytes(in);
        const uint64_t vector = elements(shape_.out) * static_cast<uint64_t>(bytes_) / std::max<uint32_t>(1, target_.vector_lanes);
        b.ext_bytes = bytes;
        b.cycles = std::max(bytes * 10 / std::max<uint32_t>(1, target_.ext.bytes_per_cycle_x10) + target_.ext.latency, vector + 2 * uint64_t{target_.ext.latency});
        b.spm_bytes = spm(c);
        Activity a;
        a.ext_bytes = bytes;
        b.energy_pj = energy_pj(a, target_.energy, b.cycles);
        return b;
    }

    Roofline roofline() const override {
        uint64_t bytes = elements(shape_.out) * static_cast<uint64_t>(bytes_);
        for (const Input &in : shape_.inputs) bytes += input_bytes(in);
        return {0, bytes * 10 / std::max<uint32_t>(1, target_.ext.bytes_per_cycle_x10)};
    }

private:
    using Known = std::map<std::array<int64_t, 2 * rank + 1>, Work>;

    static uint64_t elements(const std::array<int64_t, rank> &e) { return static_cast<uint64_t>(e[0] * e[1] * e[2] * e[3]); }

    /// Input elements under the output: the span of each axis inside the input.
    uint64_t input_bytes(const Input &in) const {
        int64_t n = bytes_;
        for (size_t d = 0; d < rank; d++) {
            const Axis &a = in.axis[d];
            const int64_t skipped = std::max<int64_t>(0, a.stride - a.window) * (shape_.out[d] - 1);
            n *= a.broadcast ? 1 : std::max<int64_t>(1, std::min(a.extent, (shape_.out[d] - 1) * a.stride + a.window - a.pad) - skipped);
        }
        return static_cast<uint64_t>(n);
    }

    std::array<int64_t, rank> tiles(const Choices &c) const {
        std::array<int64_t, rank> t;
        for (size_t d = 0; d < rank; d++)
            t[d] = shape_.tile[d] >= 0 ? c[static_cast<size_t>(shape_.tile[d])] : shape_.fixed[d] ? shape_.fixed[d] : shape_.out[d];
        return t;
    }

    uint64_t spm(const Choices &c) const {
        uint64_t bytes = 0;
        for (const SpaceLimit &l : space_.limits())
            if (l.name == "spm_bytes") bytes = l.bytes(c);
        return bytes;
    }

    const Work &load(Known &known, UnitCosts &costs, size_t k, const std::array<int64_t, rank> &at, const std::array<int64_t, rank> &size) const {
        OpDimension d[rank];
        std::array<int64_t, 2 * rank + 1> key{static_cast<int64_t>(k)};
        int64_t stride = bytes_;
        for (size_t a = 0; a < rank; a++) {
            const Axis &x = shape_.inputs[k].axis[a];
            const int64_t n = x.broadcast ? 1 : (size[a] - 1) * x.stride + x.window, first = x.broadcast ? 0 : at[a] * x.stride - x.pad;
            const int64_t extent = x.broadcast ? 1 : x.extent;
            // Edges that repeat read at least one element; the bound counts what lies inside.
            d[a] = {.extent = n, .ext_stride = stride, .origin = first, .source = extent};
            stride *= extent;
            key[1 + 2 * a] = n;
            key[2 + 2 * a] = std::max<int64_t>(0, std::min(first + n, extent) - std::max<int64_t>(0, first));
        }
        const auto [it, fresh] = known.try_emplace(key);
        if (fresh) it->second = costs.load({d, rank}, shape_.type);
        return it->second;
    }

    const Work &store(Known &known, UnitCosts &costs, const std::array<int64_t, rank> &size) const {
        const auto [it, fresh] = known.try_emplace({-1, size[0], size[1], size[2], size[3]});
        if (!fresh) return it->second;
        OpDimension d[rank];
        int64_t stride = bytes_;
        for (size_t a = 0; a < rank; a++) d[a] = {.extent = size[a], .ext_stride = stride}, stride *= shape_.out[a];
        return it->second = costs.store({d, rank}, shape_.type);
    }

    const Work &vector(Known &known, UnitCosts &costs, const std::array<int64_t, rank> &size) const {
        const auto [it, fresh] = known.try_emplace({-2, static_cast<int64_t>(elements(size))});
        if (fresh) it->second = costs.run(static_cast<int64_t>(elements(size)), shape_.type);
        return it->second;
    }

    const ScheduleSpace &space_;
    const TargetDesc &target_;
    WindowShape shape_;
    int64_t bytes_;
};

}  // namespace

std::unique_ptr<BoundModel> make_window_bound(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target) {
    return std::make_unique<WindowBound>(request, space, target);
}

std::unique_ptr<BoundModel> make_bound_model(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target) {
    const bool contraction = request.generator == "conv2d" || request.generator == "depthwise_conv2d" || request.generator == "matmul" ||
                             request.generator == "fully_connected";
    return contraction ? make_contraction_bound(request, space, target) : make_window_bound(request, space, target);
}

}  // namespace emulsion::explore
