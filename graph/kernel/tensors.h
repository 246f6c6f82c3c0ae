// Values of a graph as bytes, and the dense boxes that kernel arguments cut out of them.
#pragma once
#include "dsl/halide.h"
#include "graph/kernel/kernel_call.h"

#include <map>
#include <vector>

namespace emulsion::graph {

/// Elements per value, row major, little endian, as Value::data.
using Tensors = std::map<ValueId, std::vector<uint8_t>>;

/// Bytes that a value of static shape takes. Raises EM704 for a symbolic one.
int64_t byte_size(const Value &v);

/// The Halide type of a machine's element type.
Halide::Type halide_type(ElementType type);

/// A fresh dense buffer of the argument's type and extents.
Halide::Buffer<> empty_buffer(const KernelArgument &a);
/// The argument's elements out of `bytes` (its value's, or its own data).
Halide::Buffer<> gather(const KernelArgument &a, const std::vector<uint8_t> &bytes);
/// The reverse: `b` into the argument's part of `bytes`.
void scatter(const KernelArgument &a, const Halide::Buffer<> &b, std::vector<uint8_t> &bytes);

}  // namespace emulsion::graph
