// Reader of litert_cases.txt: one node with its inputs and the output that LiteRT's reference kernel computed.
#pragma once
#include "graph/ir/graph.h"

#include <string>
#include <vector>

namespace emulsion::graph {

struct OperatorCase {
    std::string name;
    Graph graph;                                ///< one node; Graph::inputs in the order of the node's
    std::vector<std::vector<uint8_t>> inputs;
    std::vector<int64_t> out_extents;
    std::vector<uint8_t> expected;
};

/// Every case of the file, or nothing where it cannot be read.
std::vector<OperatorCase> read_cases(const std::string &path);

}  // namespace emulsion::graph
