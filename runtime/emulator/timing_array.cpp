// MAC array: contract, clear, preload.
#include "runtime/emulator/timing_work.h"

namespace emulsion::timing {
namespace {

constexpr uint64_t accumulator_bytes = 4;  // i32 or f32

struct Shape {
    uint64_t rows = 1, columns = 1, taps = 1, groups = 1, streamed = 1, macs = 1;
    uint64_t pixel_blocks = 1;  ///< dot_product: steps over the streamed indices
    uint64_t slowdown = 1;
    uint64_t weight_bytes = 1;  ///< of one element of the stationary operand

    uint64_t passes(const ArrayDesc &a) const {
        return times(ceil_div(rows, a.rows), ceil_div(columns, a.columns), taps, groups);
    }
};

struct Mapping {
    uint64_t cycles = 0, weight_load = 0, latency = 0;
    uint64_t input_points = 0;        ///< elements of a that the array reads
    uint64_t accumulator_visits = 0;  ///< partial sums read and written
};

uint64_t slowdown_of(const Operation &op, const CostModel &model) {
    const auto &table = model.target.array.slowdown;
    const auto a = table.find(op.stream(1).type), b = table.find(op.stream(2).type);
    if (a == table.end() || b == table.end())
        raise(Diag::types_illegal,
              place_of(model.program, static_cast<uint32_t>(&op.instruction() - model.program.code.data())),
              std::string("contract"),
              fmt::format("{} x {}", info(op.stream(1).type).name, info(op.stream(2).type).name));
    return std::max(a->second, b->second);
}

// The innermost streamed index fills the pixels in x, the next one those in y. A single streamed index has no x and y
// of its own, so it fills both.
uint64_t pixel_blocks_of(const Operation &op, const ArrayDesc &array) {
    std::array<uint64_t, max_rank> extent{};
    int count = 0;
    for (int d = 0; d < op.rank(); d++)
        if (op.role(d) == Role::streamed && op.extent(d) > 1) extent[count++] = op.extent(d);
    if (count == 0) return 1;
    if (count == 1) return ceil_div(extent[0], times(array.pixels_x, array.pixels_y));
    uint64_t blocks = times(ceil_div(extent[0], array.pixels_x), ceil_div(extent[1], array.pixels_y));
    for (int k = 2; k < count; k++) blocks = times(blocks, extent[k]);
    return blocks;
}

Shape shape_of(const Operation &op, const CostModel &model) {
    Shape s;
    s.rows = op.points(Role::row);
    s.columns = op.points(Role::column);
    s.groups = op.points(Role::group);
    s.streamed = op.points(Role::streamed);
    s.taps = times(op.points(Role::tap), op.points(Role::reduce), op.points(Role::serial));
    s.macs = op.points();
    s.pixel_blocks = pixel_blocks_of(op, model.target.array);
    s.slowdown = slowdown_of(op, model);
    s.weight_bytes = op.element_bytes(2);
    return s;
}

// Weight stationary: one pass per weight tile, streaming every pixel through it; the next tile's weights load
// meanwhile. Source: SCALE-Sim (arXiv 1811.02883), weight-stationary fold, with the fill and drain skew once per
// instruction.
Mapping systolic(const Shape &s, const ArrayDesc &a) {
    Mapping m;
    m.weight_load = ceil_div(times(a.rows, a.columns, s.weight_bytes), a.weight_bytes_per_cycle);
    m.cycles = times(s.passes(a), std::max(times(s.streamed, s.slowdown), m.weight_load));
    m.latency = uint64_t{a.rows} + a.columns - 2;
    m.input_points = times(s.streamed, s.rows, s.taps, times(s.groups, ceil_div(s.columns, a.columns)));
    m.accumulator_visits = times(s.streamed, s.columns, s.taps, times(s.groups, ceil_div(s.rows, a.rows)));
    return m;
}

// Output stationary inside a block of pixels: the input block is held by the array, so taps read it again for free.
// Source: Ethos-U55 block traversal; a step of one micro-block cannot hide its own start.
Mapping dot_product(const Shape &s, const ArrayDesc &a) {
    Mapping m;
    const uint64_t steps = s.passes(a);
    const uint64_t weights = times(s.rows, s.columns, s.taps, times(s.groups, s.weight_bytes));
    m.cycles = std::max(times(steps, s.pixel_blocks, s.slowdown), ceil_div(weights, a.weight_bytes_per_cycle));
    if (s.pixel_blocks == 1) m.cycles += times(steps, a.step_overhead);
    m.input_points = times(s.streamed, s.rows, s.groups, ceil_div(s.columns, a.columns));
    m.accumulator_visits = times(s.streamed, s.columns, s.groups);
    return m;
}

// One multiplier per channel and tap; the window slides inside the array, so each input element is read once.
Mapping depthwise(const Shape &s, const ArrayDesc &a) {
    Mapping m;
    m.cycles = ceil_div(times(s.macs, s.slowdown), a.depthwise_macs);
    m.input_points = times(s.streamed, s.rows, s.groups);
    m.accumulator_visits = times(s.streamed, s.groups);
    return m;
}

uint64_t Activity::*mac_count(ElementType t) {
    if (!info(t).is_float) return &Activity::mac_i8;
    return info(t).bytes == 4 ? &Activity::mac_f32 : &Activity::mac_f16;
}

}  // namespace

Work contract_work(const Operation &op, const CostModel &model) {
    const ArrayDesc &array = model.target.array;
    const Shape s = shape_of(op, model);
    Mapping m = array.kind == "systolic" ? systolic(s, array) : dot_product(s, array);
    // A contraction without output channels may also run one group per multiplier; the array takes the faster way.
    bool by_group = false;
    if (s.columns == 1 && s.groups > 1 && array.depthwise_macs > 0)
        if (const Mapping d = depthwise(s, array); d.cycles < m.cycles) by_group = true, m = d;
    const uint64_t slots = times(s.macs, s.slowdown);
    Work w;
    w.occupancy = m.cycles;
    w.weight_load = m.weight_load;
    w.latency = m.latency;
    w.spm_bytes =
        times(m.input_points, op.element_bytes(1)) + times(s.rows, s.columns, s.taps, times(s.groups, s.weight_bytes));
    w.macs = s.macs;
    (by_group ? w.depthwise_slots : w.dense_slots) = slots;
    w.activity.*mac_count(op.stream(1).type) = info(op.stream(1).type).is_float ? s.macs : slots;
    w.activity.acc_bytes = times(m.accumulator_visits, 2 * accumulator_bytes);
    return w;
}

Work clear_work(const Operation &op, const CostModel &model) {
    Work w;
    w.occupancy = ceil_div(op.points(), model.target.array.columns);
    w.activity.acc_bytes = times(op.points(), accumulator_bytes);
    return w;
}

Work preload_work(const Operation &op, const CostModel &model) {
    Work w = clear_work(op, model);
    w.spm_bytes = times(op.distinct_points(1), op.element_bytes(1));
    return w;
}

}  // namespace emulsion::timing
