// The graph verifier: one fault of each kind. Would catch: a rule that is no longer checked.
#include "graph/passes/verify_graph.h"
#include "tests/graph/passes/random_graph.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

Graph good() {
    Graph g;
    const ValueId x = add_input(g, "x", DataType::i8, {1, 3}, {{0.5f}, {0}, -1});
    const ValueId c = g.add_constant("c", DataType::f32, {3}, bytes_from(std::vector<float>{1, 2, 3}));
    const ValueId real = add(g, "dequantize", {x});
    g.outputs = {add(g, "add", {real, c})};
    return g;
}

struct Fault {
    const char *says;
    void (*make)(Graph &);
};

const Fault faults[] = {
    {"an id out of range", [](Graph &g) { g.nodes[0].inputs[0] = 77; }},
    {"an output out of range", [](Graph &g) { g.outputs[0] = 77; }},
    {"two values of one name", [](Graph &g) { g.value(1).name = "x"; }},
    {"two nodes of one name", [](Graph &g) { g.nodes[1].name = g.nodes[0].name; }},
    {"no name", [](Graph &g) { g.nodes[1].name.clear(); }},
    {"computed twice", [](Graph &g) { g.nodes[1].outputs = g.nodes[0].outputs; }},
    {"read before it is computed", [](Graph &g) { std::swap(g.nodes[0], g.nodes[1]); }},
    {"an output that nothing computes", [](Graph &g) { g.nodes.pop_back(); }},
    {"too few bytes", [](Graph &g) { g.value(1).data = std::make_shared<const std::vector<uint8_t>>(3); }},
    {"a negative extent", [](Graph &g) { g.value(0).shape[1].extent = -3; }},
    {"a scale of zero", [](Graph &g) { g.value(0).quantization.scale[0] = 0; }},
    {"scales without zero points", [](Graph &g) { g.value(0).quantization.zero_point.clear(); }},
    {"too few scales for the axis", [](Graph &g) { g.value(0).quantization = {{1, 1}, {0, 0}, 1}; }},
    {"an axis that is not there", [](Graph &g) { g.value(0).quantization.axis = 5; }},
    {"an attribute that is not in the table", [](Graph &g) { g.nodes[1].attributes["speed"] = int64_t{1}; }},
    {"an attribute of another type", [](Graph &g) { g.nodes[1].attributes["activation"] = int64_t{1}; }},
    {"too few inputs", [](Graph &g) { g.nodes[1].inputs.pop_back(); }},
    {"too many inputs", [](Graph &g) { g.nodes[1].inputs.push_back(0); }},
    {"another shape than the rule's", [](Graph &g) { g.value(g.outputs[0]).shape[1].extent = 4; }},
    {"another type than the rule's", [](Graph &g) { g.value(g.outputs[0]).type = DataType::i32; }},
};

TEST(VerifyGraph, AcceptsAGoodGraph) { EXPECT_NO_THROW(verify_graph(good())); }

TEST(VerifyGraph, RefusesEveryKindOfFault) {
    for (const Fault &f : faults) {
        Graph g = good();
        f.make(g);
        EXPECT_TRUE(raises("EM708", [&] { verify_graph(g); })) << f.says;
    }
}

TEST(VerifyGraph, NamesUnknownOperators) {
    Graph g = good();
    g.nodes[0].op = "dequantise";
    EXPECT_TRUE(raises("EM709", [&] { verify_graph(g); }));
}

}  // namespace
}  // namespace emulsion::graph
