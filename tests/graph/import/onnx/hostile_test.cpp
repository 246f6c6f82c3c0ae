// Broken and malicious files: an error with a code or a graph, in under a second.
#include "graph/import/onnx.h"
#include "runtime/diag/diag.h"
#include "tests/graph/import/onnx/model_builder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace emulsion::graph {
namespace {

using onnx::NodeProto, onnx::TensorProto;
constexpr int64_t huge = std::numeric_limits<int64_t>::max();

/// The diagnostic's code, or "imported". Anything else than a coded error fails the test.
std::string try_import(const std::string &bytes, const std::string &what) {
    const auto start = std::chrono::steady_clock::now();
    std::string code = "imported";
    try {
        import_bytes(bytes);
    } catch (const Error &e) {
        code = e.diagnostic().code();
        EXPECT_NE(code, "EM901") << what << ": " << e.what();
    } catch (const std::exception &e) {
        ADD_FAILURE() << what << ": no coded error: " << e.what();
    }
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0) << what;
    return code;
}
std::string try_import(const ModelBuilder &b, const std::string &what) { return try_import(b.bytes(), what); }

/// Cuts at every per cent, and single and several bytes changed at random.
void damage(const std::string &file, const std::string &name, int flips) {
    for (int percent = 0; percent < 100; percent++) try_import(file.substr(0, file.size() * static_cast<size_t>(percent) / 100), name + " cut");
    std::mt19937 random(7);
    for (int k = 0; k < flips; k++) {
        std::string broken = file;
        for (uint32_t n = 0, count = 1 + random() % 8; n < count; n++) broken[random() % broken.size()] = static_cast<char>(random());
        try_import(broken, name + " bytes changed, case " + std::to_string(k));
    }
}

TEST(HostileOnnx, DamagedConvolutionModel) { damage(convolution_model().bytes(), "convolution", 1000); }
TEST(HostileOnnx, DamagedQuantizedModel) { damage(quantized_model().bytes(), "quantized", 800); }
TEST(HostileOnnx, DamagedStructuredModel) { damage(structured_model().bytes(), "structured", 800); }

TEST(HostileOnnx, SharedModels) {
    const char *folder = std::getenv("EMULSION_MODELS");
    if (!folder) GTEST_SKIP() << "EMULSION_MODELS names no folder of models";
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".onnx") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        damage({std::istreambuf_iterator<char>(file), {}}, entry.path().filename().string(), 40);
    }
}

TEST(HostileOnnx, NotAModel) {
    EXPECT_EQ(try_import(std::string(), "empty"), "EM701");
    EXPECT_EQ(try_import(std::string(100000, '\xff'), "ones"), "EM701");
    EXPECT_EQ(try_import(ModelBuilder(), "no outputs"), "EM701");
}

/// x -> op -> y, with the second input as a constant.
std::string one_node(const std::string &op, const std::vector<int64_t> &numbers) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2, 3}).integers("n", numbers).output("y");
    b.node(op, {"x", "n"}, {"y"});
    return try_import(b, op);
}

TEST(HostileOnnx, HugeNumbersInShapes) {
    for (const char *op : {"Reshape", "Expand", "Tile", "Unsqueeze", "Squeeze", "Pad", "Split", "CenterCropPad", "ReduceSum", "Slice"})
        for (int64_t n : {huge, -huge, huge / 2, int64_t{1} << 32, int64_t{1} << 31, int64_t{-2}})
            for (size_t count : {1, 2, 3, 4, 100}) {
                const std::string code = one_node(op, std::vector<int64_t>(count, n));
                EXPECT_TRUE(n == -2 || code != "imported") << op << " " << n << " " << count;  // -2 is an axis
            }
}

TEST(HostileOnnx, HugeInputs) {
    for (int64_t n : {huge, int64_t{1} << 40, int64_t{1} << 31}) {
        ModelBuilder b;
        b.input("x", TensorProto::FLOAT, {n, 3}).output("y");
        b.node("Relu", {"x"}, {"y"});
        EXPECT_EQ(try_import(b, "huge input"), "EM702");
    }
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, std::vector<int64_t>(1000, 1)).output("y");
    b.node("Relu", {"x"}, {"y"});
    EXPECT_EQ(try_import(b, "rank"), "EM702");
}

TEST(HostileOnnx, ConstantsThatGrow) {
    ModelBuilder b;
    b.integers("shape", {1 << 15, 1 << 15}).output("y");
    b.node("ConstantOfShape", {"shape"}, {"y"});
    try_import(b, "filled");
    ModelBuilder range;
    range.output("y", TensorProto::INT64);
    for (const char *name : {"a", "b", "c"}) range.scalar(name, TensorProto::FLOAT, *name == 'a' ? 0 : *name == 'b' ? 2000000000 : 1);
    range.node("Range", {"a", "b", "c"}, {"y"});
    EXPECT_EQ(try_import(range, "range"), "EM701");
    // Every step doubles the constant.
    ModelBuilder doubling;
    doubling.floats("c0", {64});
    for (int k = 0; k < 60; k++) add(doubling.node("Concat", {"c" + std::to_string(k), "c" + std::to_string(k)}, {"c" + std::to_string(k + 1)}), "axis", 0);
    doubling.output("c60");
    EXPECT_EQ(try_import(doubling, "doubling"), "EM702");
}

TEST(HostileOnnx, Cycles) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2}).output("y");
    b.node("Add", {"x", "z"}, {"y"});
    b.node("Neg", {"y"}, {"z"});
    EXPECT_EQ(try_import(b, "cycle"), "EM703");
    ModelBuilder self;
    self.output("y");
    self.node("Neg", {"y"}, {"y"});
    EXPECT_EQ(try_import(self, "self"), "EM703");
    ModelBuilder function = structured_model();
    NodeProto &n = *function.model.mutable_functions(0)->mutable_node(0);
    n.set_op_type("Twice");
    n.set_domain("own");
    n.mutable_input()->RemoveLast();
    EXPECT_EQ(try_import(function, "a function that calls itself"), "EM702");
}

TEST(HostileOnnx, FunctionsThatMultiply) {
    ModelBuilder b = structured_model();
    for (int level = 0; level < 20; level++) {
        auto &f = *b.model.add_functions();
        f = b.model.functions(0);
        f.set_name("F" + std::to_string(level));
        f.clear_node();
        for (int k = 0; k < 16; k++) {
            NodeProto &n = *f.add_node();
            n.set_op_type(level == 0 ? "Twice" : "F" + std::to_string(level - 1));
            n.set_domain("own");
            n.add_input(k == 0 ? "a" : "t" + std::to_string(k - 1));
            n.add_output(k == 15 ? "b" : "t" + std::to_string(k));
        }
    }
    b.graph().mutable_node(0)->set_op_type("F19");
    EXPECT_EQ(try_import(b, "functions"), "EM702");
}

TEST(HostileOnnx, DeepNesting) {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {2}).scalar("yes", TensorProto::BOOL, 1).output("y");
    NodeProto *node = &b.node("If", {"yes"}, {"y"});
    for (int depth = 0; depth < 200; depth++) {
        onnx::AttributeProto &a = *node->add_attribute();
        a.set_name("then_branch");
        a.set_type(onnx::AttributeProto::GRAPH);
        a.mutable_g()->add_output()->set_name("y");
        node = a.mutable_g()->add_node();
        node->set_op_type("If");
        node->add_input("yes"), node->add_output("y");
    }
    EXPECT_EQ(try_import(b, "nesting"), "EM701");
}

TEST(HostileOnnx, NamesThatDoNotFit) {
    ModelBuilder twice;
    twice.input("x", TensorProto::FLOAT, {2}).output("y");
    twice.node("Relu", {"x"}, {"y"});
    twice.node("Neg", {"x"}, {"y"});
    EXPECT_EQ(try_import(twice, "written twice"), "EM701");
    ModelBuilder missing;
    missing.output("y");
    missing.node("Relu", {"nowhere"}, {"y"});
    EXPECT_EQ(try_import(missing, "missing"), "EM701");
    ModelBuilder constants = convolution_model();
    constants.floats("w", {1});
    EXPECT_EQ(try_import(constants, "constant twice"), "EM701");
    ModelBuilder never;
    never.output("y");
    EXPECT_EQ(try_import(never, "never written"), "EM701");
}

TEST(HostileOnnx, ConstantsOfAnotherSize) {
    ModelBuilder b = convolution_model();
    b.graph().mutable_initializer(0)->add_dims(9);
    EXPECT_EQ(try_import(b, "size"), "EM701");
    b = convolution_model();
    b.graph().mutable_initializer(0)->set_dims(0, -4);
    EXPECT_EQ(try_import(b, "negative"), "EM701");
    b = convolution_model();
    b.graph().mutable_initializer(0)->set_data_type(99);
    EXPECT_EQ(try_import(b, "type"), "EM721");
}

/// Every known operator with too few, too many and wrong inputs.
TEST(HostileOnnx, OperandsThatDoNotFit) {
    const char *operators[] = {"Conv", "ConvTranspose", "MaxPool", "AveragePool", "Gemm", "MatMul", "QLinearConv", "QLinearMatMul", "ConvInteger", "Resize", "Gather", "GatherND", "ScatterND",
                               "ScatterElements", "OneHot", "Concat", "Split", "Slice", "Pad", "Attention", "RotaryEmbedding", "LayerNormalization", "BatchNormalization",
                               "InstanceNormalization", "GroupNormalization", "Softmax", "ReduceMean", "ArgMax", "CumSum", "CumProd", "Einsum", "LRN", "Trilu", "EyeLike", "Range",
                               "DepthToSpace", "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "SoftmaxCrossEntropyLoss", "Clip", "Where", "Cast", "Dropout", "Compress"};
    for (const char *op : operators)
        for (int inputs = 0; inputs <= 9; inputs++)
            for (int form = 0; form < 4; form++) {
                ModelBuilder b;
                const std::vector<std::vector<int64_t>> shapes{{}, {3}, {2, 3}, {1, 2, 3, 4}};
                b.input("x", form == 2 ? TensorProto::INT8 : TensorProto::FLOAT, shapes[static_cast<size_t>(form)]).integers("n", {1, 2, 3}).floats("f", {1}).output("y");
                std::vector<std::string> in;
                for (int k = 0; k < inputs; k++) in.push_back(k == 0 ? "x" : (k + form) % 2 ? "n" : "f");
                NodeProto &n = b.node(op, in, {"y"});
                add(n, "axis", (form - 1) * (huge / 2));
                if (form > 1) add(n, "kernel_shape", {huge, -1}), add(n, "pads", {huge, huge, huge, huge}), add(n, "group", 0), add(n, "num_groups", huge), add(n, "blocksize", huge);
                try_import(b, std::string(op) + " with " + std::to_string(inputs) + " inputs");
            }
}

TEST(HostileOnnx, WindowsOutOfRange) {
    for (const char *op : {"Conv", "MaxPool", "AveragePool", "LpPool", "ConvTranspose"})
        for (const char *attribute : {"kernel_shape", "strides", "dilations", "pads", "output_padding", "output_shape"})
            for (int64_t n : {huge, -huge, int64_t{0}, int64_t{-1}, int64_t{1} << 20}) {
                ModelBuilder b;
                b.input("x", TensorProto::FLOAT, {1, 2, 4, 4}).floats("w", {2, 2, 3, 3}).output("y");
                NodeProto &node = b.node(op, std::string(op).ends_with("Pool") ? std::vector<std::string>{"x"} : std::vector<std::string>{"x", "w"}, {"y"});
                add(node, attribute, std::string(attribute) == "pads" ? std::vector<int64_t>(4, n) : std::vector<int64_t>{n, n});
                if (std::string(op).ends_with("Pool") && std::string(attribute) != "kernel_shape") add(node, "kernel_shape", {2, 2});
                try_import(b, std::string(op) + " " + attribute + " " + std::to_string(n));
            }
}

}  // namespace
}  // namespace emulsion::graph
