// Lanes: the values of one micro-op over a block of points, in the C++ type that computes them.
#pragma once
#include "runtime/isa/element_type.h"
#include "runtime/isa/float16.h"

#include <cstddef>

namespace emulsion::micro {

/// Stored: the element in memory. Lane: what micro-ops compute with. round(): once per micro-op.
template<typename T>
struct PlainElement {
    using Stored = T;
    using Lane = T;
    static Lane from_stored(Stored v) { return v; }
    static Stored to_stored(Lane v) { return v; }
    static Lane round(Lane v) { return v; }
};

/// 16-bit floats compute in f32.
template<float widen(uint16_t), uint16_t narrow(float)>
struct HalfElement {
    using Stored = uint16_t;
    using Lane = float;
    static Lane from_stored(Stored v) { return widen(v); }
    static Stored to_stored(Lane v) { return narrow(v); }
    static Lane round(Lane v) { return widen(narrow(v)); }
};

template<ElementType> struct Element;
template<> struct Element<ElementType::i8> : PlainElement<int8_t> {};
template<> struct Element<ElementType::u8> : PlainElement<uint8_t> {};
template<> struct Element<ElementType::i16> : PlainElement<int16_t> {};
template<> struct Element<ElementType::u16> : PlainElement<uint16_t> {};
template<> struct Element<ElementType::i32> : PlainElement<int32_t> {};
template<> struct Element<ElementType::u32> : PlainElement<uint32_t> {};
template<> struct Element<ElementType::i64> : PlainElement<int64_t> {};
template<> struct Element<ElementType::u64> : PlainElement<uint64_t> {};
template<> struct Element<ElementType::f16> : HalfElement<f16_to_f32, f32_to_f16> {};
template<> struct Element<ElementType::bf16> : HalfElement<bf16_to_f32, f32_to_bf16> {};
template<> struct Element<ElementType::f32> : PlainElement<float> {};

template<ElementType E> using Lane = typename Element<E>::Lane;

inline constexpr int block_lanes = 512;

/// Room for a block of the widest type, and one line more: equal lanes of different values must not share a cache set.
struct alignas(64) Lanes {
    std::byte bytes[block_lanes * 8 + 64];

    template<typename T> T *as() { return reinterpret_cast<T *>(bytes); }
    template<typename T> const T *as() const { return reinterpret_cast<const T *>(bytes); }
};

}  // namespace emulsion::micro
