// Operators that move elements without computing: shapes, slices, pads, resizes.
#include "graph/import/tflite/operator_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph::tflite {
namespace {

using Op = OperatorImport;
using Ints = std::vector<int64_t>;

/// RESHAPE, SQUEEZE, EXPAND_DIMS: the output's shape says it all.
void reshape(Op &op) { op.add("reshape", {op.input(0)}, {{"shape", op.out_extents()}}); }

void concat(Op &op) {
    std::vector<ValueId> in;
    for (size_t k = 0; k < op.inputs.size(); k++) in.push_back(op.input(k));
    if (in.empty()) op.broken("it has no inputs");
    op.add("concat", std::move(in), {{"axis", op.axis(op.options.integer32(0), op.rank(0))}, {"activation", op.activation(op.options.integer8(1))}});
}

void split_along(Op &op, ValueId input, int64_t axis) {
    Ints sizes;
    for (size_t k = 0; k < op.outputs.size(); k++) {
        const Ints e = op.out_extents(k);
        if (axis >= std::ssize(e)) op.broken("an output has too few dimensions");
        sizes.push_back(e[axis]);
    }
    op.add("split", {input}, {{"axis", axis}, {"sizes", sizes}});
}

int64_t one(Op &op, size_t k) {
    const Ints values = op.constants(k);
    if (values.size() != 1) op.broken("an axis is not one number");
    return values[0];
}

void split(Op &op) { split_along(op, op.input(1), op.axis(one(op, 0), op.rank(1))); }
void split_v(Op &op) { split_along(op, op.input(0), op.axis(one(op, 2), op.rank(0))); }

void slice(Op &op) {
    const Ints begin = op.constants(1), size = op.constants(2), in = op.in_extents(0);
    if (begin.size() != in.size() || size.size() != in.size()) op.broken("begin or size has another rank than its input");
    Ints end, step(in.size(), 1);
    for (size_t d = 0; d < in.size(); d++) {
        if (begin[d] < 0 || begin[d] > in[d] || size[d] < -1 || size[d] > in[d] - begin[d]) op.broken("the slice leaves its input");
        end.push_back(size[d] < 0 ? in[d] : begin[d] + size[d]);
    }
    op.add("slice", {op.input(0)}, {{"begin", begin}, {"end", end}, {"step", step}});
}

/// Source: TFLite strided_slice, StridedSliceDenseSpec; ellipsis and new axes are expanded first.
void strided_slice(Op &op) {
    const Ints begin = op.constants(1), end = op.constants(2), step = op.constants(3), in = op.in_extents(0);
    const int64_t begin_mask = op.options.integer32(0), end_mask = op.options.integer32(1), ellipsis = op.options.integer32(2),
                  new_axis = op.options.integer32(3), shrink = op.options.integer32(4);
    if (ellipsis != 0 || new_axis != 0) op.broken("ellipsis and new axes have no meaning here");
    if (begin.size() != end.size() || begin.size() != step.size() || begin.size() > in.size()) op.broken("begin, end and strides differ in length");
    Ints b(in.size(), 0), e = in, s(in.size(), 1);
    for (size_t d = 0; d < begin.size(); d++) {
        if (step[d] == 0) op.broken("a stride is 0");
        const bool back = step[d] < 0;
        const auto clamped = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + in[d] : v, back ? -1 : 0, back ? in[d] - 1 : in[d]); };
        s[d] = step[d];
        b[d] = (begin_mask >> d) & 1 ? (back ? in[d] - 1 : 0) : clamped(begin[d]);
        e[d] = (end_mask >> d) & 1 ? (back ? -1 : in[d]) : clamped(end[d]);
        if ((shrink >> d) & 1) s[d] = 1, e[d] = b[d] + 1;
    }
    const std::map<std::string, Attribute> attributes{{"begin", b}, {"end", e}, {"step", s}};
    if (shrink == 0) {
        op.add("slice", {op.input(0)}, attributes);
        return;
    }
    Value whole = op.out();
    whole.shape = {};
    for (size_t d = 0; d < in.size(); d++) whole.shape.push_back({.extent = std::max<int64_t>((e[d] - b[d] + s[d] - (s[d] > 0 ? 1 : -1)) / s[d], 0)});
    reshape([&]() -> Op & { op.inputs[0] = op.add_step("slice", "slice", {op.input(0)}, whole, attributes); return op; }());
}

void pad(Op &op, const char *mode) {
    const Ints amounts = op.constants(1);
    Ints before, after;
    if (std::ssize(amounts) != 2 * op.rank(0)) op.broken("paddings have another rank than its input");
    for (size_t d = 0; 2 * d < amounts.size(); d++) {
        if (amounts[2 * d] < 0 || amounts[2 * d + 1] < 0) op.broken("a padding is negative");
        before.push_back(amounts[2 * d]), after.push_back(amounts[2 * d + 1]);
    }
    double value = 0;
    if (op.has_input(2)) {
        const Value &v = op.in(2);
        const std::vector<double> q = constant_reals(v);
        if (q.size() != 1) op.broken("the padding value is not one number");
        value = v.quantization.scale.size() == 1 ? (q[0] - v.quantization.zero_point.at(0)) * v.quantization.scale[0] : q[0];
    }
    op.add("pad", {op.input(0)}, {{"before", before}, {"after", after}, {"mode", std::string(mode)}, {"value", value}});
}

void mirror_pad(Op &op) { pad(op, op.options.integer8(0) == 0 ? "reflect" : "symmetric"); }

void block(Op &op, const char *name) {
    const int64_t size = op.options.integer32(0);
    if (size < 1) op.broken("its block is smaller than 1");
    op.add(name, {op.input(0)}, {{"block", size}});
}

void batch_block(Op &op, const char *name, const char *edges) { op.add(name, {op.input(0)}, {{"block", op.constants(1)}, {edges, op.constants(2)}}); }

void resize(Op &op, const char *name, int align_field) {
    const Ints size = op.constants(1);
    if (size.size() != 2) op.broken("its size is not two numbers");
    op.add(name, {op.input(0)},
           {{"size", size}, {"align_corners", int64_t{op.options.boolean(align_field)}}, {"half_pixel_centers", int64_t{op.options.boolean(align_field + 1)}}});
}

void gather(Op &op) {
    const int64_t axis = op.axis(op.options.integer32(0), op.rank(0));
    op.add("gather", {op.input(0), op.input(1)}, {{"axis", axis}, {"batch_dimensions", op.options.integer32(1)}});
}

void pack(Op &op) {
    const Ints out = op.out_extents();
    const int64_t axis = op.axis(op.options.integer32(1), std::ssize(out));
    std::vector<ValueId> parts;
    for (size_t k = 0; k < op.inputs.size(); k++) {
        Value part = op.in(k);
        part.shape.insert(part.shape.begin() + std::min<int64_t>(axis, std::ssize(part.shape)), Dimension{.extent = 1});
        const Ints shape = extents_of(part.shape, part.name);
        parts.push_back(op.add_step(fmt::format("part{}", k), "reshape", {op.input(k)}, part, {{"shape", shape}}));
    }
    if (parts.empty()) op.broken("it has no inputs");
    op.add("concat", std::move(parts), {{"axis", axis}});
}

void unpack(Op &op) {
    const Ints in = op.in_extents(0);
    const int64_t axis = op.axis(op.options.integer32(1), std::ssize(in));
    const std::vector<ValueId> outputs = op.outputs;
    Ints shape = in;
    shape[axis] = 1;
    for (size_t k = 0; k < outputs.size(); k++) {
        Ints begin(in.size(), 0), end = in, step(in.size(), 1);
        begin[axis] = static_cast<int64_t>(k), end[axis] = begin[axis] + 1;
        Value part = op.graph.value(outputs[k]);
        const Ints final_shape = extents_of(part.shape, part.name);
        part.shape = make_shape(shape);
        const ValueId step_id = op.add_step(fmt::format("part{}", k), "slice", {op.input(0)}, part, {{"begin", begin}, {"end", end}, {"step", step}});
        op.outputs = {outputs[k]};
        op.add("reshape", {step_id}, {{"shape", final_shape}}).name += fmt::format(".{}", k);
    }
}

void one_hot(Op &op) {
    const auto number = [&](size_t k) {
        const std::vector<double> v = constant_reals(op.in(k));
        if (v.size() != 1) op.broken("depth, on or off value is not one number");
        return v[0];
    };
    op.add("one_hot", {op.input(0)}, {{"depth", static_cast<int64_t>(number(1))}, {"on", number(2)}, {"off", number(3)}, {"axis", op.options.integer32(0, -1)}});
}

/// SHAPE, RANK, ZEROS_LIKE, FILL, RANGE of static shapes: constants.
void constant(Op &op, const std::vector<int64_t> &values) {
    Value &v = op.out();
    std::vector<uint8_t> bytes(bytes_of(v.type, element_count(op.out_extents())), 0);
    if (v.type == DataType::i32 && bytes.size() == values.size() * 4) bytes = bytes_from(std::vector<int32_t>(values.begin(), values.end()));
    else if (v.type == DataType::i64 && bytes.size() == values.size() * 8) bytes = bytes_from(values);
    else if (std::any_of(values.begin(), values.end(), [](int64_t n) { return n != 0; })) op.broken("its output has another type or size than expected");
    v.data = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
}

void fill(Op &op) {
    const Value &value = op.in(1);
    if (!value.data) op.broken("its value is not constant");
    Value &v = op.out();
    const int64_t count = element_count(op.out_extents());
    std::vector<uint8_t> bytes;
    if (info(v.type).bits < 8 || bytes_of(v.type, 1) != std::ssize(*value.data)) op.broken("its value has another type than its output");
    for (int64_t k = 0; k < count; k++) bytes.insert(bytes.end(), value.data->begin(), value.data->end());
    v.data = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
}

}  // namespace

std::vector<OperatorRow> movement_rows() {
    return {
        {22, "RESHAPE", reshape},
        {43, "SQUEEZE", reshape},
        {70, "EXPAND_DIMS", reshape},
        {39, "TRANSPOSE", [](Op &op) { op.add("transpose", {op.input(0)}, {{"permutation", op.constants(1)}}); }},
        {2, "CONCATENATION", concat},
        {49, "SPLIT", split},
        {102, "SPLIT_V", split_v},
        {65, "SLICE", slice},
        {45, "STRIDED_SLICE", strided_slice},
        {34, "PAD", [](Op &op) { pad(op, "constant"); }},
        {60, "PADV2", [](Op &op) { pad(op, "constant"); }},
        {100, "MIRROR_PAD", mirror_pad},
        {26, "SPACE_TO_DEPTH", [](Op &op) { block(op, "space_to_depth"); }},
        {5, "DEPTH_TO_SPACE", [](Op &op) { block(op, "depth_to_space"); }},
        {38, "SPACE_TO_BATCH_ND", [](Op &op) { batch_block(op, "space_to_batch", "padding"); }},
        {37, "BATCH_TO_SPACE_ND", [](Op &op) { batch_block(op, "batch_to_space", "crop"); }},
        {23, "RESIZE_BILINEAR", [](Op &op) { resize(op, "resize_bilinear", 2); }},
        {97, "RESIZE_NEAREST_NEIGHBOR", [](Op &op) { resize(op, "resize_nearest", 0); }},
        {36, "GATHER", gather},
        {69, "TILE", [](Op &op) { op.add("tile", {op.input(0)}, {{"repeats", op.constants(1)}}); }},
        {130, "BROADCAST_TO", [](Op &op) { op.add("broadcast_to", {op.input(0)}, {{"shape", op.constants(1)}}); }},
        {83, "PACK", pack},
        {88, "UNPACK", unpack},
        {85, "ONE_HOT", one_hot},
        {77, "SHAPE", [](Op &op) { constant(op, op.in_extents(0)); }},
        {110, "RANK", [](Op &op) { constant(op, {op.rank(0)}); }},
        {93, "ZEROS_LIKE", [](Op &op) { constant(op, {}); }},
        {94, "FILL", fill},
    };
}

}  // namespace emulsion::graph::tflite
