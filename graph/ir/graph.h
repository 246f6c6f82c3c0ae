// Graph IR: values and nodes in SSA form. Shapes are written outermost first, as in the frameworks; images are N H W C.
//
//   graph "net" {
//     in   %image: u8[1, 224, 224, 3] scale 0.0078125 zero 128
//     const %w: u8[32, 3, 3, 3] scale 0.02 zero 122 data …
//     %c = conv2d(%image, %w, %b) {stride = [2, 2], padding = [0, 0, 1, 1]}: u8[1, 112, 112, 32] scale 0.023 zero 0
//     out  %c
//   }
#pragma once
#include "graph/ir/data_type.h"

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace emulsion::graph {

/// One extent: a number, or a symbol that gets its number at compile time (symbol not empty; extent is then -1).
struct Dimension {
    int64_t extent = 0;
    std::string symbol{};
    bool is_static() const { return symbol.empty(); }
    bool operator==(const Dimension &) const = default;
};

using Shape = std::vector<Dimension>;
Shape make_shape(const std::vector<int64_t> &extents);
/// The numbers of a static shape; raises EM704 when a symbol is left (`name`: the value's).
std::vector<int64_t> extents_of(const Shape &shape, const std::string &name);
int64_t element_count(const std::vector<int64_t> &extents);

/// real = scale * (q - zero_point), per tensor (one entry) or per index of dimension `axis`. No scale: not quantised.
/// Scales are float32, as both frameworks store them.
struct Quantization {
    std::vector<float> scale;
    std::vector<int32_t> zero_point;  ///< as many as scales
    int axis = -1;                    ///< -1: per tensor
    bool empty() const { return scale.empty(); }
    bool operator==(const Quantization &) const = default;
};

using ValueId = int32_t;
using NodeId = int32_t;
inline constexpr ValueId no_value = -1;  ///< an optional input that is absent

struct Value {
    std::string name;
    DataType type = DataType::f32;
    Shape shape;
    Quantization quantization;
    /// Constants: the elements, row major, little endian. Null: computed, or an input.
    std::shared_ptr<const std::vector<uint8_t>> data;
    bool is_constant() const { return data != nullptr; }
};

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

struct Node {
    std::string op;   ///< a row of operators.def
    std::string name; ///< unique in the graph: diagnostics and reports use it
    std::vector<ValueId> inputs, outputs;
    std::map<std::string, Attribute> attributes;
    std::string origin;  ///< operator and position in the model file: "CONV_2D #3"

    // Attribute or `otherwise` when absent. Raise EM706 for one of another type.
    int64_t integer(const std::string &key, int64_t otherwise = 0) const;
    double real(const std::string &key, double otherwise = 0) const;
    std::string text(const std::string &key, const std::string &otherwise = "") const;
    std::vector<int64_t> integers(const std::string &key, const std::vector<int64_t> &otherwise = {}) const;
    std::vector<double> reals(const std::string &key, const std::vector<double> &otherwise = {}) const;
};

/// Nodes are in an order in which they can run. Ids are indices; passes that delete compact the lists (Graph::compact).
struct Graph {
    std::string name;
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<ValueId> inputs, outputs;

    ValueId add_value(Value v);
    ValueId add_constant(const std::string &name, DataType type, const std::vector<int64_t> &extents, std::vector<uint8_t> bytes,
                         Quantization q = {});
    NodeId add_node(Node n);

    Value &value(ValueId id) { return values.at(id); }
    const Value &value(ValueId id) const { return values.at(id); }

    /// The node that computes `id`, or -1 for inputs and constants. Linear; passes keep their own index (uses.h).
    NodeId producer(ValueId id) const;
    std::vector<NodeId> consumers(ValueId id) const;

    /// Drops nodes whose `op` is empty, and values that nothing names; ids change. Sorts nodes topologically; raises EM703 on a cycle.
    void compact();
};

/// Elements of a constant as wide numbers, whatever its type. Raise EM705 for a value that is not constant.
std::vector<int64_t> constant_integers(const Value &v);
std::vector<double> constant_reals(const Value &v);
std::vector<float> constant_floats(const Value &v);
std::vector<uint8_t> bytes_from(const std::vector<int32_t> &v);
std::vector<uint8_t> bytes_from(const std::vector<float> &v);
std::vector<uint8_t> bytes_from(const std::vector<int64_t> &v);

}  // namespace emulsion::graph
