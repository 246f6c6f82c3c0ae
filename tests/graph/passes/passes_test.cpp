// The passes. Would catch: a rewrite that changes a bit of an output, loses an output's name, leaves what it should remove, or never ends.
#include "graph/kernel/run_nodes.h"
#include "graph/passes/passes.h"
#include "graph/passes/pipeline.h"
#include "graph/passes/verify_graph.h"
#include "tests/graph/passes/random_graph.h"
#include "tests/runtime/raises.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using Bytes = std::vector<uint8_t>;

/// Small whole numbers, some negative, and both zeros.
std::vector<Bytes> inputs_of(const Graph &g, std::mt19937 &random) {
    std::vector<Bytes> all;
    for (ValueId v : g.inputs) {
        std::vector<int32_t> numbers(24);
        for (int32_t &n : numbers) n = static_cast<int32_t>(random() % 9) - 4;
        std::vector<float> reals(numbers.begin(), numbers.end());
        reals[3] = -0.0f;
        all.push_back(g.value(v).type == DataType::f32 ? bytes_from(reals) : bytes_from(numbers));
    }
    return all;
}

std::vector<std::pair<std::string, Bytes>> outputs_of(const Graph &g, NodeRunner &runner, const std::vector<Bytes> &inputs) {
    Tensors tensors;
    for (size_t k = 0; k < inputs.size(); k++) tensors[g.inputs[k]] = inputs[k];
    for (const Node &n : g.nodes) runner.run(g, n, tensors);
    std::vector<std::pair<std::string, Bytes>> all;
    for (ValueId v : g.outputs) all.emplace_back(g.value(v).name, tensors.at(v));
    return all;
}

size_t count(const Graph &g, const std::string &op) {
    return static_cast<size_t>(std::count_if(g.nodes.begin(), g.nodes.end(), [&](const Node &n) { return n.op == op; }));
}

Graph with_outputs(Graph g, const std::vector<ValueId> &outputs) {
    g.outputs = outputs;
    return g;
}

Attribute ints(const std::vector<int64_t> &list) { return list; }

TEST(Passes, KeepEveryBitOfRandomGraphs) {
    NodeRunner runner;
    size_t before = 0, after = 0;
    for (uint32_t seed = 0; seed < 300; seed++) {
        std::mt19937 random(seed);
        const Graph g = random_graph(random, 12);
        const std::vector<Bytes> inputs = inputs_of(g, random);
        Graph changed = g;
        run_passes(changed, {}, {});
        EXPECT_EQ(outputs_of(changed, runner, inputs), outputs_of(g, runner, inputs)) << "seed " << seed;
        before += g.nodes.size(), after += changed.nodes.size();
    }
    EXPECT_LT(after * 3, before * 2);  // they find what was put there
}

TEST(Passes, EachAloneKeepsEveryBit) {
    NodeRunner runner;
    for (const Pass &p : pass_pipeline())
        for (uint32_t seed = 1000; seed < 1020; seed++) {
            std::mt19937 random(seed);
            const Graph g = random_graph(random, 12);
            const std::vector<Bytes> inputs = inputs_of(g, random);
            Graph changed = g;
            p.run(changed);
            verify_graph(changed);
            EXPECT_EQ(outputs_of(changed, runner, inputs), outputs_of(g, runner, inputs)) << p.name << " seed " << seed;
        }
}

TEST(Passes, TransposesMeetAndCancel) {
    Graph g;
    const ValueId x = add_input(g, "x", DataType::f32, {1, 3, 4, 5}), y = add_input(g, "y", DataType::f32, {1, 3, 4, 5});
    const auto turned = [&](ValueId v) { return add(g, "transpose", {v}, {{"permutation", ints({0, 3, 1, 2})}}); };
    const ValueId sum = add(g, "add", {add(g, "unary", {turned(x)}, {{"function", std::string("relu")}}), turned(y)});
    const ValueId out = add(g, "transpose", {sum}, {{"permutation", ints({0, 2, 3, 1})}});
    g = with_outputs(std::move(g), {out});
    run_passes(g, {}, {});
    EXPECT_EQ(count(g, "transpose"), 0);
    EXPECT_EQ(g.nodes.size(), 2);
}

TEST(Passes, WhatIsLeftOutDoesNotRun) {
    Graph g;
    const ValueId x = add_input(g, "x", DataType::f32, {1, 3});
    const ValueId same = add(g, "identity", {x}), out = add(g, "unary", {same}, {{"function", std::string("relu")}});
    g = with_outputs(std::move(g), {out});
    std::vector<std::string> ran;
    Graph kept = g;
    run_passes(kept, {"simplify"}, [&](const std::string &pass, const Graph &) { ran.push_back(pass); });
    EXPECT_EQ(count(kept, "identity"), 1);
    EXPECT_EQ(std::count(ran.begin(), ran.end(), "simplify"), 0);
    run_passes(g, {}, {});
    EXPECT_EQ(count(g, "identity"), 0);
    EXPECT_TRUE(raises("EM711", [&] { run_passes(g, {"simplifi"}, {}); }));
}

TEST(Passes, EqualNodesBecomeOneAndDeadOnesGo) {
    Graph g;
    const ValueId x = add_input(g, "x", DataType::f32, {2, 3});
    const auto relu = [&](ValueId v) { return add(g, "unary", {v}, {{"function", std::string("relu")}}); };
    const ValueId a = relu(x), b = relu(x);
    add(g, "unary", {b}, {{"function", std::string("abs")}});
    g = with_outputs(std::move(g), {add(g, "mul", {a, b})});
    merge_equal_nodes(g);
    remove_dead_nodes(g);
    EXPECT_EQ(g.nodes.size(), 2);
}

TEST(Passes, ConstantsAreComputed) {
    Graph g;
    const ValueId x = add_input(g, "x", DataType::f32, {2});
    const ValueId c = g.add_constant("c", DataType::f32, {2}, bytes_from(std::vector<float>{-1, 2}));
    g = with_outputs(std::move(g), {add(g, "add", {x, add(g, "unary", {c}, {{"function", std::string("neg")}})})});
    fold_constants(g);
    ASSERT_EQ(g.nodes.size(), 1);
    EXPECT_EQ(constant_floats(g.value(g.nodes[0].inputs[1])), (std::vector<float>{1, -2}));
}

}  // namespace
}  // namespace emulsion::graph
