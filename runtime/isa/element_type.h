// Element types of streams and lanes: name, bytes, kind. One row per type; every reader loops over the table.
#pragma once
#include <cstdint>
#include <string_view>

namespace emulsion {

// EMULSION_ELEMENT_TYPE(name, bytes, is_signed, is_float). Boolean lanes are u8 holding 0 or 1.
#define EMULSION_ELEMENT_TYPES(X) \
    X(i8, 1, true, false) X(u8, 1, false, false) X(i16, 2, true, false) X(u16, 2, false, false) \
    X(i32, 4, true, false) X(u32, 4, false, false) X(i64, 8, true, false) X(u64, 8, false, false) \
    X(f16, 2, true, true) X(bf16, 2, true, true) X(f32, 4, true, true)

enum class ElementType : uint8_t {
#define X(name, bytes, sgn, flt) name,
    EMULSION_ELEMENT_TYPES(X)
#undef X
};

struct ElementTypeInfo {
    std::string_view name;
    uint8_t bytes;
    bool is_signed;
    bool is_float;
};

inline constexpr ElementTypeInfo element_types[] = {
#define X(name, bytes, sgn, flt) {#name, bytes, sgn, flt},
    EMULSION_ELEMENT_TYPES(X)
#undef X
};

constexpr const ElementTypeInfo &info(ElementType t) { return element_types[static_cast<int>(t)]; }

}  // namespace emulsion
