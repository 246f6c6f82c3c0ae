// Catches: any bit in which a shape rule, a lowering or a generator differs from LiteRT's reference kernel, on the host and on machines.
#include "graph/ir/operator_table.h"
#include "graph/kernel/run_nodes.h"
#include "tests/graph/ops/case_file.h"

#include <algorithm>
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>

namespace emulsion::graph {
namespace {

const std::vector<OperatorCase> &cases() {
    static const std::vector<OperatorCase> all = [] {
        std::vector<OperatorCase> both = read_cases(EMULSION_LITERT_CASES), moves = read_cases(EMULSION_LITERT_MOVEMENT_CASES);
        std::move(moves.begin(), moves.end(), std::back_inserter(both));
        return both;
    }();
    return all;
}

/// How near floats must be; both 0: the same bits.
struct Tolerance {
    std::string_view name;
    int64_t ulps = 0;     ///< units in the last place
    double absolute = 0;
};

// LiteRT rounds these functions in float32, the machine and our host form from double precision. Its gelu is Eigen's erfc and tanh.
constexpr Tolerance tolerances[] = {{"sin_f32", 1, 0}, {"cos_f32", 1, 0}, {"log_f32", 1, 0}, {"tanh_f32", 1, 0}, {"gelu_f32", 0, 1e-6}, {"gelu_tanh_f32", 0, 1e-6}};

Tolerance tolerance(const std::string &name) {
    for (const Tolerance &t : tolerances)
        if (t.name == name) return t;
    return {};
}

bool near(float a, float b, const Tolerance &t) {
    int32_t bits[2];
    std::memcpy(&bits[0], &a, 4);
    std::memcpy(&bits[1], &b, 4);
    const auto ordered = [](int32_t x) { return x < 0 ? int64_t{INT32_MIN} - x : int64_t{x}; };
    return std::abs(ordered(bits[0]) - ordered(bits[1])) <= t.ulps || std::abs(static_cast<double>(a) - b) < t.absolute;
}

/// Index of the first element that differs, or -1. The buffers have one size.
int64_t first_difference(DataType type, const std::vector<uint8_t> &got, const std::vector<uint8_t> &expected, const Tolerance &t) {
    if (type != DataType::f32) {
        const auto [a, b] = std::mismatch(got.begin(), got.end(), expected.begin());
        return a == got.end() ? -1 : (a - got.begin()) * 8 / info(type).bits;
    }
    for (size_t k = 0; k < expected.size(); k += 4) {
        float a, b;
        std::memcpy(&a, got.data() + k, 4);
        std::memcpy(&b, expected.data() + k, 4);
        if (!near(a, b, t)) return static_cast<int64_t>(k / 4);
    }
    return -1;
}

class LiteRt : public testing::TestWithParam<size_t> {};

void check(const OperatorCase &c, const TargetDesc *target) {
    Graph graph = c.graph;
    find_operator(graph.nodes[0].op)->infer(graph, graph.nodes[0]);
    const Value &out = graph.value(graph.outputs[0]);
    ASSERT_EQ(extents_of(out.shape, out.name), c.out_extents);
    const Tensors tensors = run_nodes(graph, c.inputs, target);
    const std::vector<uint8_t> &got = tensors.at(graph.outputs[0]);
    ASSERT_EQ(got.size(), c.expected.size());
    EXPECT_EQ(first_difference(out.type, got, c.expected, tolerance(c.name)), -1);
}

TEST_P(LiteRt, HostHasTheSameBits) { check(cases()[GetParam()], nullptr); }

TEST_P(LiteRt, MachineHasTheSameBits) {
    static const TargetDesc edge = load_target("edge-256"), mobile = load_target("mobile");
    check(cases()[GetParam()], GetParam() % 2 ? &edge : &mobile);
}

INSTANTIATE_TEST_SUITE_P(Cases, LiteRt, testing::Range(size_t{0}, std::max(cases().size(), size_t{1})),
                         [](const testing::TestParamInfo<size_t> &p) { return cases().at(p.param).name; });

}  // namespace
}  // namespace emulsion::graph
