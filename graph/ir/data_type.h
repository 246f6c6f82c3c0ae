// Element types of graph values: the machine's types, and those that models use for shapes, masks and packed weights.
#pragma once
#include "runtime/isa/element_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace emulsion::graph {

// X(name, bits, is_signed, is_float, machine's element type or none). Booleans are one byte, 0 or 1. i4, u4: two per byte,
// the element with the even index in the low half.
#define EMULSION_DATA_TYPES(X)                                                                                         \
    X(boolean, 8, false, false, ElementType::u8) X(i4, 4, true, false, {}) X(u4, 4, false, false, {})                  \
    X(i8, 8, true, false, ElementType::i8) X(u8, 8, false, false, ElementType::u8) X(i16, 16, true, false, ElementType::i16) \
    X(u16, 16, false, false, ElementType::u16) X(i32, 32, true, false, ElementType::i32) X(u32, 32, false, false, ElementType::u32) \
    X(i64, 64, true, false, ElementType::i64) X(u64, 64, false, false, ElementType::u64) X(f16, 16, true, true, ElementType::f16) \
    X(bf16, 16, true, true, ElementType::bf16) X(f32, 32, true, true, ElementType::f32) X(f64, 64, true, true, {})

enum class DataType : uint8_t {
#define X(name, bits, sgn, flt, element) name,
    EMULSION_DATA_TYPES(X)
#undef X
};

struct DataTypeInfo {
    std::string_view name;
    uint8_t bits;
    bool is_signed, is_float;
    std::optional<ElementType> element;
};

inline constexpr DataTypeInfo data_types[] = {
#define X(name, bits, sgn, flt, element) {#name, bits, sgn, flt, element},
    EMULSION_DATA_TYPES(X)
#undef X
};

constexpr const DataTypeInfo &info(DataType t) { return data_types[static_cast<int>(t)]; }

/// Bytes that `elements` values take; packed types round up.
constexpr int64_t bytes_of(DataType t, int64_t elements) { return (elements * info(t).bits + 7) / 8; }

/// Quantised storage: integers of up to 16 bits.
constexpr bool is_integer(DataType t) { return !info(t).is_float && t != DataType::boolean; }

}  // namespace emulsion::graph
