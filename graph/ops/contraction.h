// What convolutions and matrix products share: packed weights, and the output stage of generators/contraction.h as parameters and arguments.
#pragma once
#include "graph/ops/quantized.h"

namespace emulsion::graph {

struct ContractionOperands {
    const Value &in, &weights, &out;
    ValueId bias = no_value;
    int channels = 1;          ///< output channels
    int64_t products = 1;      ///< summed for each output
    std::string rounding;
    bool product_in_float = false;  ///< contraction_scales
};

/// Sets in_type .. out_max and with_bias, and adds bias, multiplier and shift. Raises EM710 for types that no generator takes, and for
/// 16-bit inputs whose sums may not fit 32 bits, EM707 for a bias of the wrong size.
void add_output_stage(KernelCall &call, const Graph &graph, const Node &node, const ContractionOperands &o);

/// Type of the result: that of a quantised output as the model states it; int32 for integers without; else the input's.
DataType contraction_type(const Value &in, const Value &out);

/// Elements of constant weights, their dimensions in another order: `order` lists those of the value (outermost first: 0), innermost
/// of the result first. 4-bit elements become int8 or uint8. Raises EM710 for weights that are not constant.
KernelArgument packed_weights(const Node &node, const std::string &name, const Value &weights, const std::vector<int> &order);
/// The weights as they lie: constants that need no packing and computed values.
KernelArgument weights_argument(const Graph &graph, const Node &node, const std::string &name, ValueId weights, std::vector<int> extents);

/// The machine's type of weights: 4-bit ones are widened.
ElementType weight_element(const Node &node, const Value &weights);

}  // namespace emulsion::graph
