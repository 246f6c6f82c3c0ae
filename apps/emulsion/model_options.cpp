#include "apps/emulsion/model_options.h"

#include "apps/emulsion/request.h"
#include "graph/model/load_graph.h"
#include "runtime/diag/diag.h"

#include <charconv>
#include <fmt/format.h>

namespace emulsion::command {

void ModelWords::add_to(CLI::App &app) {
    add_repeated(app, "--symbol", symbols, "models: NAME=EXTENT, the number of a symbolic dimension");
    app.add_flag("--no-fuse", no_fuse, "models: every node a kernel of its own");
    app.add_flag("--no-prefetch", no_prefetch, "models: load weights only when their kernel starts");
    add_repeated(app, "--without-pass", without, "models: leave out a graph pass");
}

graph::ModelOptions ModelWords::options() const {
    graph::ModelOptions o;
    o.fuse = !no_fuse;
    o.prefetch = !no_prefetch;
    o.without_passes = without;
    o.observe = observe;
    for (const std::string &word : symbols) {
        const auto [name, text] = split_assignment(word);
        int64_t extent = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
        if (error != std::errc() || end != text.data() + text.size() || extent < 1)
            raise(Diag::command_line, {}, fmt::format("--symbol {}: \"{}\" is not a positive number", name, text));
        o.symbols[name] = extent;
    }
    return o;
}

graph::Graph read_model(const std::string &path, const std::map<std::string, int64_t> &symbols) { return graph::load_graph(read_file(path), path, symbols); }

}  // namespace emulsion::command
