// Runs one backend node test through import, lowering and the generators.
#pragma once
#include "graph/kernel/run_nodes.h"
#include "tests/graph/import/onnx/node_case.h"

namespace emulsion::graph {

enum class Verdict : uint8_t { pass, not_supported, wrong };

struct Outcome {
    Verdict verdict = Verdict::pass;
    std::string code, why;  ///< not supported: the diagnostic's; wrong: what differs
    bool constants = false; ///< inputs were given as constants of the model
    int nodes = 0;          ///< that ran; 0: everything was computed at import
};

/// Operands that must be constants are, which the import says, and at last all but the first: models have their parameters so.
/// Floats may differ by 1e-7 + 1e-3 of the expected value (bfloat16: 1/64, float16: 1/512), as the onnx package's own
/// runner allows, but for float16; everything else is equal.
Outcome run_case(const NodeCase &c, NodeRunner &runner);

}  // namespace emulsion::graph
