#include "runtime/emulator/insns/moves.h"

namespace emulsion {
namespace {

bool overlap(const Dispatched &d) {
    const ResolvedStream &dst = d.stream[0], &src = d.stream[1];
    if (dst.space != src.space || (dst.space == Space::ext && dst.region != src.region)) return false;
    const Reach to = reach_of(d, 0), from = reach_of(d, 1);
    return to.first < from.end && from.first < to.end;
}

/// One run along index 0: `count` elements, strides in bytes.
template<int bytes>
void move_run(uint8_t *dst, int64_t to_step, const uint8_t *src, int64_t from_step, int64_t count) {
    for (int64_t n = 0; n < count; n++) std::memmove(dst + n * to_step, src + n * from_step, bytes);
}

using MoveRun = void (*)(uint8_t *, int64_t, const uint8_t *, int64_t, int64_t);

MoveRun move_run_for(int bytes) {
    return bytes == 1 ? move_run<1> : bytes == 2 ? move_run<2> : bytes == 4 ? move_run<4> : move_run<8>;
}

}  // namespace

void move(const Dispatched &d, Memory &m) {
    require_operands(d, m, 2);
    const int bytes = info(d.stream[0].type).bytes;
    if (bytes != info(d.stream[1].type).bytes)
        raise(Diag::types_illegal, place_of(m.program(), d.pc), d.row->name,
              fmt::format("{} and {}", info(d.stream[0].type).name, info(d.stream[1].type).name));
    if (d.has_fill) return move_with_fill(d, m);
    const Window dst = m.window(d, 0, Touch::write), src = m.window(d, 1, Touch::read);
    const int64_t to_step = d.stream[0].stride[0], from_step = d.stream[1].stride[0], count = d.extent[0];
    const bool dense = to_step == bytes && from_step == bytes && !overlap(d);
    const MoveRun move_run = move_run_for(bytes);
    Dispatched runs = d;
    runs.extent[0] = 1;
    for_each_point(runs, [&](const auto &, const std::vector<int64_t> &at) {
        if (src.written) m.require_written(d, 1, at[1], from_step, count, bytes);
        if (dense) std::memcpy(dst.data + at[0], src.data + at[1], count * bytes);
        else move_run(dst.data + at[0], to_step, src.data + at[1], from_step, count);
        if (dst.written) mark_written(dst, at[0], to_step, count, bytes);
    });
}

}  // namespace emulsion
