// Micro-ops without operands: constant, index, scalar.
#include "runtime/emulator/micro_ops/block.h"

#include <algorithm>

namespace emulsion::micro {
namespace {

template<ElementType E>
Lane<E> from_bits(int64_t bits) {
    using Stored = typename Element<E>::Stored;
    Stored s;
    std::memcpy(&s, &bits, sizeof s);  // little endian: the low bytes
    return Element<E>::from_stored(s);
}

template<ElementType E>
void broadcast_bits(int64_t bits, const Block &x, Lanes &out) { std::fill_n(out.as<Lane<E>>(), x.lanes(), from_bits<E>(bits)); }

template<ElementType E>
void constant_loop(const Block &x, Lanes &out) { broadcast_bits<E>(x.op.imm, x, out); }

template<ElementType E>
void scalar_loop(const Block &x, Lanes &out) { broadcast_bits<E>(x.points.d.registers[x.op.mode], x, out); }

void index_loop(const Block &x, Lanes &out) {
    int32_t *__restrict r = out.as<int32_t>();
    const auto first = static_cast<int32_t>(x.points.index[x.op.mode]);
    const int32_t step = x.op.mode == x.points.inner;
    for (int k = 0; k < x.lanes(); k++) r[k] = first + k * step;
}

}  // namespace

LaneFunction bind_constant(const MicroOp &op) {
    static constexpr LaneFunction loops[] = {
#define X(name, bytes, is_signed, is_float) constant_loop<ElementType::name>,
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(op.type)];
}

LaneFunction bind_scalar(const MicroOp &op) {
    static constexpr LaneFunction loops[] = {
#define X(name, bytes, is_signed, is_float) scalar_loop<ElementType::name>,
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return op.mode < register_count ? loops[static_cast<int>(op.type)] : nullptr;
}

LaneFunction bind_index(const MicroOp &op) { return op.type == ElementType::i32 && op.mode < max_rank ? index_loop : nullptr; }

}  // namespace emulsion::micro
