// Micro-ops that touch memory: load, store. Fixed displacements were checked at the corners of the domain; data-indexed
// addresses are checked here, against the window of their stream, which moves with the point.
#include "runtime/emulator/micro_ops/block.h"

namespace emulsion::micro {
namespace {

/// Where one access goes: lane k at first + k * step.
struct Access {
    const ResolvedStream &stream;
    const Window &window;
    int64_t first, step;
};

Access access_of(const Block &x) {
    const ResolvedStream &s = x.points.d.stream[x.op.stream];
    return {s, x.points.windows[x.op.stream], x.points.offset[x.op.stream] + x.op.imm, s.stride[x.points.inner]};
}

/// The address of one lane whose fixed address is `at`; it stays in the window around the point's own address.
int64_t indexed(const Block &x, const Access &m, int64_t at, int32_t index, int bytes) {
    const int64_t address = at + index, point = at - x.op.imm, lo = point + m.stream.window_lo, hi = point + m.stream.window_hi;
    if (address < lo || address + bytes > hi) x.points.memory.fail_range(x.points.d, x.op.stream, address, address + bytes, lo, hi);
    return address;
}

template<ElementType E>
void load_loop(const Block &x, Lanes &out) {
    using Stored = typename Element<E>::Stored;
    const Access m = access_of(x);
    Lane<E> *__restrict r = out.as<Lane<E>>();
    const uint8_t *from = m.window.data + m.first;
    const auto element = [&](int64_t at) {
        Stored v;
        std::memcpy(&v, from + at, sizeof v);
        return Element<E>::from_stored(v);
    };
    if (m.window.written) x.points.memory.require_written(x.points.d, x.op.stream, m.first, m.step, x.lanes(), sizeof(Stored));
    if (m.step == sizeof(Stored))  // a constant step vectorises
        for (int k = 0; k < x.lanes(); k++) r[k] = element(k * static_cast<int64_t>(sizeof(Stored)));
    else
        for (int k = 0; k < x.lanes(); k++) r[k] = element(k * m.step);
}

template<ElementType E>
void gather_loop(const Block &x, Lanes &out) {
    using Stored = typename Element<E>::Stored;
    const Access m = access_of(x);
    const int32_t *index = x.a<int32_t>();
    Lane<E> *__restrict r = out.as<Lane<E>>();
    for (int k = 0; k < x.lanes(); k++) {
        const int64_t at = indexed(x, m, m.first + k * m.step, index[k], sizeof(Stored));
        if (m.window.written) x.points.memory.require_written(x.points.d, x.op.stream, at, 0, 1, sizeof(Stored));
        r[k] = Element<E>::from_stored(read<Stored>(m.window, at));
    }
}

template<ElementType E>
void store_loop(const Block &x, Lanes &) {
    using Stored = typename Element<E>::Stored;
    const Access m = access_of(x);
    const Lane<E> *__restrict a = x.a<Lane<E>>();
    uint8_t *to = m.window.data + m.first;
    const auto put = [&](int64_t at, Lane<E> lane) {
        const Stored v = Element<E>::to_stored(lane);
        std::memcpy(to + at, &v, sizeof v);
    };
    if (m.window.written) mark_written(m.window, m.first, m.step, x.lanes(), sizeof(Stored));
    if (m.step == sizeof(Stored))
        for (int k = 0; k < x.lanes(); k++) put(k * static_cast<int64_t>(sizeof(Stored)), a[k]);
    else
        for (int k = 0; k < x.lanes(); k++) put(k * m.step, a[k]);
}

template<ElementType E>
void scatter_loop(const Block &x, Lanes &) {
    using Stored = typename Element<E>::Stored;
    const Access m = access_of(x);
    const Lane<E> *a = x.a<Lane<E>>();
    for (int k = 0; k < x.lanes(); k++) {
        if (x.op.c != no_value && !x.c<uint8_t>()[k]) continue;
        int64_t at = m.first + k * m.step;
        if (x.op.b != no_value) at = indexed(x, m, at, x.b<int32_t>()[k], sizeof(Stored));
        write<Stored>(m.window, at, Element<E>::to_stored(a[k]));
    }
}

}  // namespace

LaneFunction bind_load(const MicroOp &op) {
    static constexpr LaneFunction loops[][2] = {
#define X(name, bytes, is_signed, is_float) {load_loop<ElementType::name>, gather_loop<ElementType::name>},
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(op.type)][op.a != no_value];
}

LaneFunction bind_store(const MicroOp &op) {
    static constexpr LaneFunction loops[][2] = {
#define X(name, bytes, is_signed, is_float) {store_loop<ElementType::name>, scatter_loop<ElementType::name>},
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(op.type)][op.b != no_value || op.c != no_value];
}

}  // namespace emulsion::micro
