// A micro-op at work: which points a block covers, and the loops over its lanes that all arithmetic micro-ops share.
#pragma once
#include "runtime/emulator/memory.h"
#include "runtime/emulator/micro_ops/lanes.h"

#include <concepts>
#include <type_traits>
#include <utility>

namespace emulsion::micro {

/// `lanes` points along dimension `inner`, starting at `index`.
struct Points {
    const Dispatched &d;
    const Memory &memory;
    const std::vector<Window> &windows;  ///< per stream
    int inner = 0;
    int lanes = 1;
    std::array<int64_t, max_rank> index{};
    std::vector<int64_t> offset{};       ///< per stream, of the first point
};

struct Block {
    const MicroOp &op;
    const Points &points;
    Lanes *values;  ///< by micro-op

    int lanes() const { return points.lanes; }
    template<typename T> const T *a() const { return values[op.a].as<T>(); }
    template<typename T> const T *b() const { return values[op.b].as<T>(); }
    template<typename T> const T *c() const { return values[op.c].as<T>(); }
};

/// Computes lanes [0, lanes) of `out`.
using LaneFunction = void (*)(const Block &, Lanes &out);

/// The function for an operation on its types; null: there is none. One per row of micro_ops.def: bind_<name>.
using Bind = LaneFunction (*)(const MicroOp &);

template<ElementType E, typename R>
R rounded(R v) {
    if constexpr (std::floating_point<R>) return Element<E>::round(v);
    else return v;
}

/// out = Op(a)
template<typename Op, ElementType E>
void unary_loop(const Block &x, Lanes &out) {
    using T = Lane<E>;
    using R = decltype(Op{}(T{}));
    const T *a = x.a<T>();
    R *__restrict r = out.as<R>();
    for (int k = 0; k < x.lanes(); k++) r[k] = rounded<E>(Op{}(a[k]));
}

/// out = Op(a, b)
template<typename Op, ElementType E>
void binary_loop(const Block &x, Lanes &out) {
    using T = Lane<E>;
    using R = decltype(Op{}(T{}, T{}));
    const T *a = x.a<T>(), *b = x.b<T>();
    R *__restrict r = out.as<R>();
    for (int k = 0; k < x.lanes(); k++) r[k] = rounded<E>(Op{}(a[k], b[k]));
}

template<typename Op, ElementType E>
constexpr LaneFunction loop_for() {
    using T = Lane<E>;
    if constexpr (std::invocable<Op, T>) return unary_loop<Op, E>;
    else if constexpr (std::invocable<Op, T, T>) return binary_loop<Op, E>;
    else return nullptr;
}

/// The loop of `Op` for `type`: Op's overloads say which types it takes.
template<typename Op>
LaneFunction by_type(ElementType type) {
    static constexpr LaneFunction loops[] = {
#define X(name, bytes, is_signed, is_float) loop_for<Op, ElementType::name>(),
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(type)];
}

#define EMULSION_BIND_BY_TYPE(name, Op) \
    LaneFunction bind_##name(const MicroOp &op) { return by_type<Op>(op.type); }

template<std::integral T> using Unsigned = std::make_unsigned_t<T>;

/// Holds sums and products of two T exactly.
template<std::integral T>
using Wide = std::conditional_t<sizeof(T) <= 2, int32_t, std::conditional_t<sizeof(T) == 4, int64_t, __int128>>;
/// The same for full-range unsigned products.
template<std::integral T>
using WideProduct = std::conditional_t<std::is_signed_v<T>, Wide<T>, std::conditional_t<sizeof(T) <= 2, uint32_t, std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>>>;

template<std::integral T>
T clamped(Wide<T> v) {
    constexpr Wide<T> lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
    return static_cast<T>(v < lo ? lo : v > hi ? hi : v);
}

}  // namespace emulsion::micro
