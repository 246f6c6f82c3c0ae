#include "graph/import/tflite/dynamic_range.h"

namespace emulsion::graph::tflite {
namespace {

constexpr float largest = 127;  ///< of symmetric int8

ValueId constant(OperatorImport &op, const std::string &suffix, float x) {
    return op.graph.add_constant(op.out().name + "." + suffix, DataType::f32, {}, bytes_from(std::vector<float>{x}));
}

/// `shape` with extent 1 along `axes`.
Shape reduced(Shape shape, const std::vector<int64_t> &axes) {
    for (int64_t a : axes) shape[a] = {.extent = 1};
    return shape;
}

}  // namespace

bool is_dynamic_range(OperatorImport &op) {
    return op.in(0).type == DataType::f32 && op.in(1).type == DataType::i8 && op.in(1).quantization.scale.size() == 1;
}

void add_dynamic_range(OperatorImport &op, const std::string &contraction, std::map<std::string, Attribute> attributes, std::vector<int64_t> axes,
                       const std::string &activation) {
    const Value x = op.in(0), out = op.out();
    const float weight_scale = op.in(1).quantization.scale[0];
    const auto floating = [](const Shape &shape) { return Value{.name = "", .type = DataType::f32, .shape = shape, .quantization = {}, .data = nullptr}; };
    const auto typed = [](DataType type, const Shape &shape, Quantization q = {}) {
        return Value{.name = "", .type = type, .shape = shape, .quantization = std::move(q), .data = nullptr};
    };
    const Shape one = reduced(x.shape, axes);
    const ValueId full = constant(op, "127", largest), zero = constant(op, "0", 0);

    const ValueId magnitude = op.add_step("magnitude", "unary", {op.input(0)}, floating(x.shape), {{"function", std::string("abs")}});
    const ValueId peak = op.add_step("peak", "reduce", {magnitude}, floating(one), {{"function", std::string("max")}, {"axes", axes}, {"keep_dimensions", int64_t{1}}});
    const ValueId empty = op.add_step("empty", "compare", {peak, zero}, typed(DataType::boolean, one), {{"function", std::string("equal")}});
    const ValueId range = op.add_step("range", "select", {empty, full, peak}, floating(one));
    const ValueId scale = op.add_step("scale", "div", {range, full}, floating(one));
    const ValueId inverse = op.add_step("inverse", "div", {full, range}, floating(one));
    const ValueId scaled = op.add_step("scaled", "mul", {op.input(0), inverse}, floating(x.shape));
    const ValueId q = op.add_step("quantized", "quantize", {scaled}, typed(DataType::i8, x.shape, {{1.0f}, {0}, -1}), {{"ties", std::string("away")}});

    const ValueId sums = op.add_step("sums", contraction, {q, op.input(1)}, typed(DataType::i32, out.shape), std::move(attributes));
    const ValueId real = op.add_step("real", "cast", {sums}, floating(out.shape));
    // One scale an image or row: it has as many dimensions as the result, so that it broadcasts.
    Shape per_result = reduced(out.shape, axes);
    ValueId factor = op.add_step("factor", "mul", {scale, constant(op, "weight_scale", weight_scale)}, floating(one));
    if (per_result.size() != one.size()) {
        std::vector<int64_t> extents;
        for (const Dimension &d : per_result) extents.push_back(d.extent);
        factor = op.add_step("factor_shape", "reshape", {factor}, floating(per_result), {{"shape", extents}});
    }
    if (!op.has_input(2)) {
        op.add("mul", {real, factor}, {{"activation", activation}});
        return;
    }
    const ValueId product = op.add_step("product", "mul", {real, factor}, floating(out.shape));
    op.add("add", {product, op.inputs[2]}, {{"activation", activation}});
}

}  // namespace emulsion::graph::tflite
