#include "tests/graph/import/onnx/model_builder.h"

#include "graph/import/onnx.h"

namespace emulsion::graph {

using onnx::AttributeProto, onnx::NodeProto, onnx::TensorProto;

ModelBuilder::ModelBuilder(int64_t opset) {
    model.set_ir_version(8);
    auto &set = *model.add_opset_import();
    set.set_domain("");
    set.set_version(opset);
    graph().set_name("g");
}

ModelBuilder &ModelBuilder::input(const std::string &name, TensorProto::DataType type, const std::vector<int64_t> &extents) {
    auto &v = *graph().add_input();
    v.set_name(name);
    auto &t = *v.mutable_type()->mutable_tensor_type();
    t.set_elem_type(type);
    t.mutable_shape();
    for (int64_t e : extents) {
        auto &d = *t.mutable_shape()->add_dim();
        if (e < 0) d.set_dim_param("N");
        else d.set_dim_value(e);
    }
    return *this;
}

ModelBuilder &ModelBuilder::output(const std::string &name, TensorProto::DataType type) {
    auto &v = *graph().add_output();
    v.set_name(name);
    v.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    return *this;
}

ModelBuilder &ModelBuilder::floats(const std::string &name, const std::vector<int64_t> &extents, float value) {
    TensorProto &t = *graph().add_initializer();
    t.set_name(name);
    t.set_data_type(TensorProto::FLOAT);
    int64_t n = 1;
    for (int64_t e : extents) t.add_dims(e), n *= e;
    for (int64_t k = 0; k < n; k++) t.add_float_data(value + static_cast<float>(k % 7));
    return *this;
}

ModelBuilder &ModelBuilder::integers(const std::string &name, const std::vector<int64_t> &numbers) {
    TensorProto &t = *graph().add_initializer();
    t.set_name(name);
    t.set_data_type(TensorProto::INT64);
    t.add_dims(static_cast<int64_t>(numbers.size()));
    t.set_raw_data(numbers.data(), numbers.size() * sizeof(int64_t));
    return *this;
}

ModelBuilder &ModelBuilder::scalar(const std::string &name, TensorProto::DataType type, int32_t number) {
    TensorProto &t = *graph().add_initializer();
    t.set_name(name);
    t.set_data_type(type);
    if (type == TensorProto::FLOAT) t.add_float_data(static_cast<float>(number) / 64);
    else t.add_int32_data(number);
    return *this;
}

NodeProto &ModelBuilder::node(const std::string &op, const std::vector<std::string> &in, const std::vector<std::string> &out) {
    NodeProto &n = *graph().add_node();
    n.set_op_type(op);
    for (const auto &s : in) n.add_input(s);
    for (const auto &s : out) n.add_output(s);
    return n;
}

Graph ModelBuilder::import() const { return import_bytes(bytes()); }

void add(NodeProto &node, const std::string &attribute, int64_t value) {
    AttributeProto &a = *node.add_attribute();
    a.set_name(attribute);
    a.set_type(AttributeProto::INT);
    a.set_i(value);
}

void add(NodeProto &node, const std::string &attribute, const std::vector<int64_t> &values) {
    AttributeProto &a = *node.add_attribute();
    a.set_name(attribute);
    a.set_type(AttributeProto::INTS);
    for (int64_t v : values) a.add_ints(v);
}

Graph import_bytes(const std::string &bytes) { return import_onnx({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "test"); }

ModelBuilder convolution_model() {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {1, 3, 8, 8}).floats("w", {4, 3, 3, 3}).floats("bias", {4}).floats("m", {4, 5}).integers("rest", {-1});
    NodeProto &conv = b.node("Conv", {"x", "w", "bias"}, {"c"});
    add(conv, "pads", {1, 1, 1, 1});
    add(conv, "strides", {2, 2});
    b.node("Relu", {"c"}, {"r"});
    b.node("GlobalAveragePool", {"r"}, {"p"});
    b.node("Shape", {"p"}, {"s"});
    NodeProto &first = b.node("Slice", {"s", "zero", "one"}, {"batch"});
    (void)first;
    b.integers("zero", {0}).integers("one", {1});
    NodeProto &joined = b.node("Concat", {"batch", "rest"}, {"shape"});
    add(joined, "axis", 0);
    b.node("Reshape", {"p", "shape"}, {"f"});
    b.node("MatMul", {"f", "m"}, {"y"});
    b.output("y");
    return b;
}

ModelBuilder quantized_model() {
    ModelBuilder b;
    b.input("x", TensorProto::FLOAT, {1, 2, 4, 4}).scalar("s", TensorProto::FLOAT, 3).scalar("z", TensorProto::INT8, 5);
    TensorProto &w = *b.graph().add_initializer();
    w.set_name("w");
    w.set_data_type(TensorProto::INT8);
    for (int64_t e : {2, 2, 1, 1}) w.add_dims(e);
    for (int32_t v : {1, -2, 3, -4}) w.add_int32_data(v);
    b.node("QuantizeLinear", {"x", "s", "z"}, {"q"});
    b.node("QLinearConv", {"q", "s", "z", "w", "s", "z", "s", "z"}, {"c"});
    b.node("MaxPool", {"c"}, {"m"});
    add(*b.graph().mutable_node(2), "kernel_shape", {2, 2});
    NodeProto &sum = b.node("QLinearAdd", {"m", "s", "z", "m", "s", "z", "s", "z"}, {"a"});
    sum.set_domain("com.microsoft");
    b.node("DequantizeLinear", {"a", "s", "z"}, {"y"});
    b.output("y");
    return b;
}

ModelBuilder structured_model() {
    ModelBuilder b;
    auto &own = *b.model.add_opset_import();
    own.set_domain("own");
    own.set_version(1);
    b.input("x", TensorProto::FLOAT, {-1, 4}).scalar("yes", TensorProto::BOOL, 1);
    auto &f = *b.model.add_functions();
    f.set_name("Twice");
    f.set_domain("own");
    f.add_input("a");
    f.add_output("b");
    f.add_attribute("slope");
    auto &set = *f.add_opset_import();
    set.set_version(17);
    NodeProto &sum = *f.add_node();
    sum.set_op_type("Add");
    sum.add_input("a"), sum.add_input("a"), sum.add_output("t");
    NodeProto &leaky = *f.add_node();
    leaky.set_op_type("LeakyRelu");
    leaky.add_input("t"), leaky.add_output("b");
    AttributeProto &slope = *leaky.add_attribute();
    slope.set_name("alpha");
    slope.set_type(AttributeProto::FLOAT);
    slope.set_ref_attr_name("slope");
    NodeProto &call = b.node("Twice", {"x"}, {"t"});
    call.set_domain("own");
    AttributeProto &given = *call.add_attribute();
    given.set_name("slope");
    given.set_type(AttributeProto::FLOAT);
    given.set_f(0.25f);
    NodeProto &choice = b.node("If", {"yes"}, {"y"});
    for (const char *name : {"then_branch", "else_branch"}) {
        AttributeProto &a = *choice.add_attribute();
        a.set_name(name);
        a.set_type(AttributeProto::GRAPH);
        NodeProto &n = *a.mutable_g()->add_node();
        n.set_op_type(std::string(name) == "then_branch" ? "Neg" : "Abs");
        n.add_input("t"), n.add_output("branch");
        a.mutable_g()->add_output()->set_name("branch");
    }
    b.output("y");
    return b;
}

}  // namespace emulsion::graph
