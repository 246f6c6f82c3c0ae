// Catches: shape rules that let wrong nodes pass, lowerings that compute something else instead of refusing, lost symbols.
#include "graph/ir/operator_table.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using Extents = std::vector<int64_t>;

Value tensor(DataType type, const Extents &extents, float scale = 0) {
    Value v{.name = "v", .type = type, .shape = make_shape(extents), .quantization = {}, .data = {}};
    if (scale != 0) v.quantization = {.scale = {scale}, .zero_point = {0}, .axis = -1};
    return v;
}

Value constant(DataType type, const Extents &extents, float scale = 0) {
    Value v = tensor(type, extents, scale);
    v.data = std::make_shared<const std::vector<uint8_t>>(bytes_of(type, element_count(extents)), uint8_t{0x7f});
    return v;
}

/// One node and its values; `out` has type and scale, the rule gives it a shape.
struct OneNode {
    Graph graph;
    Node &node() { return graph.nodes[0]; }
    Value &out() { return graph.value(node().outputs[0]); }
    void infer() { find_operator(node().op)->infer(graph, node()); }
    std::vector<KernelCall> lower() {
        infer();
        return find_operator(node().op)->lower(graph, node());
    }
};

OneNode one_node(const std::string &op, std::vector<Value> inputs, Value out, std::map<std::string, Attribute> attributes = {}) {
    OneNode n;
    Node node{.op = op, .name = "n", .inputs = {}, .outputs = {}, .attributes = std::move(attributes), .origin = {}};
    for (Value &v : inputs) node.inputs.push_back(n.graph.add_value(std::move(v)));
    node.outputs = {n.graph.add_value(std::move(out))};
    n.graph.add_node(std::move(node));
    return n;
}

const Value f32_image = tensor(DataType::f32, {1, 8, 8, 4}), f32_out = tensor(DataType::f32, {});
const Value i8_image = tensor(DataType::i8, {1, 8, 8, 4}, 0.5f), i8_out = tensor(DataType::i8, {}, 0.25f);
Attribute ints(Extents v) { return v; }

TEST(ComputeRules, ShapesThatDoNotGoTogetherAreRefused) {
    struct Case {
        const char *what;
        OneNode n;
    };
    Case cases[] = {
        {"channels", one_node("conv2d", {f32_image, constant(DataType::f32, {6, 3, 3, 5})}, f32_out)},
        {"groups", one_node("conv2d", {f32_image, constant(DataType::f32, {6, 3, 3, 1})}, f32_out, {{"groups", int64_t{4}}})},
        {"rank", one_node("conv2d", {tensor(DataType::f32, {8, 8, 4}), constant(DataType::f32, {6, 3, 3, 4})}, f32_out)},
        {"window", one_node("conv2d", {f32_image, constant(DataType::f32, {6, 9, 9, 4})}, f32_out)},
        {"stride", one_node("conv2d", {f32_image, constant(DataType::f32, {6, 3, 3, 4})}, f32_out, {{"stride", ints({0, 1})}})},
        {"filters", one_node("depthwise_conv2d", {f32_image, constant(DataType::f32, {3, 3, 6})}, f32_out)},
        {"output size", one_node("transpose_conv2d", {f32_image, constant(DataType::f32, {6, 3, 3, 4})}, f32_out)},
        {"columns", one_node("matmul", {tensor(DataType::f32, {3, 4}), tensor(DataType::f32, {5, 6})}, f32_out)},
        {"inputs", one_node("fully_connected", {tensor(DataType::f32, {3, 5}), constant(DataType::f32, {6, 4})}, f32_out)},
        {"types", one_node("add", {f32_image, i8_image}, f32_out)},
        {"broadcast", one_node("mul", {f32_image, tensor(DataType::f32, {3})}, f32_out)},
        {"kernel", one_node("max_pool", {f32_image}, f32_out, {{"kernel", ints({9, 2})}})},
        {"axis", one_node("softmax", {f32_image}, f32_out, {{"axis", int64_t{4}}})},
        {"axes", one_node("reduce", {f32_image}, f32_out, {{"function", std::string("mean")}, {"axes", ints({-5})}})},
        {"bounds", one_node("clip", {f32_image}, f32_out, {{"low", 1.0}, {"high", 0.0}})},
        {"scale", one_node("quantize", {f32_image}, tensor(DataType::i8, {}))},
        {"no scale", one_node("dequantize", {tensor(DataType::i8, {4})}, f32_out)},
    };
    for (Case &c : cases) {
        SCOPED_TRACE(c.what);
        EXPECT_TRUE(raises("EM707", [&] { c.n.infer(); }));
    }
}

TEST(ComputeRules, AttributesOfTheWrongKindAreRefused) {
    OneNode stride = one_node("conv2d", {f32_image, constant(DataType::f32, {6, 3, 3, 4})}, f32_out, {{"stride", ints({2})}});
    EXPECT_TRUE(raises("EM706", [&] { stride.infer(); }));
    OneNode activation = one_node("add", {f32_image, f32_image}, f32_out, {{"activation", std::string("cube")}});
    EXPECT_TRUE(raises("EM706", [&] { activation.lower(); }));
}

TEST(ComputeRules, WhatNoGeneratorComputesIsRefused) {
    Value channel_zeros = constant(DataType::i8, {2, 1, 1, 4}, 0.5f);
    channel_zeros.quantization = {.scale = {0.5f, 0.5f}, .zero_point = {0, 1}, .axis = 0};
    Value two_scales = i8_image;
    two_scales.quantization = {.scale = {0.5f, 0.25f}, .zero_point = {0, 0}, .axis = 3};
    const Value wide = tensor(DataType::i16, {1, 8, 8, 64}, 0.5f);
    struct Case {
        const char *what;
        OneNode n;
    };
    Case cases[] = {
        {"computed weights", one_node("conv2d", {f32_image, tensor(DataType::f32, {6, 3, 3, 4})}, f32_out)},
        {"hybrid", one_node("conv2d", {f32_image, constant(DataType::i8, {6, 3, 3, 4}, 0.5f)}, f32_out)},
        {"zero point per channel", one_node("conv2d", {i8_image, channel_zeros}, i8_out)},
        {"scale per channel of an input", one_node("conv2d", {two_scales, constant(DataType::i8, {2, 1, 1, 4}, 0.5f)}, i8_out)},
        {"sums beyond int32", one_node("conv2d", {wide, constant(DataType::i8, {2, 3, 3, 64}, 0.5f)}, tensor(DataType::i16, {}, 0.5f))},
        {"64-bit floats", one_node("add", {tensor(DataType::f64, {4}), tensor(DataType::f64, {4})}, tensor(DataType::f64, {}))},
        {"plain with quantised", one_node("add", {i8_image, i8_image}, tensor(DataType::i8, {}))},
        {"16-bit powers of two", one_node("add", {tensor(DataType::i16, {4}, 0.5f), tensor(DataType::i16, {4}, 0.25f)}, tensor(DataType::i16, {}, 0.5f))},
        {"pool that rescales", one_node("average_pool", {i8_image}, i8_out, {{"kernel", ints({2, 2})}})},
        {"softmax over channels", one_node("softmax", {f32_image}, f32_out, {{"axis", int64_t{1}}})},
        {"softmax to another scale", one_node("softmax", {i8_image}, i8_out)},
        {"log_softmax of integers", one_node("log_softmax", {i8_image}, i8_out)},
        {"both sides broadcast", one_node("matmul", {tensor(DataType::f32, {2, 1, 3, 4}), tensor(DataType::f32, {3, 4, 5})}, f32_out)},
        {"function without table", one_node("unary", {i8_image}, i8_out, {{"function", std::string("acos")}})},
        {"sine of integers", one_node("unary", {tensor(DataType::i32, {4})}, tensor(DataType::i32, {}), {{"function", std::string("sin")}})},
        {"norm of integers", one_node("layer_norm", {i8_image}, i8_out)},
        {"computed statistics", one_node("batch_norm", {f32_image, tensor(DataType::f32, {4}), tensor(DataType::f32, {4}), tensor(DataType::f32, {4}), tensor(DataType::f32, {4})}, f32_out)},
        {"3-norm", one_node("lp_norm", {f32_image}, f32_out, {{"p", int64_t{3}}})},
        {"product of quantised", one_node("reduce", {i8_image}, i8_out, {{"function", std::string("prod")}})},
        {"quantised to 32 bits", one_node("quantize", {f32_image}, tensor(DataType::i32, {}, 0.5f))},
    };
    for (Case &c : cases) {
        SCOPED_TRACE(c.what);
        EXPECT_TRUE(raises("EM710", [&] { c.n.lower(); }));
    }
}

TEST(ComputeRules, SymbolsPassThroughWindowsThatKeepTheExtent) {
    Value image = f32_image;
    image.shape[0] = {-1, "batch"};
    image.shape[1] = {-1, "height"};
    OneNode kept = one_node("conv2d", {image, constant(DataType::f32, {6, 3, 3, 4})}, f32_out, {{"padding", ints({1, 1, 1, 1})}});
    kept.infer();
    EXPECT_EQ(kept.out().shape, (Shape{{-1, "batch"}, {-1, "height"}, {8, ""}, {6, ""}}));
    OneNode changed = one_node("max_pool", {image}, f32_out, {{"kernel", ints({2, 2})}, {"stride", ints({2, 2})}});
    changed.infer();
    EXPECT_EQ(changed.out().shape, (Shape{{-1, "batch"}, {-1, "n.y"}, {4, ""}, {4, ""}}));
    OneNode summed = one_node("add", {image, tensor(DataType::f32, {4})}, f32_out);
    summed.infer();
    EXPECT_EQ(summed.out().shape, image.shape);
}

TEST(ComputeRules, TypeOfTheResult) {
    OneNode plain = one_node("conv2d", {tensor(DataType::u8, {1, 8, 8, 4}), constant(DataType::u8, {6, 3, 3, 4})}, f32_out);
    plain.infer();
    EXPECT_EQ(plain.out().type, DataType::i32);  // integers without scale: the accumulator
    OneNode stated = one_node("conv2d", {tensor(DataType::u8, {1, 8, 8, 4}, 0.5f), constant(DataType::u8, {6, 3, 3, 4}, 0.5f)}, i8_out);
    stated.infer();
    EXPECT_EQ(stated.out().type, DataType::i8);
    OneNode predicate = one_node("unary", {f32_image}, f32_out, {{"function", std::string("is_nan")}});
    predicate.infer();
    EXPECT_EQ(predicate.out().type, DataType::boolean);
}

/// 4-bit weights become bytes in the order of the generator.
TEST(ComputeRules, PacksFourBitWeights) {
    OneNode n = one_node("fully_connected", {tensor(DataType::i8, {1, 4}, 0.5f), tensor(DataType::i4, {1, 4}, 0.5f)}, i8_out);
    n.graph.values[1].data = std::make_shared<const std::vector<uint8_t>>(std::vector<uint8_t>{0x21, 0xf8});
    const std::vector<KernelCall> calls = n.lower();
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].arguments.at(1).data, (std::vector<uint8_t>{1, 2, 0xf8, 0xff}));
}

}  // namespace
}  // namespace emulsion::graph
