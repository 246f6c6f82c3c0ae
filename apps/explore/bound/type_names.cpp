#include "apps/explore/bound/type_names.h"

namespace emulsion::explore {

ElementType type_of(const std::string &halide_name) {
    constexpr std::pair<const char *, const char *> prefixes[] = {{"bfloat", "bf"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}};
    for (const auto &[longer, shorter] : prefixes) {
        if (!halide_name.starts_with(longer)) continue;
        const std::string name = shorter + halide_name.substr(std::string(longer).size());
        for (size_t k = 0; k < std::size(element_types); k++)
            if (element_types[k].name == name) return static_cast<ElementType>(k);
    }
    return ElementType::i8;
}

}  // namespace emulsion::explore
