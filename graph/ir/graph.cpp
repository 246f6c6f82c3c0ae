#include "graph/ir/graph.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/float16.h"

#include <algorithm>
#include <cstring>

namespace emulsion::graph {
namespace {

template<typename T>
const T *attribute(const Node &node, const std::string &key) {
    auto it = node.attributes.find(key);
    if (it == node.attributes.end()) return nullptr;
    const T *value = std::get_if<T>(&it->second);
    if (!value) raise(Diag::graph_attribute, {.stage = "graph", .node = node.name}, key, node.op);
    return value;
}

template<typename T>
T element(const std::vector<uint8_t> &bytes, size_t k) {
    T x;
    std::memcpy(&x, bytes.data() + k * sizeof(T), sizeof(T));
    return x;
}

/// Element k as a wide number; f16 and bf16 by way of float.
template<typename Wide>
Wide read_element(const std::vector<uint8_t> &b, DataType t, size_t k) {
    switch (t) {
    case DataType::boolean: case DataType::u8: return static_cast<Wide>(b[k]);
    case DataType::i4: return static_cast<Wide>(static_cast<int8_t>(b[k / 2] >> (k % 2 * 4) << 4) >> 4);
    case DataType::u4: return static_cast<Wide>(b[k / 2] >> (k % 2 * 4) & 15);
    case DataType::i8: return static_cast<Wide>(element<int8_t>(b, k));
    case DataType::i16: return static_cast<Wide>(element<int16_t>(b, k));
    case DataType::u16: return static_cast<Wide>(element<uint16_t>(b, k));
    case DataType::i32: return static_cast<Wide>(element<int32_t>(b, k));
    case DataType::u32: return static_cast<Wide>(element<uint32_t>(b, k));
    case DataType::i64: return static_cast<Wide>(element<int64_t>(b, k));
    case DataType::u64: return static_cast<Wide>(element<uint64_t>(b, k));
    case DataType::f16: return static_cast<Wide>(f16_to_f32(element<uint16_t>(b, k)));
    case DataType::bf16: return static_cast<Wide>(bf16_to_f32(element<uint16_t>(b, k)));
    case DataType::f32: return static_cast<Wide>(element<float>(b, k));
    case DataType::f64: return static_cast<Wide>(element<double>(b, k));
    }
    return Wide{};
}

template<typename Wide>
std::vector<Wide> constant_elements(const Value &v) {
    if (!v.data) raise(Diag::graph_not_constant, {.stage = "graph", .node = v.name}, v.name);
    std::vector<Wide> out(static_cast<size_t>(element_count(extents_of(v.shape, v.name))));
    for (size_t k = 0; k < out.size(); k++) out[k] = read_element<Wide>(*v.data, v.type, k);
    return out;
}

template<typename T>
std::vector<uint8_t> raw_bytes(const std::vector<T> &v) {
    std::vector<uint8_t> out(v.size() * sizeof(T));
    if (!v.empty()) std::memcpy(out.data(), v.data(), out.size());
    return out;
}

}  // namespace

Shape make_shape(const std::vector<int64_t> &extents) {
    Shape shape;
    for (int64_t e : extents) shape.push_back({.extent = e});
    return shape;
}

std::vector<int64_t> extents_of(const Shape &shape, const std::string &name) {
    std::vector<int64_t> extents;
    for (const Dimension &d : shape) {
        if (!d.is_static()) raise(Diag::graph_symbolic, {.stage = "graph", .node = name}, name, d.symbol);
        extents.push_back(d.extent);
    }
    return extents;
}

int64_t element_count(const std::vector<int64_t> &extents) {
    int64_t n = 1;
    for (int64_t e : extents) n *= e;
    return n;
}

int64_t Node::integer(const std::string &key, int64_t otherwise) const {
    const auto *v = attribute<int64_t>(*this, key);
    return v ? *v : otherwise;
}
double Node::real(const std::string &key, double otherwise) const {
    const auto *v = attribute<double>(*this, key);
    return v ? *v : otherwise;
}
std::string Node::text(const std::string &key, const std::string &otherwise) const {
    const auto *v = attribute<std::string>(*this, key);
    return v ? *v : otherwise;
}
std::vector<int64_t> Node::integers(const std::string &key, const std::vector<int64_t> &otherwise) const {
    const auto *v = attribute<std::vector<int64_t>>(*this, key);
    return v ? *v : otherwise;
}
std::vector<double> Node::reals(const std::string &key, const std::vector<double> &otherwise) const {
    const auto *v = attribute<std::vector<double>>(*this, key);
    return v ? *v : otherwise;
}

ValueId Graph::add_value(Value v) {
    values.push_back(std::move(v));
    return static_cast<ValueId>(values.size()) - 1;
}

ValueId Graph::add_constant(const std::string &name, DataType type, const std::vector<int64_t> &extents, std::vector<uint8_t> bytes,
                            Quantization q) {
    return add_value({.name = name, .type = type, .shape = make_shape(extents), .quantization = std::move(q),
                      .data = std::make_shared<const std::vector<uint8_t>>(std::move(bytes))});
}

NodeId Graph::add_node(Node n) {
    nodes.push_back(std::move(n));
    return static_cast<NodeId>(nodes.size()) - 1;
}

NodeId Graph::producer(ValueId id) const {
    for (size_t n = 0; n < nodes.size(); n++) {
        const auto &out = nodes[n].outputs;
        if (std::find(out.begin(), out.end(), id) != out.end()) return static_cast<NodeId>(n);
    }
    return -1;
}

std::vector<NodeId> Graph::consumers(ValueId id) const {
    std::vector<NodeId> found;
    for (size_t n = 0; n < nodes.size(); n++) {
        const auto &in = nodes[n].inputs;
        if (std::find(in.begin(), in.end(), id) != in.end()) found.push_back(static_cast<NodeId>(n));
    }
    return found;
}

void Graph::compact() {
    std::erase_if(nodes, [](const Node &n) { return n.op.empty(); });

    // Kahn's algorithm; among nodes that are ready the earlier one first, so that a sorted graph keeps its order.
    std::vector<NodeId> producer_of(values.size(), -1);
    for (size_t n = 0; n < nodes.size(); n++)
        for (ValueId v : nodes[n].outputs) producer_of.at(v) = static_cast<NodeId>(n);
    std::vector<int> missing(nodes.size(), 0);
    std::vector<std::vector<NodeId>> feeds(nodes.size());
    for (size_t n = 0; n < nodes.size(); n++)
        for (ValueId v : nodes[n].inputs)
            if (v != no_value && producer_of.at(v) >= 0) {
                missing[n]++;
                feeds[producer_of[v]].push_back(static_cast<NodeId>(n));
            }
    std::vector<NodeId> ready;  // a heap, smallest first
    const auto later = std::greater<NodeId>();
    for (size_t n = 0; n < nodes.size(); n++)
        if (missing[n] == 0) ready.push_back(static_cast<NodeId>(n));
    std::make_heap(ready.begin(), ready.end(), later);
    std::vector<Node> sorted;
    while (!ready.empty()) {
        std::pop_heap(ready.begin(), ready.end(), later);
        const NodeId n = ready.back();
        ready.pop_back();
        for (NodeId f : feeds[n])
            if (--missing[f] == 0) {
                ready.push_back(f);
                std::push_heap(ready.begin(), ready.end(), later);
            }
        sorted.push_back(nodes[n]);
    }
    if (sorted.size() != nodes.size()) {
        const auto stuck = std::find_if(missing.begin(), missing.end(), [](int m) { return m > 0; }) - missing.begin();
        raise(Diag::graph_cycle, {.stage = "graph", .node = nodes[stuck].name}, nodes[stuck].name);
    }
    nodes = std::move(sorted);

    std::vector<ValueId> renamed(values.size(), no_value);
    std::vector<Value> kept;
    const auto keep = [&](ValueId &id) {
        if (id == no_value) return;
        if (renamed.at(id) == no_value) {
            renamed[id] = static_cast<ValueId>(kept.size());
            kept.push_back(std::move(values[id]));
        }
        id = renamed[id];
    };
    for (ValueId &id : inputs) keep(id);
    for (Node &n : nodes) {
        for (ValueId &id : n.inputs) keep(id);
        for (ValueId &id : n.outputs) keep(id);
    }
    for (ValueId &id : outputs) keep(id);
    values = std::move(kept);
}

std::vector<int64_t> constant_integers(const Value &v) { return constant_elements<int64_t>(v); }
std::vector<double> constant_reals(const Value &v) { return constant_elements<double>(v); }
std::vector<float> constant_floats(const Value &v) { return constant_elements<float>(v); }
std::vector<uint8_t> bytes_from(const std::vector<int32_t> &v) { return raw_bytes(v); }
std::vector<uint8_t> bytes_from(const std::vector<float> &v) { return raw_bytes(v); }
std::vector<uint8_t> bytes_from(const std::vector<int64_t> &v) { return raw_bytes(v); }

}  // namespace emulsion::graph
