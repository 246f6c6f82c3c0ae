// Whole models against the node-by-node run under stock Halide. Would catch: values that overlap in the arena, a linked kernel that starts
// before its input is written, fused groups with other bits, results that depend on the order of compilation.
#include "graph/kernel/run_nodes.h"
#include "graph/model/compile_model.h"
#include "graph/model/report.h"
#include "graph/model/run_model.h"
#include "runtime/diag/diag.h"
#include "runtime/program/container.h"
#include "tests/graph/import/tflite/model_builder.h"

#include <algorithm>
#include <future>
#include <gtest/gtest.h>
#include <random>

namespace emulsion::graph {
namespace {

using Bytes = std::vector<uint8_t>;

const TargetDesc &edge() {
    static const TargetDesc target = load_target("edge-256");
    return target;
}

std::vector<Bytes> random_inputs(const Graph &g, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<Bytes> inputs;
    for (ValueId v : g.inputs) {
        Bytes bytes(static_cast<size_t>(byte_size(g.value(v))));
        if (g.value(v).type == DataType::f32) {
            std::vector<float> reals(bytes.size() / 4);
            for (float &r : reals) r = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 256;
            bytes = bytes_from(reals);
        } else {
            for (uint8_t &b : bytes) b = static_cast<uint8_t>(random());
        }
        inputs.push_back(std::move(bytes));
    }
    return inputs;
}

std::vector<Bytes> by_nodes(const Graph &g, const std::vector<Bytes> &inputs) {
    const Tensors all = run_nodes(g, inputs);
    std::vector<Bytes> outputs;
    for (ValueId v : g.outputs) outputs.push_back(all.at(v));
    return outputs;
}

ModelOptions apart() {
    ModelOptions o;
    o.fuse = o.prefetch = false;
    return o;
}

std::string code_of(const std::function<void()> &f) {
    try {
        f();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

/// A depthwise and a pointwise convolution with a residual: what fusion is for.
ModelSpec inverted_residual() {
    using i8 = int8_t;
    ModelSpec m = convolution_spec();
    m.tensors.resize(7);  // picture .. dw
    const auto activation = [](const char *name, int zero) { return TensorSpec{name, 9, {1, 4, 4, 4}, {0.04f}, {zero}, {}}; };
    m.tensors.push_back({"pw/w", 9, {4, 1, 1, 4}, {0.02f}, {0}, Bytes(16, 7)});
    m.tensors.push_back(activation("pw", 5));
    m.tensors.push_back(activation("sum", -9));
    m.operators.resize(2);
    m.operators.push_back({3, {6, 7, 5}, {8}, {{0, i8{0}}, {1, 1}, {2, 1}, {3, i8{0}}, {4, 1}, {5, 1}}, ""});
    m.operators.push_back({0, {8, 3}, {9}, {{0, i8{0}}}, ""});
    m.outputs = {9};
    return m;
}

TEST(CompileModel, EqualsTheNodesUnderStockHalide) {
    for (const ModelSpec &spec : {convolution_spec(), movement_spec(), inverted_residual()}) {
        const Graph g = import_bytes(spec.bytes());
        for (const ModelOptions &options : {ModelOptions{}, apart()}) {
            const CompiledModel m = compile_model(g, edge(), options);
            EXPECT_TRUE(m.on_npu_alone());
            for (uint32_t seed = 0; seed < 3; seed++) EXPECT_EQ(run_model(m, random_inputs(g, seed)).outputs, by_nodes(g, random_inputs(g, seed)));
        }
    }
}

TEST(CompileModel, SameBytesEveryTime) {
    const Graph g = import_bytes(inverted_residual().bytes());
    const auto bytes = [&] { return write_container(compile_model(g, edge()).segments.at(0).program); };
    const auto first = bytes();
    EXPECT_EQ(bytes(), first);
    EXPECT_EQ(std::async(std::launch::async, bytes).get(), first);
}

TEST(CompileModel, FusedGroupsMoveFewerBytes) {
    const Graph g = import_bytes(inverted_residual().bytes());
    const CompiledModel fused = compile_model(g, edge()), separate = compile_model(g, edge(), apart());
    const TimingReport f = time_model(fused).at(0), s = time_model(separate).at(0);
    EXPECT_LT(fused.kernels.size(), separate.kernels.size());
    EXPECT_LT(f.ext_read + f.ext_written, s.ext_read + s.ext_written);
    EXPECT_LT(f.cycles, s.cycles);
}

TEST(CompileModel, ArenaHoldsWhatLivesAtOnce) {
    const CompiledModel m = compile_model(import_bytes(convolution_spec().bytes()), edge(), apart());
    EXPECT_GE(m.arena.bytes, m.arena.lower_bound);
    EXPECT_LE(m.arena.bytes, m.arena.lower_bound * 11 / 10);
    for (const auto &[v, s] : m.storage)
        if (s.kind == RegionKind::arena) {
            EXPECT_LE(s.offset + byte_size(m.graph.value(v)), m.arena.bytes);
        }
}

/// A kernel that this machine refuses (its scratchpad holds 2 KiB) runs on the host, between two programs, with the reason in the report.
TEST(CompileModel, WhatDoesNotFitRunsOnTheHost) {
    const Graph g = import_bytes(convolution_spec().bytes());
    TargetDesc small = edge();
    small.spm_bytes = 512;
    std::vector<std::string> warnings;
    set_warning_sink([&](const Diagnostic &d) { warnings.push_back(d.code()); });
    const CompiledModel m = compile_model(g, small);
    set_warning_sink(nullptr);
    EXPECT_NE(std::find(warnings.begin(), warnings.end(), "EM773"), warnings.end());
    const auto host = std::find_if(m.kernels.begin(), m.kernels.end(), [](const Kernel &k) { return k.unit == Unit::host; });
    ASSERT_NE(host, m.kernels.end());
    EXPECT_FALSE(host->rule.empty());
    EXPECT_FALSE(host->advice.empty());
    EXPECT_EQ(run_model(m, random_inputs(g, 1)).outputs, by_nodes(g, random_inputs(g, 1)));
    const std::string text = to_text(m, time_model(m), true);
    EXPECT_NE(text.find(host->rule), std::string::npos);
    EXPECT_NE(text.find("boundary costs"), std::string::npos);
}

TEST(CompileModel, UnknownOperatorIsNamed) {
    ModelSpec spec = convolution_spec();
    spec.operators[5] = {32, {12}, {13}, {}, "MyDetection"};
    const Graph g = import_bytes(spec.bytes());
    try {
        compile_model(g, edge());
        FAIL() << "compiled";
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM710");
        EXPECT_NE(e.diagnostic().text().find("MyDetection"), std::string::npos);
    }
    Graph other = import_bytes(convolution_spec().bytes());
    other.nodes[2].op = "nonsense";
    EXPECT_EQ(code_of([&] { compile_model(other, edge()); }), "EM709");
}

TEST(CompileModel, SymbolsNeedNumbers) {
    Graph g = import_bytes(convolution_spec().bytes());
    g.value(g.inputs[0]).shape[0] = {.extent = -1, .symbol = "batch"};
    EXPECT_EQ(code_of([&] { compile_model(g, edge()); }), "EM704");
    ModelOptions one;
    one.symbols["batch"] = 1;
    EXPECT_TRUE(compile_model(g, edge(), one).on_npu_alone());
}

TEST(RunModel, InputsThatDoNotFit) {
    const CompiledModel m = compile_model(import_bytes(convolution_spec().bytes()), edge());
    EXPECT_EQ(code_of([&] { run_model(m, {}); }), "EM770");
    EXPECT_EQ(code_of([&] { run_model(m, {Bytes(5)}); }), "EM772");
}

TEST(RunNodes, NamesWhatIsMissing) {
    const Graph g = import_bytes(convolution_spec().bytes());
    Tensors none;
    EXPECT_EQ(code_of([&] { NodeRunner().run(g, g.nodes.at(1), none); }), "EM771");
}

}  // namespace
}  // namespace emulsion::graph
