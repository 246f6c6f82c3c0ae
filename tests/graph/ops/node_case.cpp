#include "tests/graph/ops/node_case.h"

#include "graph/ir/operator_table.h"
#include "graph/kernel/run_nodes.h"
#include "runtime/diag/diag.h"

#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

template<typename T>
void append(std::vector<uint8_t> &bytes, double v) {
    const T x = static_cast<T>(v);
    const auto *p = reinterpret_cast<const uint8_t *>(&x);
    bytes.insert(bytes.end(), p, p + sizeof(T));
}

std::vector<uint8_t> bytes_of_numbers(const Numbers &n) {
    std::vector<uint8_t> bytes;
    for (double v : n.elements) switch (n.type) {
        case DataType::boolean: case DataType::u8: append<uint8_t>(bytes, v); break;
        case DataType::i8: append<int8_t>(bytes, v); break;
        case DataType::i16: append<int16_t>(bytes, v); break;
        case DataType::i32: append<int32_t>(bytes, v); break;
        case DataType::i64: append<int64_t>(bytes, v); break;
        default: append<float>(bytes, v); break;
        }
    return bytes;
}

std::string first_difference(const Value &v, const std::vector<uint8_t> &got, const std::vector<uint8_t> &want) {
    const size_t width = info(v.type).bits / 8;
    for (size_t k = 0; k < want.size(); k += width)
        if (k + width > got.size() || std::memcmp(&got[k], &want[k], width) != 0) {
            const auto number = [&](const std::vector<uint8_t> &b) { return constant_reals({.name = "", .type = v.type, .shape = v.shape, .quantization = {}, .data = std::make_shared<const std::vector<uint8_t>>(b)})[k / width]; };
            return fmt::format("element {}: {} instead of {}", k / width, number(got), number(want));
        }
    return "";
}

}  // namespace

double &Numbers::at(const std::vector<int64_t> &index) {
    int64_t k = 0;
    for (size_t d = 0; d < extents.size(); d++) k = k * extents[d] + index[d];
    return elements.at(k);
}

void for_each(const std::vector<int64_t> &extents, const std::function<void(const std::vector<int64_t> &)> &f) {
    std::vector<int64_t> at(extents.size(), 0);
    for (int64_t n = element_count(extents); n > 0; n--) {
        f(at);
        for (size_t d = extents.size(); d-- > 0;) {
            if (++at[d] < extents[d]) break;
            at[d] = 0;
        }
    }
}

Numbers made(DataType type, std::vector<int64_t> extents, const std::function<double(const std::vector<int64_t> &)> &f) {
    Numbers n{.type = type, .extents = std::move(extents)};
    for_each(n.extents, [&](const auto &i) { n.elements.push_back(f(i)); });
    return n;
}

Numbers random_numbers(std::mt19937 &random, DataType type, std::vector<int64_t> extents, int low, int high) {
    return made(type, std::move(extents), [&](const auto &) { return static_cast<double>(pick(random, low, high)); });
}

int64_t pick(std::mt19937 &random, int64_t low, int64_t high) { return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1)); }

NodeGraph node_graph(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &outputs) {
    NodeGraph g;
    Node node{.op = op, .name = "node", .inputs = {}, .outputs = {}, .attributes = attributes, .origin = {}};
    for (const Numbers &n : inputs) {
        Value v{.name = fmt::format("in{}", node.inputs.size()), .type = n.type, .shape = make_shape(n.extents), .quantization = n.quantization, .data = {}};
        if (n.constant) v.data = std::make_shared<const std::vector<uint8_t>>(bytes_of_numbers(n));
        node.inputs.push_back(g.graph.add_value(v));
        if (n.constant) continue;
        g.graph.inputs.push_back(node.inputs.back());
        g.inputs.push_back(bytes_of_numbers(n));
    }
    for (const Numbers &n : outputs) {
        node.outputs.push_back(g.graph.add_value({.name = fmt::format("out{}", node.outputs.size()), .type = n.type, .shape = {}, .quantization = n.quantization, .data = {}}));
        g.graph.outputs.push_back(node.outputs.back());
    }
    g.graph.add_node(node);
    find_operator(op)->infer(g.graph, g.graph.nodes[0]);
    return g;
}

void expect_node(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &expected) {
    std::string shapes = op;
    for (const Numbers &n : inputs) shapes += fmt::format(" {}[{}]", info(n.type).name, fmt::join(n.extents, ","));
    SCOPED_TRACE(shapes);
    try {
        const NodeGraph g = node_graph(op, attributes, inputs, expected);
        const TargetDesc mobile = load_target("mobile");
        const Tensors host = run_nodes(g.graph, g.inputs), npu = run_nodes(g.graph, g.inputs, &mobile);
        for (size_t k = 0; k < expected.size(); k++) {
            const ValueId id = g.graph.outputs[k];
            const Value &v = g.graph.value(id);
            EXPECT_EQ(info(v.type).name, info(expected[k].type).name);
            ASSERT_EQ(extents_of(v.shape, v.name), expected[k].extents);
            const std::vector<uint8_t> want = bytes_of_numbers(expected[k]);
            EXPECT_EQ(first_difference(v, host.at(id), want), "") << "host, output " << k;
            EXPECT_EQ(first_difference(v, npu.at(id), want), "") << "NPU, output " << k;
        }
    } catch (const Error &e) {
        FAIL() << e.what();
    }
}

std::string code_of_node(const std::string &op, const Attributes &attributes, const std::vector<Numbers> &inputs, const std::vector<Numbers> &outputs) {
    try {
        const NodeGraph g = node_graph(op, attributes, inputs, outputs);
        find_operator(op)->lower(g.graph, g.graph.nodes[0]);
        return "";
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
}

}  // namespace emulsion::graph
