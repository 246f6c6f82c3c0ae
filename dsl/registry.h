// The table of registered generators: what `emulsion list` and `emulsion describe` print.
#pragma once
#include <source_location>
#include <string>
#include <vector>

namespace emulsion {

struct GeneratorInfo {
    std::string name;  ///< Halide registry name
    std::string file;  ///< relative to the project's root
    int line = 0;
    std::string says;  ///< one sentence
};

/// All generators linked into this program, by name.
std::vector<GeneratorInfo> registered_generators();

/// Its constructor adds one row to the table. Objects of this type live at namespace scope (EMULSION_REGISTER_GENERATOR).
class RegisteredGenerator {
public:
    RegisteredGenerator(const char *name, const char *says, std::source_location at = std::source_location::current());
};

}  // namespace emulsion
