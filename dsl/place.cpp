#include "dsl/place.h"

#include <string_view>

namespace emulsion {

namespace {

/// This file's own name minus its place in the tree: how the compiler was told the root, "" for relative names.
std::string_view project_root() {
    constexpr std::string_view self = __FILE__;
    constexpr std::string_view place = "dsl/place.cpp";
    return self.ends_with(place) ? self.substr(0, self.size() - place.size()) : std::string_view{};
}

}  // namespace

std::string source_file(const std::source_location &at) {
    std::string_view file = at.file_name();
    if (const std::string_view root = project_root(); file.starts_with(root)) file.remove_prefix(root.size());
    return std::string(file);
}

}  // namespace emulsion
