// What shape rules and lowerings share: a node's operands, axes, and kernel arguments made of them.
#pragma once
#include "graph/ir/graph.h"
#include "graph/kernel/kernel_call.h"

#include <string>

namespace emulsion::graph {

/// Raises EM707 for `node`.
[[noreturn]] void mismatch(const Node &node, const std::string &what);
/// Raises EM710 for `node`: what no generator computes, and what to do.
[[noreturn]] void unsupported(const Node &node, const std::string &what, const std::string &advice = "run this node on the host");

/// Input or output k. Raise EM707 when it is absent.
const Value &input(const Graph &graph, const Node &node, size_t k);
const Value &output(const Graph &graph, const Node &node, size_t k = 0);
Value &output(Graph &graph, const Node &node, size_t k = 0);
ValueId input_id(const Node &node, size_t k);

/// Extents of a static shape, outermost first. Raises EM704 for a symbol.
std::vector<int64_t> extents(const Value &v);

/// Attribute `key` as a dimension of `rank`, negative ones counted from the end. Raises EM707 outside [-rank, rank).
int axis_of(const Node &node, const std::string &key, size_t rank, int64_t otherwise = 0);

/// The dimensions, innermost first and as int. Raises EM710 for an extent of 0 or beyond int.
std::vector<int> innermost_first(const Node &node, const std::vector<int64_t> &extents);
/// Extents of a tensor seen as (inner, axis, outer), innermost first: what lies inside dimension `axis`, it, and what lies outside.
std::vector<int> around_axis(const Node &node, const std::vector<int64_t> &extents, int axis);

/// The machine's type of a value. Raises EM710 for types that the machine has not.
ElementType element_type(const Node &node, const Value &v);
/// As generator parameters spell types: "int8", "bfloat16".
std::string type_name(ElementType t);

/// Dense, in these extents (innermost first).
KernelArgument value_argument(const Graph &graph, const Node &node, const std::string &name, ValueId id, std::vector<int> extents);
KernelArgument result_argument(const Graph &graph, const Node &node, const std::string &name, ValueId id, std::vector<int> extents);
KernelArgument data_argument(const std::string &name, ElementType type, std::vector<int> extents, std::vector<uint8_t> data);

/// Output k takes type, and where `quantised` the quantisation, of `from`.
void set_output(Graph &graph, const Node &node, size_t k, const Value &from, Shape shape, bool quantised = true);

}  // namespace emulsion::graph
