#include "runtime/emulator/insns/micro_program.h"

#include "runtime/emulator/micro_ops/blocking.h"
#include "runtime/emulator/micro_ops/table.h"

#include <algorithm>

namespace emulsion {
namespace {

using namespace micro;

/// Constants and scalars have the same value at every point.
bool is_uniform(const MicroOp &op) { return op.op == MicroOpcode::constant || op.op == MicroOpcode::scalar; }

std::vector<Window> windows_of(const Dispatched &d, Memory &m, const std::vector<StreamUse> &uses) {
    std::vector<Window> windows(uses.size());
    for (size_t k = 0; k < uses.size(); k++) {
        const StreamUse &u = uses[k];
        const Touch touch = u.stores ? Touch::write : Touch::read;
        if (u.fixed) windows[k] = m.window(d, k, touch, u.low, u.high);
        if (u.indexed) windows[k] = m.window(d, k, touch, 0, 0, true);
    }
    return windows;
}

/// Lanes of every value, kept between instructions: no instruction reads a lane it has not computed.
Lanes *lanes_for(size_t values) {
    thread_local std::vector<Lanes> lanes;
    if (lanes.size() < values) lanes.resize(values);
    return lanes.data();
}

/// Computes one block of points: the micro-ops that differ from point to point.
class Blocks {
public:
    Blocks(const Dispatched &d, const std::vector<LaneFunction> &functions, Points &points)
        : micro_(*d.micro), functions_(functions), points_(points), values_(lanes_for(functions.size())) {
        for (size_t k = 0; k < functions.size(); k++) {
            if (is_uniform(micro_[k])) compute(k);
            else varying_.push_back(k);
        }
    }
    void run() {
        for (size_t k : varying_) compute(k);
    }

private:
    void compute(size_t k) { functions_[k]({micro_[k], points_, values_}, values_[k]); }

    const MicroProgram &micro_;
    const std::vector<LaneFunction> &functions_;
    Points &points_;
    Lanes *values_;
    std::vector<size_t> varying_;
};

}  // namespace

void execute_micro_program(const Dispatched &d, Memory &m) {
    const std::vector<LaneFunction> functions = bind_program(d, m.program());
    const std::vector<StreamUse> uses = uses_of(d);
    const std::vector<Window> windows = windows_of(d, m, uses);
    const Blocking blocking = blocking_of(d, uses);
    const int inner = blocking.inner;
    Points points{.d = d, .memory = m, .windows = windows, .inner = inner, .lanes = blocking.lanes};
    Blocks blocks(d, functions, points);
    Dispatched outer = d;
    if (blocking.lanes > 1) outer.extent[inner] = 1;
    for_each_point(outer, [&](const auto &index, const std::vector<int64_t> &offset) {
        points.index = index;
        points.offset = offset;
        for (int64_t left = blocking.lanes > 1 ? d.extent[inner] : 1; left > 0; left -= points.lanes) {
            points.lanes = static_cast<int>(std::min<int64_t>(left, blocking.lanes));
            blocks.run();
            points.index[inner] += points.lanes;
            for (size_t k = 0; k < d.stream.size(); k++) points.offset[k] += points.lanes * d.stream[k].stride[inner];
        }
    });
}

}  // namespace emulsion
