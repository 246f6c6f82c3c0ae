// Micro-ops between two types: convert, saturate, reinterpret, widening_mul; and requantize.
#include "runtime/emulator/micro_ops/block.h"

#include "runtime/isa/requantize.h"

#include <cstring>
#include <limits>

namespace emulsion::micro {
namespace {

template<typename To>
To truncated_within(float v, float lo, float end) {
    return v >= lo && v < end ? static_cast<To>(v) : std::numeric_limits<To>::min();
}

/// Truncates toward zero and wraps; what does not fit the host's conversion gives its indefinite value, as on x86.
template<std::integral To>
To truncated(float v) {
    if constexpr (sizeof(To) < 4 || std::same_as<To, int32_t>) return static_cast<To>(truncated_within<int32_t>(v, -0x1p31f, 0x1p31f));
    else if constexpr (std::same_as<To, uint64_t>) return v >= 0x1p63f && v < 0x1p64f ? static_cast<To>(v) : static_cast<To>(truncated_within<int64_t>(v, -0x1p63f, 0x1p63f));
    else return static_cast<To>(truncated_within<int64_t>(v, -0x1p63f, 0x1p63f));
}

struct Convert {
    template<ElementType To, ElementType From>
    static Lane<To> apply(Lane<From> v) {
        if constexpr (std::floating_point<Lane<From>> && std::integral<Lane<To>>) return truncated<Lane<To>>(v);
        else return Element<To>::round(static_cast<Lane<To>>(v));
    }
};

struct Saturate {
    template<ElementType To, ElementType From>
    static Lane<To> apply(Lane<From> v) {
        using T = Lane<To>;
        if constexpr (std::floating_point<T>) return Element<To>::round(static_cast<T>(v));
        else {
            constexpr T lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
            if constexpr (std::floating_point<Lane<From>>) return v >= static_cast<float>(hi) ? hi : v > static_cast<float>(lo) ? static_cast<T>(v) : lo;
            else return std::cmp_less(v, lo) ? lo : std::cmp_greater(v, hi) ? hi : static_cast<T>(v);
        }
    }
};

template<typename Op>
struct PairLoop {
    template<ElementType To, ElementType From>
    static void loop(const Block &x, Lanes &out) {
        const Lane<From> *a = x.a<Lane<From>>();
        Lane<To> *__restrict r = out.as<Lane<To>>();
        for (int k = 0; k < x.lanes(); k++) r[k] = Op::template apply<To, From>(a[k]);
    }
    template<ElementType To, ElementType From>
    static constexpr LaneFunction get() { return loop<To, From>; }
};

struct ReinterpretLoop {
    template<ElementType To, ElementType From>
    static void loop(const Block &x, Lanes &out) {
        const Lane<From> *a = x.a<Lane<From>>();
        Lane<To> *__restrict r = out.as<Lane<To>>();
        for (int k = 0; k < x.lanes(); k++)
            r[k] = Element<To>::from_stored(std::bit_cast<typename Element<To>::Stored>(Element<From>::to_stored(a[k])));
    }
    template<ElementType To, ElementType From>
    static constexpr LaneFunction get() {
        if constexpr (sizeof(typename Element<To>::Stored) == sizeof(typename Element<From>::Stored)) return loop<To, From>;
        else return nullptr;
    }
};

struct WideningMulLoop {
    template<ElementType To, ElementType From>
    static void loop(const Block &x, Lanes &out) {
        using T = Lane<To>;
        const Lane<From> *a = x.a<Lane<From>>(), *b = x.b<Lane<From>>();
        T *__restrict r = out.as<T>();
        for (int k = 0; k < x.lanes(); k++) {
            if constexpr (std::integral<T>) r[k] = static_cast<T>(uint64_t(a[k]) * uint64_t(b[k]));
            else r[k] = Element<To>::round(a[k] * b[k]);
        }
    }
    template<ElementType To, ElementType From>
    static constexpr LaneFunction get() {
        if constexpr (std::integral<Lane<To>> == std::integral<Lane<From>>) return loop<To, From>;
        else return nullptr;
    }
};

template<typename Loop, ElementType To>
LaneFunction by_from(ElementType from) {
    static constexpr LaneFunction loops[] = {
#define X(name, bytes, is_signed, is_float) Loop::template get<To, ElementType::name>(),
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(from)];
}

template<typename Loop>
LaneFunction by_types(const MicroOp &op) {
    static constexpr LaneFunction (*rows[])(ElementType) = {
#define X(name, bytes, is_signed, is_float) by_from<Loop, ElementType::name>,
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return rows[static_cast<int>(op.type)](op.from);
}

void requantize_loop(const Block &x, Lanes &out) {
    const int32_t *a = x.a<int32_t>(), *b = x.b<int32_t>(), *c = x.c<int32_t>();
    int32_t *__restrict r = out.as<int32_t>();
    const auto mode = static_cast<Rounding>(x.op.mode);
    for (int k = 0; k < x.lanes(); k++) r[k] = requantize(mode, a[k], b[k], c[k]);
}

void requantize_f32_loop(const Block &x, Lanes &out) {
    const int32_t *a = x.a<int32_t>();
    const float *b = x.b<float>();
    int32_t *__restrict r = out.as<int32_t>();
    for (int k = 0; k < x.lanes(); k++) r[k] = requantize_f32(a[k], b[k]);
}

}  // namespace

LaneFunction bind_convert(const MicroOp &op) { return by_types<PairLoop<Convert>>(op); }
LaneFunction bind_saturate(const MicroOp &op) { return by_types<PairLoop<Saturate>>(op); }
LaneFunction bind_reinterpret(const MicroOp &op) { return by_types<ReinterpretLoop>(op); }
LaneFunction bind_widening_mul(const MicroOp &op) { return by_types<WideningMulLoop>(op); }

LaneFunction bind_requantize(const MicroOp &op) {
    if (op.type != ElementType::i32 || op.mode > static_cast<uint8_t>(Rounding::rne_f32)) return nullptr;
    return op.mode == static_cast<uint8_t>(Rounding::rne_f32) ? requantize_f32_loop : requantize_loop;
}

}  // namespace emulsion::micro
