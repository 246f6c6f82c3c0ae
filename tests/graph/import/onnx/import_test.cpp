// What models become: nodes, shapes, constants, names.
#include "graph/import/onnx.h"
#include "runtime/diag/diag.h"
#include "tests/graph/import/onnx/model_builder.h"

#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using onnx::TensorProto;

std::vector<std::string> operators(const Graph &g) {
    std::vector<std::string> all;
    for (const Node &n : g.nodes) all.push_back(n.op);
    return all;
}

std::string code_of(const ModelBuilder &b) {
    try {
        b.import();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "imported";
}

using Words = std::vector<std::string>;

TEST(OnnxImport, ImagesAreTurnedAroundSpatialOperatorsAndComputedShapesFold) {
    const Graph g = convolution_model().import();
    EXPECT_EQ(operators(g), (Words{"transpose", "conv2d", "transpose", "unary", "reduce", "reshape", "matmul"}));
    EXPECT_EQ(extents_of(g.value(g.outputs.at(0)).shape, "y"), (std::vector<int64_t>{1, 5}));
    const Node &conv = g.nodes[1];
    EXPECT_EQ(conv.integers("padding"), (std::vector<int64_t>{1, 1, 1, 1}));
    EXPECT_EQ(extents_of(g.value(conv.inputs[1]).shape, "w"), (std::vector<int64_t>{4, 3, 3, 3}));
    EXPECT_TRUE(g.value(conv.inputs[1]).is_constant()) << "weights are turned at import";
}

TEST(OnnxImport, NodesAndValuesKeepTheModelsNames) {
    const Graph g = convolution_model().import();
    EXPECT_EQ(g.nodes[3].name, "r");
    EXPECT_EQ(g.nodes[3].origin, "Relu #1");
    EXPECT_EQ(g.value(g.nodes[3].outputs[0]).name, "r");
}

TEST(OnnxImport, QuantizedOperatorsTakeScalesAndZeroPoints) {
    const Graph g = quantized_model().import();
    EXPECT_EQ(operators(g), (Words{"quantize", "transpose", "conv2d", "transpose", "transpose", "max_pool", "transpose", "add", "dequantize"}));
    const Value &sum = g.value(g.nodes[7].outputs[0]);
    EXPECT_EQ(sum.type, DataType::i8);
    EXPECT_EQ(sum.quantization.zero_point, std::vector<int32_t>{5});
}

TEST(OnnxImport, FunctionsAndConstantBranchesAreInlined) {
    const Graph g = structured_model().import();
    ASSERT_EQ(operators(g), (Words{"add", "unary", "unary"}));
    EXPECT_FLOAT_EQ(static_cast<float>(g.nodes[1].real("alpha")), 0.25f);
    EXPECT_EQ(g.nodes[2].text("function"), "neg");
    EXPECT_EQ(g.value(g.outputs[0]).shape[0].symbol, "N");
}

TEST(OnnxImport, SymbolsTakeTheirNumbers) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {-1, 4}).output("y", TensorProto::INT64);
    b.node("Shape", {"x"}, {"y"});
    EXPECT_EQ(code_of(b), "EM704");
    const std::string bytes = b.bytes();
    const Graph g = import_onnx({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "test", {{"N", 3}});
    EXPECT_EQ(constant_integers(g.value(g.outputs[0])), (std::vector<int64_t>{3, 4}));
}

TEST(OnnxImport, UnknownOperatorsKeepNameAndPlace) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2}).output("y");
    b.node("Frobnicate", {"x"}, {"f"});
    b.node("Relu", {"f"}, {"y"});
    const Graph g = b.import();
    EXPECT_EQ(operators(g), (Words{"unknown", "unknown"}));
    EXPECT_EQ(g.nodes[0].text("operator"), "Frobnicate");
    EXPECT_EQ(g.nodes[0].origin, "Frobnicate #0");
    EXPECT_NE(g.nodes[1].text("operator").find("no known shape"), std::string::npos);
}

TEST(OnnxImport, LoopsAreUnknown) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2}).input("n", TensorProto::BOOL, {}).output("y");
    b.node("If", {"n"}, {"y"});
    EXPECT_EQ(b.import().nodes.at(0).text("operator"), "If");
}

TEST(OnnxImport, NodesOutOfOrderAreSorted) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2}).output("y");
    b.node("Neg", {"t"}, {"y"});
    b.node("Relu", {"x"}, {"t"});
    EXPECT_EQ(b.import().nodes.at(0).name, "t");
}

TEST(OnnxImport, TypesWithoutMeaningAreCoded) {
    ModelBuilder b;
    b.input("x", TensorProto::STRING, {2}).output("y");
    b.node("Identity", {"x"}, {"y"});
    EXPECT_EQ(code_of(b), "EM721");
}

TEST(OnnxImport, DataInOtherFilesIsRefused) {
    ModelBuilder b = convolution_model();
    TensorProto &t = *b.graph().mutable_initializer(0);
    t.clear_float_data();
    t.set_data_location(TensorProto::EXTERNAL);
    EXPECT_EQ(code_of(b), "EM722");
}

TEST(OnnxImport, OperandsThatMustBeConstantAreNamed) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {4}).input("shape", TensorProto::INT64, {2}).output("y");
    b.node("Reshape", {"x", "shape"}, {"y"});
    EXPECT_EQ(code_of(b), "EM705");
}

TEST(OnnxImport, AttributesOfAnotherKindAreRefused) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {4, 4}).output("y");
    add(b.node("Flatten", {"x"}, {"y"}), "axis", std::vector<int64_t>{1});
    EXPECT_EQ(code_of(b), "EM706");
}

}  // namespace
}  // namespace emulsion::graph
