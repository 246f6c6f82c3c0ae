// One node by itself: inputs as numbers, run on the host and on the NPU, which must agree in every bit.
#pragma once
#include "graph/ir/graph.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace emulsion::graph {

/// Elements as numbers, row major; extents outermost first.
struct Numbers {
    DataType type = DataType::i8;
    std::vector<int64_t> extents;
    std::vector<double> elements{};
    Quantization quantization{};
    bool constant = false;

    double &at(const std::vector<int64_t> &index);
    double at(const std::vector<int64_t> &index) const { return const_cast<Numbers *>(this)->at(index); }
};

using Attributes = std::map<std::string, Attribute>;

/// Every index of a box, in row-major order.
void for_each(const std::vector<int64_t> &extents, const std::function<void(const std::vector<int64_t> &)> &f);

/// Elements of a box by a function of their index.
Numbers made(DataType type, std::vector<int64_t> extents, const std::function<double(const std::vector<int64_t> &)> &f);
/// Whole numbers in [low, high].
Numbers random_numbers(std::mt19937 &random, DataType type, std::vector<int64_t> extents, int low = -100, int high = 100);
int64_t pick(std::mt19937 &random, int64_t low, int64_t high);

/// What one node looks like before it runs: shapes and types of the outputs after inference.
struct NodeGraph {
    Graph graph;
    std::vector<std::vector<uint8_t>> inputs;
};

/// Infers shapes. `outputs`: types (and quantisation) that inference cannot know; shapes are not read.
NodeGraph node_graph(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &outputs);

/// Runs the node on host and NPU and compares with `expected`: types, shapes, elements.
void expect_node(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &expected);

/// The code of the diagnostic that inference (or, when that passes, lowering) raises; "" for none.
std::string code_of_node(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &outputs);

}  // namespace emulsion::graph
