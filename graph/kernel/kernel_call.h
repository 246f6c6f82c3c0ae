// A kernel call: one generator, its parameters, and what its arguments are. Host and NPU run the same call.
#pragma once
#include "graph/ir/graph.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion::graph {

/// One buffer argument. Extents are innermost first, as generators count; dimensions may be merged or split against the value's shape,
/// since both lie dense in memory. `offset` and `strides` (elements, innermost first; empty: dense) choose a part of the value.
struct KernelArgument {
    std::string name;            ///< the generator's
    ValueId value = no_value;    ///< or
    std::vector<uint8_t> data{}; ///< constants made for this call: packed weights, bias, multipliers, tables
    ElementType type = ElementType::i8;
    std::vector<int> extents{};
    int64_t offset = 0;
    std::vector<int64_t> strides{};
    bool output = false;
};

struct KernelCall {
    std::string generator;                      ///< registry name
    std::map<std::string, std::string> params{};
    std::vector<KernelArgument> arguments{};
    std::map<std::string, int64_t> scalars{};   ///< scalar inputs by name (f32: its bits)
};

}  // namespace emulsion::graph
