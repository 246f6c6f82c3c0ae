// Dynamic-range quantised operators: float32 activations, int8 weights. Each image (or row) gets a scale from its own values while the
// model runs; the products are integers. As plain nodes:
//
//   range = max |x| of the image, 127 when that is 0
//   q     = round(x * (127 / range)) as int8, half away from zero
//   out   = activation(float(conv(q, w)) * (range / 127 * scale of w) + bias)
//
// Source: TFLite reference kernels, HybridConv and fully connected EvalHybrid, with SymmetricQuantizeFloats.
#pragma once
#include "graph/import/tflite/operator_import.h"

namespace emulsion::graph::tflite {

/// Whether input 0 is float32 and the weights, input 1, are quantised integers.
bool is_dynamic_range(OperatorImport &op);

/// Adds the nodes. `contraction` and `attributes`: the integer operator, without its activation; `axes`: the dimensions of the input that
/// share a scale. Weights with a scale per channel stay one float node, which the operator's lowering refuses (EM710): the reference
/// takes float64 for their zero points.
void add_dynamic_range(OperatorImport &op, const std::string &contraction, std::map<std::string, Attribute> attributes, std::vector<int64_t> axes,
                       const std::string &activation);

}  // namespace emulsion::graph::tflite
