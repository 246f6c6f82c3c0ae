// What the importer makes of each form that exporters write. Would catch: options read from the wrong field, quantisation lost, an unknown
// operator that stops the whole model.
#include "runtime/diag/diag.h"
#include "tests/graph/import/tflite/model_builder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using Ints = std::vector<int64_t>;

std::string code_of(const ModelSpec &m) {
    try {
        import_bytes(m.bytes());
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "imported";
}

const Node &node(const Graph &g, const std::string &op) {
    return *std::find_if(g.nodes.begin(), g.nodes.end(), [&](const Node &n) { return n.op == op; });
}

TEST(TfliteImport, OptionsBecomeAttributes) {
    const Graph g = import_bytes(convolution_spec().bytes());
    const Node &conv = node(g, "conv2d"), &pool = node(g, "max_pool");
    EXPECT_EQ(conv.integers("stride"), (Ints{2, 2}));
    EXPECT_EQ(conv.integers("padding"), (Ints{0, 0, 1, 1}));  // SAME: (4 - 1) * 2 + 3 - 8 = 1, behind
    EXPECT_EQ(conv.text("activation"), "relu6");
    EXPECT_EQ(conv.origin, "CONV_2D #0");
    EXPECT_EQ(node(g, "depthwise_conv2d").text("activation"), "relu");
    EXPECT_EQ(node(g, "depthwise_conv2d").integers("padding"), (Ints{1, 1, 1, 1}));
    EXPECT_EQ(pool.integers("kernel"), (Ints{2, 2}));
    EXPECT_EQ(pool.integers("padding"), (Ints{0, 0, 0, 0}));
    EXPECT_EQ(g.value(conv.inputs[1]).quantization.scale, std::vector<float>{0.01f});
    EXPECT_EQ(g.value(g.outputs[0]).quantization.zero_point, std::vector<int32_t>{-128});
}

TEST(TfliteImport, EveryNodeHasARuleAndAGenerator) {
    for (const ModelSpec &m : {convolution_spec(), movement_spec()})
        for (const Graph g = import_bytes(m.bytes()); const Node &n : g.nodes) EXPECT_NE(n.op, "unknown") << n.origin;
}

TEST(TfliteImport, ScalePerChannelFollowsItsDimension) {
    ModelSpec m = convolution_spec();
    m.tensors[1].scale = {0.1f, 0.2f, 0.3f, 0.4f}, m.tensors[1].zero_point = {0, 0, 0, 0};
    EXPECT_EQ(import_bytes(m.bytes()).value(node(import_bytes(m.bytes()), "conv2d").inputs[1]).quantization.axis, 0);
    m.tensors[1].quantized_dimension = 1;  // extent 3
    EXPECT_EQ(code_of(m), "EM701");
}

TEST(TfliteImport, UnknownOperatorsStayInTheGraph) {
    ModelSpec m = convolution_spec();
    m.operators[5] = {32, {12}, {13}, {}, "MyDetection"};
    const Graph g = import_bytes(m.bytes());
    EXPECT_EQ(node(g, "unknown").text("operator"), "MyDetection");
    EXPECT_EQ(node(g, "unknown").origin, "MyDetection #5");
}

TEST(TfliteImport, ConstantsListedAsInputsAreConstants) {
    ModelSpec m = convolution_spec();
    m.inputs = {0, 1, 2};
    EXPECT_EQ(import_bytes(m.bytes()).inputs.size(), 1u);
}

TEST(TfliteImport, NodesAreSorted) {
    ModelSpec m = convolution_spec();
    std::reverse(m.operators.begin(), m.operators.end());
    EXPECT_EQ(import_bytes(m.bytes()).nodes.front().op, "conv2d");
}

TEST(TfliteImport, EachFaultHasItsCode) {
    const auto with = [](auto change) {
        ModelSpec m = convolution_spec();
        change(m);
        return code_of(m);
    };
    EXPECT_EQ(with([](ModelSpec &m) { m.operators[0].inputs[0] = 99; }), "EM701");                       // no such tensor
    EXPECT_EQ(with([](ModelSpec &m) { m.operators[0].inputs.clear(); }), "EM701");                       // an operand missing
    EXPECT_EQ(with([](ModelSpec &m) { m.operators[1].outputs = {3}; }), "EM701");                        // written twice
    EXPECT_EQ(with([](ModelSpec &m) { m.outputs.clear(); }), "EM701");                                   // computes nothing
    EXPECT_EQ(with([](ModelSpec &m) { m.tensors[1].data.pop_back(); }), "EM701");                        // bytes do not fit the shape
    EXPECT_EQ(with([](ModelSpec &m) { m.tensors[0].shape[1] = -8; }), "EM701");                          // negative extent
    EXPECT_EQ(with([](ModelSpec &m) { m.operators[0].options[1].value = 0; }), "EM701");                 // stride 0
    EXPECT_EQ(with([](ModelSpec &m) { m.tensors[0].shape = {1 << 20, 1 << 20, 1 << 20, 3}; }), "EM702");  // too large
    EXPECT_EQ(with([](ModelSpec &m) { m.operators[0].inputs[0] = 6, m.inputs = {}, m.tensors[6].shape = {1, 8, 8, 3}; }), "EM703");         // cycle
    EXPECT_EQ(with([](ModelSpec &m) { m.tensors[0].type = 5; }), "EM720");                               // strings
    EXPECT_EQ(with([](ModelSpec &m) { m = movement_spec(), m.tensors[8].data.clear(), m.inputs.push_back(8); }), "EM705");  // axes only known later
}

}  // namespace
}  // namespace emulsion::graph
