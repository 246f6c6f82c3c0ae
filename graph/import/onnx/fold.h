// Computes nodes whose inputs are all constants. Only what models compute shapes, masks and weights with: an operator that is not here
// stays a node.
#pragma once
#include "graph/ir/graph.h"

#include <memory>
#include <optional>
#include <vector>

namespace emulsion::graph::onnx_import {

using Bytes = std::vector<uint8_t>;

/// The bytes of every output, whose types and static shapes are set; nothing when the node is not computed here.
/// Integers wrap as their type does; float32 and shorter floats are computed in float32, each operation rounded.
std::optional<std::vector<std::shared_ptr<const Bytes>>> fold(const Graph &graph, const Node &node);

// fold_elements.cpp: one result from as many constants, element by element, NumPy broadcasting. Nothing for an unknown function.
std::optional<Bytes> fold_elements(const Graph &graph, const Node &node);

/// `numbers` as elements of a type: integers keep their low bits, floats are rounded once.
Bytes stored(DataType type, const std::vector<int64_t> &numbers);
Bytes stored(DataType type, const std::vector<double> &numbers);

/// The elements of one dimension of a walk: how many, and how far apart in the source.
struct Step {
    int64_t extent, stride;
};
/// Source elements in the order of the walk, outermost dimension first.
Bytes walk(const Bytes &source, int64_t width, int64_t offset, const std::vector<Step> &steps);
/// Elements between neighbours of a dense tensor.
std::vector<int64_t> strides_of(const std::vector<int64_t> &extents);
/// The walk that broadcasts `from` to `to`.
std::vector<Step> broadcast_steps(const std::vector<int64_t> &from, const std::vector<int64_t> &to);

}  // namespace emulsion::graph::onnx_import
