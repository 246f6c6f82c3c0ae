#include "tests/graph/passes/random_graph.h"

#include "graph/ir/operator_table.h"

#include <algorithm>

namespace emulsion::graph {
namespace {

class Maker {
public:
    explicit Maker(std::mt19937 &random) : random_(random) {}

    Graph run(int nodes) {
        graph_.name = "random";
        const DataType type = below(3) ? DataType::f32 : DataType::i32;
        for (const char *name : {"x", "y"}) values_.push_back(add_input(graph_, name, type, {1, 2, 3, 4}));
        constants_ = {scalar("one", type, 1), scalar("zero", type, 0), whole(type)};
        for (int k = 0; k < nodes; k++) values_.push_back(step(type));
        for (size_t k = 1 + below(3); k-- > 0;)
            if (const ValueId v = values_[values_.size() - 1 - below(std::min<size_t>(4, values_.size() - 2))]; std::find(graph_.outputs.begin(), graph_.outputs.end(), v) == graph_.outputs.end())
                graph_.outputs.push_back(v);
        return std::move(graph_);
    }

private:
    std::mt19937 &random_;
    Graph graph_;
    std::vector<ValueId> values_, constants_;

    size_t below(size_t n) { return random_() % n; }
    ValueId any() { return values_[values_.size() - 1 - below(std::min<size_t>(5, values_.size()))]; }

    static std::vector<uint8_t> bytes(DataType type, const std::vector<int32_t> &numbers) {
        return type == DataType::f32 ? bytes_from(std::vector<float>(numbers.begin(), numbers.end())) : bytes_from(numbers);
    }
    ValueId scalar(const std::string &name, DataType type, int number) { return graph_.add_constant(name, type, {1}, bytes(type, {number})); }
    ValueId whole(DataType type) {
        std::vector<int32_t> numbers;
        for (int k = 0; k < 24; k++) numbers.push_back(k % 5 - 2);
        return graph_.add_constant("table", type, {1, 2, 3, 4}, bytes(type, numbers));
    }

    ValueId transposed(ValueId v) {
        static const std::vector<std::vector<int64_t>> turns = {{0, 3, 1, 2}, {0, 2, 3, 1}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}};
        return add(graph_, "transpose", {v}, {{"permutation", turns[below(turns.size())]}});
    }

    ValueId step(DataType type) {
        const ValueId v = any();
        const std::vector<int64_t> e = extents_of(graph_.value(v).shape, "");
        switch (below(10)) {
        case 0: case 1: case 2: return transposed(v);
        case 3: case 4: {
            static const std::vector<std::string> functions = {"relu", "neg", "abs", "relu6"};
            return add(graph_, "unary", {v}, {{"function", functions[below(functions.size())]}});
        }
        case 5: return add(graph_, below(2) ? "mul" : "add", {v, constants_[below(2)]});
        case 6: return add(graph_, "reshape", {v}, {{"shape", std::vector<int64_t>{e[0], e[2], e[1], e[3]}}});
        case 7: return add(graph_, "identity", {v});
        case 8: return add(graph_, "maximum", {constants_[2], constants_[2]});
        default: break;
        }
        // A second operand of the same shape, where there is one.
        ValueId w = type == DataType::f32 && e == std::vector<int64_t>{1, 2, 3, 4} && below(2) ? constants_[2] : v;
        for (ValueId other : values_)
            if (graph_.value(other).shape == graph_.value(v).shape && below(2)) w = other;
        static const std::vector<std::string> ops = {"add", "sub", "minimum", "maximum", "mul"};
        return add(graph_, ops[below(ops.size())], {v, w});
    }
};

}  // namespace

ValueId add_input(Graph &graph, const std::string &name, DataType type, const std::vector<int64_t> &extents, Quantization quantization) {
    const ValueId v = graph.add_value({.name = name, .type = type, .shape = make_shape(extents), .quantization = std::move(quantization), .data = nullptr});
    graph.inputs.push_back(v);
    return v;
}

ValueId add(Graph &graph, const std::string &op, const std::vector<ValueId> &inputs, const std::map<std::string, Attribute> &attributes, Quantization quantization) {
    const std::string name = op + std::to_string(graph.nodes.size());
    const ValueId out = graph.add_value({.name = name, .type = DataType::f32, .shape = {}, .quantization = std::move(quantization), .data = nullptr});
    const Node node{.op = op, .name = name, .inputs = inputs, .outputs = {out}, .attributes = attributes, .origin = ""};
    find_operator(op)->infer(graph, node);
    graph.add_node(node);
    return out;
}

Graph random_graph(std::mt19937 &random, int nodes) { return Maker(random).run(nodes); }

}  // namespace emulsion::graph
