// The backend's one entry: a registered generator in, a verified Program out.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

struct CompileRequest {
    std::string generator;                      ///< registry name
    std::map<std::string, std::string> params;  ///< generator parameters, as on GenGen's command line
    /// Extents per input or output name, innermost first; mins are 0, strides dense. A buffer that is absent keeps
    /// symbolic extents, which become kernel arguments.
    std::map<std::string, std::vector<int>> shapes;
    std::string function_name;                  ///< defaults to the generator's name
};

struct CompileOptions {
    bool verify = true;
    /// Called after each pass with its name and the printed IR ("stmt", "tile", "plan", "asm" are stage names too).
    std::function<void(const std::string &pass, const std::string &text)> dump;
};

struct PassTime { std::string pass; double milliseconds; };

struct Compiled {
    Program program;
    std::vector<PassTime> times;
};

/// Raises EM2xx..EM4xx diagnostics for everything a schedule can get wrong.
Compiled compile(const CompileRequest &request, const TargetDesc &target, const CompileOptions &options = {});

}  // namespace emulsion
