#include "apps/emulsion/parameters.h"

#include "apps/emulsion/request.h"
#include "dsl/halide.h"

#include <filesystem>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace emulsion::command {

namespace {

/// Halide lists a generator's parameters in one place only: the stub header it writes for other generators.
std::string stub_text(const std::string &generator) {
    const Halide::GeneratorContext context(Halide::Target("x86-64-linux"));
    const auto instance = Halide::Internal::GeneratorRegistry::create(generator, context);
    const auto path = std::filesystem::temp_directory_path() / ("emulsion-" + std::to_string(getpid()) + ".stub.h");
    instance->emit_cpp_stub(path);
    const std::vector<uint8_t> bytes = read_file(path);
    std::filesystem::remove(path);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<GeneratorParameter> generator_parameters(const std::string &generator) {
    std::istringstream stub(stub_text(generator));
    const std::regex member(R"(^ +(\S.*\S) (\w+)\{ (.*) \};$)");
    std::vector<GeneratorParameter> parameters;
    bool inside = false;
    for (std::string line; std::getline(stub, line);) {
        inside |= line.find("struct GeneratorParams") != std::string::npos;
        std::smatch m;
        if (inside && line.find("};") == line.find_first_not_of(' ')) break;
        if (inside && std::regex_match(line, m, member) && m[2] != "machine") parameters.push_back({m[2], m[1], m[3]});
    }
    return parameters;
}

}  // namespace emulsion::command
