// Catches: marks lost or misspelt, and a reorder that moves loops it was not told about.
#include "dsl/mark.h"

#include "dsl/memory.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

struct Product {
    Halide::Var n{"n"}, m{"m"};
    Halide::RDom k{0, 64, "k"};
    Halide::Func acc{"acc"};
    Product() {
        acc(n, m) = 0;
        acc(n, m) += Halide::cast<int32_t>(n + k) * Halide::cast<int32_t>(m * k);
    }
};

TEST(TileMatmul, OrdersRowsColumnsStreamedInsideTheOtherLoops) {
    Product p;
    Halide::RVar ko("ko"), ki("ki");
    p.acc.update().split(p.k, ko, ki, 16);
    tile_matmul(p.acc, {p.n}, {p.m}, {ki});
    const auto &dims = p.acc.function().update(0).schedule().dims();
    std::vector<std::string> order;
    for (const auto &d : dims) order.push_back(d.var.substr(d.var.rfind('.') + 1));
    EXPECT_EQ(order, (std::vector<std::string>{"ki", "n", "m", "ko", Halide::Var::outermost().name()}));
    EXPECT_TRUE(p.acc.function().update(0).schedule().atomic());
}

TEST(TileMatmul, MarksEngineColumnsPlaceAndMemory) {
    Product p;
    tile_matmul(p.acc, {p.n}, {p.m}, {p.k});
    EXPECT_EQ(find_mark(p.acc, "engine"), "mx");
    EXPECT_EQ(find_mark(p.acc, "columns"), "n");
    EXPECT_EQ(find_mark(p.acc, "at").rfind("tests/dsl/mark_test.cpp:", 0), 0u);
    EXPECT_EQ(p.acc.function().schedule().memory_type(), accumulator);
}

TEST(Marks, SurviveTheCopyThatLoweringMakes) {
    Product p;
    tile_matmul(p.acc, {p.n}, {p.m}, {p.k});
    std::vector<Halide::Internal::Function> outputs{p.acc.function()};
    auto [copies, environment] = Halide::Internal::deep_copy(outputs, Halide::Internal::build_environment(outputs));
    EXPECT_EQ(find_mark(Halide::Func(copies[0]), "engine"), "mx");
}

TEST(Drain, MarksTheOutputUnitAndKeepsTheFirstPlace) {
    Halide::Func f("f");
    Halide::Var x("x");
    f(x) = x;
    mark(f, "at", "somewhere.cpp:1");
    drain(f);
    EXPECT_EQ(find_mark(f, "engine"), "ou");
    EXPECT_EQ(find_mark(f, "at"), "somewhere.cpp:1");
}

}  // namespace
}  // namespace emulsion
