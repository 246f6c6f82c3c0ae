// Names of the enumerations of a Program, as the text form spells them. An enumeration's values are 0 .. size - 1.
#pragma once
#include "runtime/isa/element_type.h"
#include "runtime/isa/stream.h"
#include "runtime/program/program.h"

#include <array>
#include <iterator>
#include <string_view>

namespace emulsion {

template<typename E>
inline constexpr std::array<std::string_view, 0> enum_names{};

template<>
inline constexpr auto enum_names<Space> = std::to_array<std::string_view>({"ext", "spm", "acc", "lut"});
template<>
inline constexpr auto enum_names<Role> = std::to_array<std::string_view>({"streamed", "column", "row", "tap", "group", "reduce", "serial"});
template<>
inline constexpr auto enum_names<FillMode> =
    std::to_array<std::string_view>({"constant", "repeat_edge", "repeat_image", "mirror_image", "mirror_interior"});
template<>
inline constexpr auto enum_names<RegionKind> = std::to_array<std::string_view>({"input", "output", "constants", "arena"});
template<>
inline constexpr auto enum_names<ArgumentKind> =
    std::to_array<std::string_view>({"buffer_min", "buffer_extent", "buffer_stride", "scalar"});
template<>
inline constexpr auto enum_names<ElementType> = [] {
    std::array<std::string_view, std::size(element_types)> names{};
    for (size_t i = 0; i < names.size(); i++) names[i] = element_types[i].name;
    return names;
}();

/// Whether `value` is one of the enumerators.
template<typename E>
constexpr bool is_enumerator(E value) {
    return static_cast<size_t>(value) < enum_names<E>.size();
}

}  // namespace emulsion
