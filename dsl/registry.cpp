#include "dsl/registry.h"

#include "dsl/place.h"

#include <map>

namespace emulsion {

namespace {

/// A function's static: registration runs before main, in no known order of files.
std::map<std::string, GeneratorInfo> &table() {
    static std::map<std::string, GeneratorInfo> rows;
    return rows;
}

}  // namespace

std::vector<GeneratorInfo> registered_generators() {
    std::vector<GeneratorInfo> rows;
    for (const auto &[name, row] : table()) rows.push_back(row);
    return rows;
}

RegisteredGenerator::RegisteredGenerator(const char *name, const char *says, std::source_location at) {
    table()[name] = {name, source_file(at), static_cast<int>(at.line()), says};
}

}  // namespace emulsion
