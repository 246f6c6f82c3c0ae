// Catches: a boundary rule that reads the wrong element, a marker whose box or mapped coordinates differ from its plain form.
#include "dsl/boundary.h"

#include "generators/reference/layout.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using Maker = Halide::Func (*)(Halide::Func, const boundary::Region &, Form);

struct Rule {
    const char *name;       ///< of the marker
    const char *reference;  ///< of generators/reference/layout.h
    Maker make;
};

constexpr int outside_value = 99;

Halide::Func constant(Halide::Func f, const boundary::Region &box, Form form) {
    return boundary::constant_exterior(f, outside_value, box, form);
}

/// The marker call of a boundary Func; Halide keeps common parts of a definition in lets.
Halide::Expr marker(const Halide::Func &filled) { return Halide::Internal::substitute_in_all_lets(filled.value()); }

class EveryRule : public testing::TestWithParam<Rule> {};

Halide::Func source() {
    Halide::Func f("source");
    Halide::Var x("x"), y("y");
    f(x, y) = Halide::cast<int16_t>(x * 16 + y);
    return f;
}

TEST_P(EveryRule, PlainFormFollowsTheRule) {
    const int n = 5, min = 2, margin = 11;
    Halide::Func padded = GetParam().make(source(), {{min, n}, {Halide::Expr(), Halide::Expr()}}, Form::plain);
    Halide::Buffer<int16_t> out(n + 2 * margin, 3);
    out.set_min(min - margin, 4);
    padded.realize(out);
    out.for_each_element([&](int x, int y) {
        const int at = reference::padded_coordinate(x - min, n, GetParam().reference);
        EXPECT_EQ(out(x, y), at < 0 ? outside_value : (at + min) * 16 + y) << GetParam().name << " at " << x << ", " << y;
    });
}

TEST_P(EveryRule, MarkerCarriesModeValueAndBox) {
    Halide::Func filled = GetParam().make(source(), {{2, 5}, {Halide::Expr(), Halide::Expr()}}, Form::npu);
    const Halide::Expr whole = marker(filled);
    const auto *call = whole.as<Halide::Internal::Call>();
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->name, std::string("emulsion.fill.") + GetParam().name);
    ASSERT_EQ(call->args.size(), 8u);
    EXPECT_TRUE(Halide::Internal::is_const(call->args[0], std::string(GetParam().name) == "constant_exterior" ? outside_value : 0));
    EXPECT_TRUE(Halide::Internal::is_const(Halide::Internal::simplify(call->args[3]), 2));
    EXPECT_TRUE(Halide::Internal::is_const(Halide::Internal::simplify(call->args[4]), 7));
    EXPECT_TRUE(Halide::Internal::is_const(call->args[6], INT32_MIN));
    EXPECT_TRUE(Halide::Internal::is_const(call->args[7], INT32_MAX));
}

TEST_P(EveryRule, MarkerReadsTheElementThatThePlainFormReads) {
    const boundary::Region box{{2, 5}, {0, 3}};
    Halide::Func filled = GetParam().make(source(), box, Form::npu), inner("inner");
    inner(filled.args()) = marker(filled).as<Halide::Internal::Call>()->args[1];
    Halide::Func plain = GetParam().make(source(), box, Form::plain);
    Halide::Buffer<int16_t> mapped(5, 3), expected(5, 3);
    for (auto *b : {&mapped, &expected}) b->set_min(2, 0);
    inner.realize(mapped);
    plain.realize(expected);
    mapped.for_each_element([&](int x, int y) { EXPECT_EQ(mapped(x, y), expected(x, y)); });
}

INSTANTIATE_TEST_SUITE_P(Boundary, EveryRule,
                         testing::Values(Rule{"constant_exterior", "constant", constant}, Rule{"repeat_edge", "edge", boundary::repeat_edge},
                                         Rule{"mirror_image", "symmetric", boundary::mirror_image},
                                         Rule{"mirror_interior", "reflect", boundary::mirror_interior},
                                         Rule{"repeat_image", "repeat", boundary::repeat_image}),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace emulsion
