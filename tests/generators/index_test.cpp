// Catches: wrong elements in generators that copy, choose, convert, compare or index: copy, cast, compare, select, binary, gather, one_hot,
// arg_reduce, cumulative_sum.
#include "tests/generators/run_generator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

Tensor made(const Index &extents, const std::function<double(const Index &)> &f) {
    Tensor t(extents);
    reference::for_each(extents, [&](const Index &i) { t(i) = f(i); });
    return t;
}

TEST(Copy, OfAnyRank) {
    std::mt19937 random(61);
    Index extents;
    for (int rank = 1; rank <= 6; rank++) {
        extents.push_back(pick(random, 1, 4));
        GeneratorRun run{.generator = "copy", .params = {{"type", "int16"}, {"rank", std::to_string(rank)}}, .out_extents = extents};
        run.inputs["in"] = random_integers(random, extents, -1000, 1000);
        expect_equal(run_generator(run), run.inputs["in"]);
    }
}

TEST(Cast, WrapsSaturatesOrTests) {
    const Tensor in = made({9}, [](const Index &i) { return (i[0] - 4) * 75.5; });
    const auto cast = [&](const char *flag) {
        GeneratorRun run{.generator = "cast", .params = {{"in_type", "float32"}, {"out_type", "uint8"}}, .inputs = {{"in", in}}, .out_extents = {9}};
        if (*flag) run.params[flag] = "true";
        return run_generator(run);
    };
    expect_equal(cast(""), made({9}, [&](const Index &i) { return static_cast<uint8_t>(static_cast<int>(in(i))); }));
    expect_equal(cast("saturate"), made({9}, [&](const Index &i) { return std::trunc(std::clamp(in(i), 0.0, 255.0)); }));
    expect_equal(cast("to_boolean"), made({9}, [&](const Index &i) { return in(i) != 0; }));
}

TEST(Compare, RescalesQuantisedSides) {
    std::mt19937 random(62);
    GeneratorRun run{.generator = "compare", .params = {{"op", "less"}, {"quantized", "true"}, {"a_zero", "3"}, {"b_zero", "-7"}}, .out_extents = {500}};
    run.inputs = {{"a", random_integers(random, {500}, -128, 127)}, {"b", random_integers(random, {500}, -128, 127)}};
    run.scalars = {{"a_multiplier", 1 << 30}, {"a_shift", 31}, {"b_multiplier", 1 << 30}, {"b_shift", 32}};  // scales 1/2 and 1/4
    expect_equal(run_generator(run), made({500}, [&](const Index &i) { return 0.5 * (run.inputs["a"](i) - 3) < 0.25 * (run.inputs["b"](i) + 7); }));
}

TEST(Select, BroadcastsEveryOperand) {
    std::mt19937 random(63);
    GeneratorRun run{.generator = "select", .params = {{"type", "int16"}, {"rank", "3"}, {"condition_broadcast", "1"}, {"a_broadcast", "2"}, {"b_broadcast", "4"}}, .out_extents = {5, 4, 3}};
    run.inputs = {{"condition", random_integers(random, {1, 4, 3}, 0, 1)}, {"a", random_integers(random, {5, 1, 3}, 0, 9)}, {"b", random_integers(random, {5, 4, 1}, 0, 9)}};
    expect_equal(run_generator(run), made({5, 4, 3}, [&](const Index &i) {
        return run.inputs["condition"]({0, i[1], i[2]}) != 0 ? run.inputs["a"]({i[0], 0, i[2]}) : run.inputs["b"]({i[0], i[1], 0});
    }));
}

struct Function {
    const char *op;
    double (*f)(double, double);
};
constexpr Function functions[] = {{"div", [](double a, double b) { return b == 0 ? 0 : std::trunc(a / b); }},
                                  {"floor_mod", [](double a, double b) { return b == 0 ? 0 : a - b * std::floor(a / b); }},
                                  {"trunc_mod", [](double a, double b) { return b == 0 ? a : std::fmod(a, b); }},
                                  {"bit_and", [](double a, double b) { return double(int(a) & int(b)); }},
                                  {"bit_or", [](double a, double b) { return double(int(a) | int(b)); }},
                                  {"bit_xor", [](double a, double b) { return double(int(a) ^ int(b)); }}};

TEST(Binary, IntegerFunctions) {
    std::mt19937 random(64);
    for (const Function &f : functions) {
        GeneratorRun run{.generator = "binary", .params = {{"op", f.op}, {"type", "int32"}}, .out_extents = {300}};
        run.inputs = {{"a", random_integers(random, {300}, -50, 50)}, {"b", random_integers(random, {300}, -9, 9)}};
        SCOPED_TRACE(f.op);
        expect_equal(run_generator(run), made({300}, [&](const Index &i) { return f.f(run.inputs["a"](i), run.inputs["b"](i)); }));
    }
}

TEST(Gather, TakesTheNearestForWhatLiesOutside) {
    std::mt19937 random(65);
    GeneratorRun run{.generator = "gather", .params = {{"type", "int16"}}, .out_extents = {4, 7, 3, 2}};
    run.inputs = {{"in", random_integers(random, {4, 5, 3, 2}, -1000, 1000)}, {"indices", random_integers(random, {7, 2}, -8, 8)}};
    expect_equal(run_generator(run), made({4, 7, 3, 2}, [&](const Index &i) {
        const int k = static_cast<int>(run.inputs["indices"]({i[1], i[3]}));
        return run.inputs["in"]({i[0], std::clamp(k < 0 ? k + 5 : k, 0, 4), i[2], i[3]});
    }));
}

TEST(OneHot, IsOnAtTheIndex) {
    std::mt19937 random(66);
    for (const bool wrap : {false, true}) {
        GeneratorRun run{.generator = "one_hot", .params = {{"type", "int8"}, {"on", "5"}, {"off", "-2"}, {"wrap", wrap ? "true" : "false"}}, .out_extents = {3, 6, 4}};
        run.inputs["indices"] = random_integers(random, {3, 4}, -6, 7);
        expect_equal(run_generator(run), made({3, 6, 4}, [&](const Index &i) {
            const double k = run.inputs["indices"]({i[0], i[2]});
            return (wrap && k < 0 ? k + 6 : k) == i[1] ? 5 : -2;
        }));
    }
}

TEST(ArgReduce, FirstOrLastOfEqualElements) {
    std::mt19937 random(67);
    for (const bool max : {false, true})
        for (const bool last : {false, true}) {
            GeneratorRun run{.generator = "arg_reduce", .params = {{"op", max ? "max" : "min"}, {"last", last ? "true" : "false"}}, .out_extents = {5, 7}};
            run.inputs["in"] = random_integers(random, {5, 19, 7}, 0, 3);
            expect_equal(run_generator(run), made({5, 7}, [&](const Index &i) {
                int best = 0;
                const auto value = [&](int a) { return (max ? 1 : -1) * run.inputs["in"]({i[0], a, i[1]}); };
                for (int a = 1; a < 19; a++)
                    if (value(a) > value(best) || (last && value(a) == value(best))) best = a;
                return best;
            }));
        }
}

TEST(CumulativeSum, FromBothEnds) {
    std::mt19937 random(68);
    for (const bool exclusive : {false, true})
        for (const bool reverse : {false, true}) {
            GeneratorRun run{.generator = "cumulative_sum", .params = {{"type", "int32"}, {"exclusive", exclusive ? "true" : "false"}, {"reverse", reverse ? "true" : "false"}}, .out_extents = {4, 9, 3}};
            run.inputs["in"] = random_integers(random, {4, 9, 3}, -99, 99);
            expect_equal(run_generator(run), made({4, 9, 3}, [&](const Index &i) {
                double sum = 0;
                for (int a = 0; a < 9; a++)
                    if ((reverse ? a > i[1] : a < i[1]) || (a == i[1] && !exclusive)) sum += run.inputs["in"]({i[0], a, i[2]});
                return sum;
            }));
        }
}

}  // namespace
}  // namespace emulsion
