// Catches: wrong arithmetic, broadcasting or types in div, minimum, maximum, pow, modulo, bitwise, compare, select and cast.
#include "tests/graph/ops/node_case.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using Index = std::vector<int64_t>;

struct Operands {
    Numbers a, b;
    Index shape;
    double left(const Index &i) const { return value(a, i); }
    double right(const Index &i) const { return value(b, i); }

    static double value(const Numbers &n, const Index &i) {
        Index at;
        for (size_t d = 0; d < n.extents.size(); d++) at.push_back(n.extents[d] == 1 ? 0 : i[i.size() - n.extents.size() + d]);
        return n.at(at);
    }
};

// Broadcast in random dimensions, of rank up to 5.
Operands operands(std::mt19937 &random, DataType type, int low, int high) {
    Index shape, a, b;
    for (int64_t d = pick(random, 1, 5); d > 0; d--) {
        const int64_t e = pick(random, 1, 7), how = pick(random, 0, 3);
        shape.push_back(e), a.push_back(how == 0 ? 1 : e), b.push_back(how == 1 ? 1 : e);
    }
    if (pick(random, 0, 3) == 0) b.erase(b.begin(), b.begin() + static_cast<int64_t>(b.size()) / 2);
    Index result = shape;
    for (size_t d = 0; d < shape.size(); d++) {
        const size_t skip = shape.size() - b.size();
        result[d] = std::max(a[d], d < skip ? 1 : b[d - skip]);
    }
    return {random_numbers(random, type, a, low, high), random_numbers(random, type, b, low, high), result};
}

void check(std::mt19937 &random, const std::string &op, const Attributes &attributes, DataType type, int low, int high, double (*f)(double, double)) {
    for (int n = 0; n < 3; n++) {
        const Operands o = operands(random, type, low, high);
        expect_node(op, attributes, {o.a, o.b}, {made(type, o.shape, [&](const Index &i) { return f(o.left(i), o.right(i)); })});
    }
}

const Attributes none;
Attributes function(const char *name) { return {{"function", std::string(name)}}; }

TEST(Binary, DivisionGoesTowardZero) {
    std::mt19937 random(21);
    for (DataType t : {DataType::i8, DataType::i32, DataType::i64})
        check(random, "div", none, t, -100, 100, [](double a, double b) { return b == 0 ? 0 : std::trunc(a / b); });
    check(random, "div", none, DataType::f32, 1, 100, [](double a, double b) { return static_cast<double>(static_cast<float>(a) / static_cast<float>(b)); });
    check(random, "div", {{"activation", std::string("relu6")}}, DataType::f32, 1, 100, [](double a, double b) { return std::clamp(static_cast<double>(static_cast<float>(a / b)), 0.0, 6.0); });
}

TEST(Binary, MinimumAndMaximum) {
    std::mt19937 random(22);
    for (DataType t : {DataType::i8, DataType::u8, DataType::i32, DataType::f32}) {
        check(random, "minimum", none, t, 0, 100, [](double a, double b) { return std::min(a, b); });
        check(random, "maximum", none, t, 0, 100, [](double a, double b) { return std::max(a, b); });
    }
}

TEST(Binary, PowerOfSmallWholeNumbersIsExact) {
    std::mt19937 random(23);
    check(random, "pow", none, DataType::f32, 0, 6, [](double a, double b) { return std::pow(a, b); });
}

TEST(Binary, RemaindersTakeTheSignOfTheDivisorOrTheDividend) {
    std::mt19937 random(24);
    const auto floored = [](double a, double b) { return b == 0 ? 0 : a - b * std::floor(a / b); };
    const auto truncated = [](double a, double b) { return b == 0 ? a : std::fmod(a, b); };
    for (DataType t : {DataType::i8, DataType::i32, DataType::i64}) {
        check(random, "modulo", none, t, -100, 100, floored);
        check(random, "modulo", {{"fmod", int64_t{1}}}, t, -100, 100, truncated);
    }
    check(random, "modulo", none, DataType::f32, 1, 1000000, floored);
    check(random, "modulo", {{"fmod", int64_t{1}}}, DataType::f32, 1, 1000000, truncated);
}

TEST(Binary, FloatRemaindersAreExact) {
    std::mt19937 random(25);
    std::uniform_real_distribution<float> real(-50, 50);
    Numbers a = made(DataType::f32, {400}, [&](const Index &) { return real(random) * 1000; }), b = made(DataType::f32, {400}, [&](const Index &) { return real(random); });
    expect_node("modulo", {{"fmod", int64_t{1}}}, {a, b}, {made(DataType::f32, {400}, [&](const Index &i) { return std::fmod(static_cast<float>(a.at(i)), static_cast<float>(b.at(i))); })});
}

TEST(Binary, BitwiseFunctions) {
    std::mt19937 random(26);
    for (DataType t : {DataType::u8, DataType::i32, DataType::boolean}) {
        const int high = t == DataType::boolean ? 1 : 100;
        check(random, "bitwise", function("and"), t, 0, high, [](double a, double b) { return double(int64_t(a) & int64_t(b)); });
        check(random, "bitwise", function("or"), t, 0, high, [](double a, double b) { return double(int64_t(a) | int64_t(b)); });
        check(random, "bitwise", function("xor"), t, 0, high, [](double a, double b) { return double(int64_t(a) ^ int64_t(b)); });
    }
    check(random, "bitwise", function("shift_left"), DataType::i32, 0, 7, [](double a, double b) { return std::ldexp(a, int(b)); });
    check(random, "bitwise", function("shift_right"), DataType::i32, 0, 7, [](double a, double b) { return std::floor(std::ldexp(a, -int(b))); });
}

struct Comparison {
    const char *name;
    double (*f)(double, double);
};
constexpr Comparison comparisons[] = {{"equal", [](double a, double b) { return double(a == b); }},     {"not_equal", [](double a, double b) { return double(a != b); }},
                                      {"less", [](double a, double b) { return double(a < b); }},        {"less_equal", [](double a, double b) { return double(a <= b); }},
                                      {"greater", [](double a, double b) { return double(a > b); }},     {"greater_equal", [](double a, double b) { return double(a >= b); }}};

TEST(Compare, GivesBooleans) {
    std::mt19937 random(27);
    for (const Comparison &c : comparisons)
        for (DataType t : {DataType::i8, DataType::i32, DataType::f32, DataType::i64}) {
            const Operands o = operands(random, t, -3, 3);
            expect_node("compare", function(c.name), {o.a, o.b}, {made(DataType::boolean, o.shape, [&](const Index &i) { return c.f(o.left(i), o.right(i)); })});
        }
}

TEST(Compare, ComparesTheRealNumbersOfQuantisedTensors) {
    std::mt19937 random(28);
    for (const Comparison &c : comparisons) {
        Operands o = operands(random, DataType::i8, -128, 127);
        o.a.quantization = {{0.5f}, {3}, -1};
        o.b.quantization = {{0.25f}, {-7}, -1};
        expect_node("compare", function(c.name), {o.a, o.b}, {made(DataType::boolean, o.shape, [&](const Index &i) { return c.f(0.5 * (o.left(i) - 3), 0.25 * (o.right(i) + 7)); })});
    }
}

TEST(Select, TakesEitherSide) {
    std::mt19937 random(29);
    for (DataType t : {DataType::i8, DataType::f32, DataType::i64}) {
        Operands o = operands(random, t, -100, 100);
        Index shape = o.shape;
        if (shape.size() > 1) shape[0] = 1;
        const Numbers condition = random_numbers(random, DataType::boolean, shape, 0, 1);
        expect_node("select", none, {condition, o.a, o.b}, {made(t, o.shape, [&](const Index &i) { return Operands::value(condition, i) != 0 ? o.left(i) : o.right(i); })});
    }
}

TEST(Cast, ConvertsAsCDoes) {
    std::mt19937 random(30);
    const Numbers in = random_numbers(random, DataType::i32, {7, 31}, -1000, 1000);
    expect_node("cast", none, {in}, {made(DataType::i8, in.extents, [&](const Index &i) { return static_cast<int8_t>(static_cast<int>(in.at(i))); })});
    expect_node("cast", {{"saturate", int64_t{1}}}, {in}, {made(DataType::i8, in.extents, [&](const Index &i) { return std::clamp(in.at(i), -128.0, 127.0); })});
    expect_node("cast", none, {in}, {made(DataType::boolean, in.extents, [&](const Index &i) { return double(in.at(i) != 0); })});
    expect_node("cast", none, {in}, {made(DataType::f32, in.extents, [&](const Index &i) { return in.at(i); })});
    const Numbers halves = made(DataType::f32, {63}, [](const Index &i) { return (static_cast<double>(i[0]) - 31) / 2; });
    expect_node("cast", none, {halves}, {made(DataType::i64, {63}, [&](const Index &i) { return std::trunc(halves.at(i)); })});
    expect_node("cast", none, {halves}, {made(DataType::i8, {63}, [&](const Index &i) { return std::trunc(halves.at(i)); })});
    const Numbers flags = random_numbers(random, DataType::boolean, {13}, 0, 1);
    expect_node("cast", none, {flags}, {made(DataType::f32, {13}, [&](const Index &i) { return flags.at(i); })});
    expect_node("cast", none, {flags}, {made(DataType::u8, {13}, [&](const Index &i) { return flags.at(i); })});
}

TEST(Elementwise, RefusesWhatDoesNotFit) {
    std::mt19937 random(31);
    const Numbers a = random_numbers(random, DataType::i8, {2, 3}), b = random_numbers(random, DataType::i8, {2, 2}), c = random_numbers(random, DataType::i16, {2, 3}),
                  f = random_numbers(random, DataType::f32, {2, 3}), d = random_numbers(random, DataType::f64, {2, 3});
    for (const char *op : {"div", "minimum", "maximum", "pow", "modulo"}) {
        EXPECT_EQ(code_of_node(op, none, {a, b}, {a}), "EM707") << op;
        EXPECT_EQ(code_of_node(op, none, {a, c}, {a}), "EM707") << op;
    }
    EXPECT_EQ(code_of_node("minimum", none, {d, d}, {d}), "EM710");
    EXPECT_EQ(code_of_node("pow", none, {a, a}, {a}), "EM710");
    EXPECT_EQ(code_of_node("bitwise", function("and"), {f, f}, {f}), "EM707");
    EXPECT_EQ(code_of_node("bitwise", function("nand"), {a, a}, {a}), "EM710");
    EXPECT_EQ(code_of_node("compare", function("approximately"), {a, a}, {a}), "EM710");
    EXPECT_EQ(code_of_node("select", none, {a, a, a}, {a}), "EM707");
    Numbers quantised = a;
    quantised.quantization = {{0.5f}, {0}, -1};
    EXPECT_EQ(code_of_node("div", none, {quantised, quantised}, {quantised}), "EM710");
    EXPECT_EQ(code_of_node("div", {{"activation", std::string("tanh")}}, {f, f}, {f}), "EM710");
}

}  // namespace
}  // namespace emulsion::graph
