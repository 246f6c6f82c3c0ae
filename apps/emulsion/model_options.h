// What the verbs that take models have in common.
#pragma once
#include "graph/model/compile_model.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace emulsion::command {

struct ModelWords {
    std::string target{};  ///< preset or file; empty: not given
    std::vector<std::string> symbols, without;
    bool no_fuse = false, no_prefetch = false;
    std::function<void(const std::string &pass, const graph::Graph &)> observe{};  ///< of ModelOptions

    /// Adds --symbol, --no-fuse, --no-prefetch and --without-pass.
    void add_to(CLI::App &app);
    /// Raises EM604 for a symbol that is not NAME=EXTENT.
    graph::ModelOptions options() const;
};

/// Reads a model file. `symbols`: extents of symbolic dimensions. Raises EM603, EM7xx.
graph::Graph read_model(const std::string &path, const std::map<std::string, int64_t> &symbols = {});

}  // namespace emulsion::command
