// Bounds of multiply-accumulate operators. Complete points: the schedule's operations one by one on a Timeline. Partial points:
// work per resource, each open parameter at its best in each term by itself.
#include "apps/explore/bound/bound.h"
#include "apps/explore/bound/timeline.h"
#include "apps/explore/bound/type_names.h"
#include "apps/explore/bound/unit_costs.h"
#include "generators/spaces/contraction_shape.h"

#include <algorithm>
#include <map>

namespace emulsion::explore {
namespace {

using namespace generators;
using timing::Work;

int64_t turns(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

struct Types {
    ElementType in, weights, out;
};

/// Sizes of one tile and where it lies.
struct Range {
    int64_t first = 0, size = 0;
    Range(int64_t turn, int64_t tile, int64_t extent) : first(turn * tile), size(std::min(tile, extent - turn * tile)) {}
};

/// The operations of one schedule, in program order.
class Walk {
public:
    Walk(const ContractionShape &shape, const ContractionTiles &tiles, const Types &types, const TargetDesc &target)
        : s_(shape), t_(tiles), types_(types), costs_(target), timeline_(target) {}

    Timeline run() {
        const int64_t nc = turns(s_.out_c, t_.c), nx = turns(s_.out_x, t_.x), ny = turns(s_.out_y, t_.y);
        if (t_.weights == Staging::root) weights_ready_ = timeline_.add(Queue::LD, weights_work(s_.out_c, s_.in_c), 0);
        if (s_.channels_inside) {
            for (int64_t x = 0; x < nx; x++)
                for (int64_t c = 0; c < nc; c++) tile(c, x, 0, 0);
            return timeline_;
        }
        for (int64_t c = 0; c < nc; c++) {
            begin_channels(c);
            for (int64_t b = 0; b < s_.batch; b++)
                for (int64_t y = 0; y < ny; y++)
                    for (int64_t x = 0; x < nx; x++) tile(c, x, y, b);
        }
        return timeline_;
    }

private:
    /// Completion times of whatever held a slot, oldest first; a new user of the ring waits for the one `depth` back.
    struct Ring {
        std::vector<uint64_t> freed;
        uint64_t slot_ready(int64_t depth) const {
            return freed.size() < static_cast<size_t>(depth) ? 0 : freed[freed.size() - static_cast<size_t>(depth)];
        }
    };

    void begin_channels(int64_t turn) {
        const Range c(turn, t_.c, s_.out_c);
        if (t_.weights == Staging::strip) {
            const int64_t ring = s_.depthwise ? 2 : t_.depth;
            if (turn > 0) strips_.freed.push_back(last_contract_);
            weights_ready_ = timeline_.add(Queue::LD, weights_work(c.size, s_.depthwise ? 1 : s_.in_c), strips_.slot_ready(ring));
        }
        load_parameters(c);
    }

    void load_parameters(const Range &c) {
        parameters_ready_ = 0;
        if (any_tile_) parameters_.freed.push_back(last_drain_);
        for (int64_t k = 0; k < s_.parameter_arrays; k++) {
            const OpDimension d{.extent = c.size, .ext_stride = 4};
            parameters_ready_ = timeline_.add(Queue::LD, costs_.load({&d, 1}, ElementType::i32), parameters_.slot_ready(2));
        }
    }

    void tile(int64_t tc, int64_t tx, int64_t ty, int64_t b) {
        any_tile_ = true;
        const Range c(tc, t_.c, s_.out_c), x(tx, t_.x, s_.out_x), y(ty, t_.y, s_.out_y);
        // With nothing loaded between them, slices are one operation.
        const auto sliced = [](Staging at) { return at == Staging::slice || at == Staging::once; };
        const int64_t depth = sliced(t_.in) || sliced(t_.weights) ? t_.ci : s_.in_c, slices = s_.depthwise ? 1 : turns(s_.in_c, depth);
        uint64_t in_ready = 0;
        if (t_.in == Staging::tile) in_ready = timeline_.add(Queue::LD, input_work(x, y, s_.depthwise ? c.size : s_.in_c), inputs_.slot_ready(t_.depth));
        const uint64_t acc_ready = accumulators_.slot_ready(2);
        for (int64_t k = 0; k < slices; k++) {
            const Range ci(k, s_.depthwise ? 1 : depth, s_.depthwise ? 1 : s_.in_c);
            slice(tc, tx, c, x, y, ci, k, in_ready, acc_ready);
        }
        if (t_.in == Staging::tile) inputs_.freed.push_back(last_contract_);
        // Loaded where they are first needed: with the channels inside, that is after the accumulation.
        if (s_.channels_inside) load_parameters(c);
        const uint64_t drained = timeline_.add(Queue::OU, drain_work(c.size * x.size * y.size), std::max({last_contract_, parameters_ready_, outputs_.slot_ready(t_.depth)}));
        last_drain_ = drained;
        accumulators_.freed.push_back(drained);
        outputs_.freed.push_back(timeline_.add(Queue::ST, store_work(c, x, y), drained));
        (void)b;
    }

    void slice(int64_t tc, int64_t tx, const Range &c, const Range &x, const Range &y, const Range &ci, int64_t k, uint64_t in_ready, uint64_t acc_ready) {
        uint64_t weights_ready = weights_ready_;
        if (t_.in == Staging::slice) in_ready = timeline_.add(Queue::LD, input_work(x, y, ci.size), inputs_.slot_ready(t_.depth));
        if (t_.in == Staging::once) in_ready = tc == 0 ? once_in_[{tx, k}] = timeline_.add(Queue::LD, input_work(x, y, ci.size), 0) : once_in_[{tx, k}];
        if (t_.weights == Staging::slice) weights_ready = timeline_.add(Queue::LD, weights_work(c.size, ci.size), slices_.slot_ready(t_.depth));
        if (t_.weights == Staging::once) weights_ready = tx == 0 ? once_weights_[{tc, k}] = timeline_.add(Queue::LD, weights_work(c.size, ci.size), 0) : once_weights_[{tc, k}];
        last_contract_ = timeline_.add(Queue::MX, contract_work(c.size, x.size, y.size, ci.size), std::max({in_ready, weights_ready, acc_ready}));
        if (t_.in == Staging::slice) inputs_.freed.push_back(last_contract_);
        if (t_.weights == Staging::slice) slices_.freed.push_back(last_contract_);
    }

    /// Works repeat: few sizes occur.
    template<typename F>
    const Work &known(char kind, std::array<int64_t, 5> key, F work) {
        const auto [it, fresh] = works_.try_emplace(std::pair(kind, key));
        if (fresh) it->second = work();
        return it->second;
    }

    const Work &input_work(const Range &x, const Range &y, int64_t channels) {
        const int64_t x0 = x.first * s_.stride_x - s_.pad_x, y0 = y.first * s_.stride_y - s_.pad_y, nx = s_.span_x(x.size), ny = s_.span_y(y.size);
        const auto inside = [](int64_t first, int64_t n, int64_t extent) { return std::clamp<int64_t>(std::min(first + n, extent) - std::max<int64_t>(first, 0), 0, n); };
        return known('i', {channels, nx, ny, inside(x0, nx, s_.in_x), inside(y0, ny, s_.in_y)}, [&] {
            const int64_t e = s_.in_bytes;
            const OpDimension d[] = {{.extent = channels, .ext_stride = e},
                                     {.extent = nx, .ext_stride = s_.in_c * e, .origin = x0, .source = s_.bounded ? s_.in_x : 0},
                                     {.extent = ny, .ext_stride = s_.in_c * s_.in_x * e, .origin = y0, .source = s_.bounded ? s_.in_y : 0}};
            return costs_.load(d, types_.in);
        });
    }

    const Work &weights_work(int64_t out_c, int64_t in_c) {
        return known('w', {out_c, in_c}, [&] {
            const int64_t e = s_.weight_bytes;
            if (s_.channels_inside) {  // (k, n): the inputs of one output side by side
                const OpDimension d[] = {{.extent = in_c, .ext_stride = e}, {.extent = out_c, .ext_stride = s_.in_c * e}};
                return costs_.load(d, types_.weights);
            }
            const int64_t planes = s_.depthwise ? 1 : s_.in_c;
            const OpDimension d[] = {{.extent = out_c, .ext_stride = e},
                                     {.extent = in_c, .ext_stride = s_.out_c * e},
                                     {.extent = s_.kernel_x, .ext_stride = s_.out_c * planes * e},
                                     {.extent = s_.kernel_y, .ext_stride = s_.out_c * planes * s_.kernel_x * e}};
            return costs_.load(d, types_.weights);
        });
    }

    const Work &store_work(const Range &c, const Range &x, const Range &y) {
        return known('s', {c.size, x.size, y.size}, [&] {
            const int64_t e = s_.out_bytes;
            const OpDimension d[] = {{.extent = c.size, .ext_stride = e}, {.extent = x.size, .ext_stride = s_.out_c * e}, {.extent = y.size, .ext_stride = s_.out_c * s_.out_x * e}};
            return costs_.store(d, types_.out);
        });
    }

    const Work &drain_work(int64_t points) {
        return known('d', {points}, [&] { return costs_.drain(points, types_.out); });
    }

    // Reduced elements that lie side by side in the staged input fill the array's rows together: the channels of a slice, then
    // the window's columns, then its rows. Where it depends on how the slot is laid out, the bound takes the best case.
    const Work &contract_work(int64_t c, int64_t x, int64_t y, int64_t ci) {
        return known('c', {c, x, y, ci}, [&] {
            const Role column = s_.depthwise ? Role::group : Role::column;
            const bool whole = s_.depthwise || t_.in == Staging::slice || t_.ci >= s_.in_c;
            const Role across = whole && s_.dilation_x == 1 ? Role::row : Role::tap;
            const Role down = across == Role::row && s_.span_x(t_.x) == s_.kernel_x && s_.dilation_y == 1 ? Role::row : Role::tap;
            if (s_.depthwise) {
                const OpDimension d[] = {{.extent = s_.kernel_x, .role = Role::row}, {.extent = s_.kernel_y, .role = Role::tap}, {.extent = c, .role = column}, {.extent = x}, {.extent = y}};
                return costs_.contract(d, types_.in, types_.weights);
            }
            const OpDimension d[] = {{.extent = s_.kernel_x, .role = across}, {.extent = s_.kernel_y, .role = down}, {.extent = ci, .role = Role::row}, {.extent = c, .role = column}, {.extent = x}, {.extent = y}};
            return costs_.contract(d, types_.in, types_.weights);
        });
    }

    const ContractionShape &s_;
    const ContractionTiles &t_;
    const Types &types_;
    UnitCosts costs_;
    Timeline timeline_;
    std::map<std::pair<char, std::array<int64_t, 5>>, Work> works_;
    std::map<std::pair<int64_t, int64_t>, uint64_t> once_in_, once_weights_;
    Ring strips_, parameters_, inputs_, slices_, accumulators_, outputs_;
    bool any_tile_ = false;
    uint64_t weights_ready_ = 0, parameters_ready_ = 0, last_contract_ = 0, last_drain_ = 0;
};

class ContractionBound : public BoundModel {
public:
    ContractionBound(const SpaceRequest &r, const ScheduleSpace &space, const TargetDesc &target)
        : space_(space), target_(target), shape_(ContractionShape::of(r)), parameters_(ContractionParameters::of(space)),
          types_{type_of(r.word("in_type", "int8")), type_of(r.word("weight_type", "int8")), type_of(r.word("out_type", "int8"))} {}

    Bound complete(const Point &point) const override {
        const Choices c(space_, point);
        const ContractionTiles t = parameters_.tiles(c, shape_);
        Walk walk(shape_, t, types_, target_);
        const Timeline line = walk.run();
        return {line.cycles(), line.energy(), scratchpad_bytes(shape_, t), line.total().ext_bytes};
    }

    Bound partial(const Point &point) const override {
        const Choices c(space_, point);
        const ContractionShape &s = shape_;
        const ContractionTiles t = parameters_.tiles(c, s);
        const auto closed = [&](int k) { return k >= 0 && !c.open(static_cast<size_t>(k)); };
        const auto count = [&](int k, int64_t extent, int64_t size) { return k < 0 ? turns(extent, size) : closed(k) ? turns(extent, size) : 1; };
        const int64_t nc = count(parameters_.c, s.out_c, t.c), nx = count(parameters_.x, s.out_x, t.x), ny = count(parameters_.y, s.out_y, t.y);
        // Bytes. An input that is not kept is read once per channel tile, with the halo that the closed tiles make.
        const bool in_known = parameters_.in < 0 || closed(parameters_.in), weights_known = parameters_.weights < 0 || closed(parameters_.weights);
        const bool reread = in_known && t.in != Staging::once && !s.depthwise;
        int64_t in = s.depthwise ? s.out_c : s.in_c * (reread ? nc : 1);
        in *= s.batch * s.in_bytes * inner(s.used_x(), nx, s.kernel_x, s.stride_x, s.pad_x) * inner(s.used_y(), ny, s.kernel_y, s.stride_y, s.pad_y);
        int64_t weights = s.weights_bytes();
        if (weights_known && t.weights == Staging::slice && !s.depthwise) weights *= s.channels_inside ? nx : nx * ny * s.batch;
        const int64_t parameters = s.parameter_arrays * 4 * s.out_c;
        const int64_t bytes = in + weights + parameters + s.output_bytes();
        const uint64_t ext = static_cast<uint64_t>(bytes) * 10 / std::max<uint32_t>(1, target_.ext.bytes_per_cycle_x10);
        // The array.
        const ArrayDesc &a = target_.array;
        uint64_t mx = peak_cycles();
        if (a.kind == "systolic" && !s.depthwise) {
            const int64_t rows = a.rows, columns = a.columns, slowdown = slowdown_of();
            const int64_t passes = turns(s.in_c * s.taps(), rows) * (closed(parameters_.c) ? column_passes(t.c) : turns(s.out_c, columns));
            mx = std::max<uint64_t>(mx, static_cast<uint64_t>(passes * s.batch * s.out_x * s.out_y * slowdown));
        }
        const uint64_t latency = target_.ext.latency;
        Bound b;
        b.cycles = std::max(ext + latency, mx + 2 * latency);
        b.ext_bytes = static_cast<uint64_t>(bytes);
        b.spm_bytes = point.size() >= (parameters_.c < 0 ? 0 : static_cast<size_t>(parameters_.c)) ? scratchpad_bytes(s, t) : 0;
        Activity activity;
        activity.ext_bytes = static_cast<uint64_t>(bytes);
        if (types_.in == ElementType::i8 || types_.in == ElementType::u8) activity.mac_i8 = static_cast<uint64_t>(s.macs());
        b.energy_pj = energy_pj(activity, target_.energy, b.cycles);
        return b;
    }

    Roofline roofline() const override {
        const ContractionShape &s = shape_;
        // Elements between two windows need not be read.
        const int64_t in = s.batch * s.in_c * std::min(s.used_x(), s.out_x * s.kernel_x) * std::min(s.used_y(), s.out_y * s.kernel_y) * s.in_bytes;
        const int64_t bytes = in + s.weights_bytes() + s.parameter_arrays * 4 * s.out_c + s.output_bytes();
        return {peak_cycles(), static_cast<uint64_t>(bytes) * 10 / std::max<uint32_t>(1, target_.ext.bytes_per_cycle_x10)};
    }

private:
    int64_t slowdown_of() const {
        const auto find = [&](ElementType t) {
            const auto it = target_.array.slowdown.find(t);
            return it == target_.array.slowdown.end() ? 1 : static_cast<int64_t>(it->second);
        };
        return std::max(find(types_.in), find(types_.weights));
    }

    /// All multiply-accumulates at the array's peak rate; a depthwise operator may use either mapping, so the faster peak counts.
    uint64_t peak_cycles() const {
        const ArrayDesc &a = target_.array;
        const uint64_t pixels = a.kind == "systolic" ? 1 : uint64_t{a.pixels_x} * a.pixels_y;
        const auto slots = static_cast<uint64_t>(shape_.macs() * slowdown_of());
        uint64_t rate = uint64_t{a.rows} * a.columns * pixels;
        if (shape_.depthwise) rate = std::max<uint64_t>(a.depthwise_macs, a.kind == "systolic" ? 1 : rate / std::max<uint32_t>(1, a.columns));
        return slots / std::max<uint64_t>(1, rate);
    }

    int64_t column_passes(int64_t tile) const {
        const int64_t columns = target_.array.columns;
        int64_t passes = 0;
        for (int64_t at = 0; at < shape_.out_c; at += tile) passes += turns(std::min(tile, shape_.out_c - at), columns);
        return passes;
    }

    /// Input positions read by n tiles along one axis, at least: neighbours share kernel - stride of them. Padding may hide some
    /// of the first and the last tile's; a window smaller than its stride reads less than the span.
    static int64_t inner(int64_t used, int64_t n, int64_t kernel, int64_t stride, int64_t pad) {
        const int64_t skipped = std::max<int64_t>(0, stride - kernel);
        return std::max<int64_t>(1, used - pad - skipped * n) + std::max<int64_t>(0, kernel - stride - pad) * (n - 1);
    }

    const ScheduleSpace &space_;
    const TargetDesc &target_;
    ContractionShape shape_;
    ContractionParameters parameters_;
    Types types_;
};

}  // namespace

std::unique_ptr<BoundModel> make_contraction_bound(const SpaceRequest &request, const ScheduleSpace &space, const TargetDesc &target) {
    return std::make_unique<ContractionBound>(request, space, target);
}

}  // namespace emulsion::explore
