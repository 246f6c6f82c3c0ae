#include "graph/import/onnx/order.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <queue>

namespace emulsion::graph::onnx_import {
namespace {

std::string label(const format::NodeProto &n) { return n.output_size() > 0 && !n.output(0).empty() ? n.output(0) : n.name(); }

/// Nesting is bounded by the parser, which refuses more than a hundred levels.
void add_names(const format::NodeProto &node, std::vector<std::string> &names) {
    names.insert(names.end(), node.input().begin(), node.input().end());
    for (const auto &a : node.attribute())
        if (a.has_g()) {
            for (const auto &n : a.g().node()) add_names(n, names);
            for (const auto &o : a.g().output()) names.push_back(o.name());
        }
}

}  // namespace

std::vector<std::string> names_read(const format::NodeProto &node) {
    std::vector<std::string> names;
    add_names(node, names);
    return names;
}

std::vector<int> import_order(const Nodes &nodes) {
    std::map<std::string, int> writer;
    for (int k = 0; k < nodes.size(); k++)
        for (const std::string &name : nodes[k].output())
            if (!name.empty() && !writer.emplace(name, k).second) broken(fmt::format("\"{}\" is written twice", name), label(nodes[k]));
    std::vector<int> missing(static_cast<size_t>(nodes.size()), 0);
    std::vector<std::vector<int>> feeds(static_cast<size_t>(nodes.size()));
    for (int k = 0; k < nodes.size(); k++)
        for (const std::string &name : names_read(nodes[k]))
            if (const auto w = writer.find(name); w != writer.end()) {
                missing[k]++;
                feeds[w->second].push_back(k);
            }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int k = 0; k < nodes.size(); k++)
        if (missing[k] == 0) ready.push(k);
    std::vector<int> order;
    while (!ready.empty()) {
        const int k = ready.top();
        ready.pop();
        order.push_back(k);
        for (int f : feeds[k])
            if (--missing[f] == 0) ready.push(f);
    }
    if (std::ssize(order) != nodes.size()) {
        const auto stuck = std::find_if(missing.begin(), missing.end(), [](int m) { return m > 0; }) - missing.begin();
        raise(Diag::graph_cycle, {.stage = "onnx", .node = label(nodes[static_cast<int>(stuck)])}, label(nodes[static_cast<int>(stuck)]));
    }
    return order;
}

}  // namespace emulsion::graph::onnx_import
