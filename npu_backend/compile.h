// The backend's one entry: a registered generator in, a verified Program out.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

/// One generator of a stitched group (dsl/stitch.h).
struct GroupPart {
    std::string generator;
    std::map<std::string, std::string> params;
    std::string input;    ///< the argument that takes the result of the part before; empty: the first part
    bool anchor = false;  ///< one part of a group: those before it are producers, those after it epilogues
    bool operator==(const GroupPart &) const = default;
};

struct CompileRequest {
    std::string generator;                      ///< registry name; with parts: the group's name
    std::map<std::string, std::string> params = {};  ///< generator parameters, as on GenGen's command line
    /// Extents per input or output name, innermost first; mins are 0, strides dense. A buffer that is absent keeps
    /// symbolic extents, which become kernel arguments.
    std::map<std::string, std::vector<int>> shapes = {};
    /// Scalar inputs whose value is known now; the others become kernel arguments. Floats as their bits.
    std::map<std::string, int64_t> scalars = {};
    /// Not empty: a stitched group. Buffers and scalars of part k are called "p<k>_<name>"; its one output, "out", is the
    /// last part's. The input that a part is fed has a shape too.
    std::vector<GroupPart> parts = {};
    std::string function_name = {};                 ///< defaults to the generator's name
    /// Elements between neighbours, innermost first, of buffers in `shapes` that are not dense: a part of a larger tensor, every
    /// n-th element, backwards (negative), repeated (0, inputs only). The region's base is the element at index 0.
    std::map<std::string, std::vector<int>> strides = {};
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
