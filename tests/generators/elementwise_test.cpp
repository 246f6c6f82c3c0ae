// Catches: wrong TFLite arithmetic, broadcasting or saturation in element-wise operators and conversions.
#include "generators/reference/elementwise.h"

#include "dsl/quant/quantize.h"
#include "generators/tables.h"
#include "tests/generators/run_generator.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

void set_scale(GeneratorRun &run, const std::string &name, double real, reference::Scale &scale) {
    const FixedPoint f = fixed_point(real);
    run.scalars[name + "_multiplier"] = f.multiplier;
    run.scalars[name + "_shift"] = f.shift;
    scale = {f.multiplier, f.shift};
}

/// Operands of rank 3, one of them broadcast in a dimension.
GeneratorRun broadcast_run(std::mt19937 &random, const char *generator, int lo, int hi) {
    const Index extents{pick(random, 1, 30), pick(random, 2, 9), pick(random, 1, 5)};
    Index narrow = extents;
    narrow[1] = 1;
    GeneratorRun run{.generator = generator, .params = {{"rank", "3"}, {"b_broadcast", "2"}}, .out_extents = extents};
    run.inputs["a"] = random_integers(random, extents, lo, hi);
    run.inputs["b"] = random_integers(random, narrow, lo, hi);
    return run;
}

reference::ElementwiseParameters quantise(GeneratorRun &run, double a_scale, double b_scale, double out_scale) {
    reference::ElementwiseParameters p{.a_zero = 5, .b_zero = -7, .out_zero = 3, .lowest = -100, .highest = 120};
    run.params.insert({{"quantized", "true"}, {"a_zero", "5"}, {"b_zero", "-7"}, {"out_zero", "3"}, {"out_min", "-100"}, {"out_max", "120"}});
    // TFLite: both operands relative to twice the larger scale; the output's 20 bits back.
    const double twice = 2 * std::max(a_scale, b_scale);
    set_scale(run, "a", a_scale / twice, p.a);
    set_scale(run, "b", b_scale / twice, p.b);
    set_scale(run, "out", twice / ((1 << 20) * out_scale), p.out);
    return p;
}

void check_sum(const char *generator, int sign) {
    std::mt19937 random(31);
    for (int n = 0; n < 4; n++) {
        GeneratorRun run = broadcast_run(random, generator, -128, 127);
        const reference::ElementwiseParameters p = quantise(run, 0.01 * pick(random, 1, 9), 0.01 * pick(random, 1, 9), 0.07);
        const Tensor expected = reference::broadcast(run.inputs["a"], run.inputs["b"], [&](double a, double b) { return reference::quantized_sum(a, b, sign, p); });
        expect_equal(run_generator(run), expected);
    }
}

TEST(Add, QuantisedEqualsScalarReference) { check_sum("add", 1); }
TEST(Sub, QuantisedEqualsScalarReference) { check_sum("sub", -1); }

TEST(Mul, QuantisedEqualsScalarReference) {
    std::mt19937 random(32);
    GeneratorRun run = broadcast_run(random, "mul", -128, 127);
    reference::ElementwiseParameters p = quantise(run, 0.02, 0.03, 0.05);
    set_scale(run, "out", 0.02 * 0.03 / 0.05, p.out);
    const Tensor expected = reference::broadcast(run.inputs["a"], run.inputs["b"], [&](double a, double b) { return reference::quantized_product(a, b, p); });
    expect_equal(run_generator(run), expected);
}

struct Plain {
    const char *generator;
    double (*f)(double, double);
};
constexpr Plain plain_operators[] = {{"add", [](double a, double b) { return a + b; }},
                                     {"sub", [](double a, double b) { return a - b; }},
                                     {"mul", [](double a, double b) { return a * b; }},
                                     {"minimum", [](double a, double b) { return std::min(a, b); }},
                                     {"maximum", [](double a, double b) { return std::max(a, b); }}};

TEST(Elementwise, PlainOperatorsUseTheTypesOwnArithmetic) {
    std::mt19937 random(33);
    for (const Plain &op : plain_operators) {
        for (const char *type : {"int8", "uint8", "int16", "int32", "float32"}) {
            const bool is_unsigned = type[0] == 'u';
            GeneratorRun run = broadcast_run(random, op.generator, is_unsigned ? 0 : -100, 100);
            run.params["type"] = type;
            const int bits = std::string(type) == "int16" ? 16 : 8;
            const auto wrap = [&](double v) -> double {
                if (std::string(type) == "int32" || std::string(type) == "float32") return v;
                const int64_t unit = int64_t{1} << bits, low = static_cast<int64_t>(v) & (unit - 1);
                return static_cast<double>(!is_unsigned && low >= unit / 2 ? low - unit : low);
            };
            const Tensor expected = reference::broadcast(run.inputs["a"], run.inputs["b"], [&](double a, double b) { return wrap(op.f(a, b)); });
            SCOPED_TRACE(std::string(op.generator) + " " + type);
            expect_equal(run_generator(run), expected);
        }
    }
}

TEST(Activation, LooksEveryValueUp) {
    for (const bool is_signed : {true, false}) {
        const int lowest = is_signed ? -128 : 0;
        GeneratorRun run{.generator = "activation", .params = {{"in_type", is_signed ? "int8" : "uint8"}, {"out_type", is_signed ? "int8" : "uint8"}}, .out_extents = {256}};
        const auto entries = generators::activation_table([](float x) { return std::tanh(x); }, is_signed, 0.05f, 3, 1.0f / 128, lowest + 128);
        Tensor in({256}), table({256});
        for (int v = 0; v < 256; v++) {
            in({v}) = lowest + v;
            table({v}) = entries[v];
        }
        run.inputs = {{"in", in}, {"table", table}};
        expect_equal(run_generator(run), table);
    }
}

TEST(Quantize, EqualsScalarReferencePerChannel) {
    std::mt19937 random(34);
    for (const char *ties : {"away", "even"}) {
        GeneratorRun run{.generator = "quantize", .params = {{"rank", "2"}, {"per_channel", "true"}, {"ties", ties}, {"out_type", "uint8"}}, .out_extents = {8, 50}};
        run.inputs["in"] = random_integers(random, {8, 50}, -400, 400);
        run.inputs["scale"] = random_integers(random, {8}, 1, 8);
        run.inputs["zero_point"] = random_integers(random, {8}, 0, 255);
        Tensor expected({8, 50});
        reference::for_each(expected.extents, [&](const Index &i) {
            expected(i) = reference::quantize(run.inputs["in"](i), static_cast<float>(run.inputs["scale"]({i[0]})), static_cast<int>(run.inputs["zero_point"]({i[0]})), ties[0] == 'a', 0, 255);
        });
        expect_equal(run_generator(run), expected);
    }
}

TEST(Dequantize, EqualsScalarReference) {
    std::mt19937 random(35);
    GeneratorRun run{.generator = "dequantize", .params = {{"in_type", "int8"}}, .out_extents = {200}};
    run.inputs["in"] = random_integers(random, {200}, -128, 127);
    run.inputs["scale"] = Tensor({1});
    run.inputs["scale"]({0}) = 0.25;
    run.inputs["zero_point"] = Tensor({1});
    run.inputs["zero_point"]({0}) = -9;
    Tensor expected({200});
    for (int i = 0; i < 200; i++) expected({i}) = 0.25 * (run.inputs["in"]({i}) + 9);
    expect_equal(run_generator(run), expected);
}

TEST(Requantize, EqualsScalarReferenceInEveryMode) {
    std::mt19937 random(36);
    for (const char *mode : {"single", "double", "floor", "trunc", "half_away", "rne_f32"}) {
        const bool real = std::string(mode) == "rne_f32";
        GeneratorRun run{.generator = "requantize", .params = {{"in_type", "int32"}, {"in_zero", "4"}, {"out_zero", "-6"}, {"rounding", mode}}, .out_extents = {300}};
        run.inputs["in"] = random_integers(random, {300}, -100000, 100000);
        run.scalars = {{"multiplier", real ? 0.0015 : 1500000001.0}, {"shift", 40}};
        Tensor expected({300});
        for (int i = 0; i < 300; i++) {
            const auto x = static_cast<int32_t>(run.inputs["in"]({i})) - 4;
            const int32_t q = real ? reference::Requantize::at(x, 0.0015f) : reference::Requantize::at(x, 1500000001, 40, mode);
            expected({i}) = std::clamp(q - 6, -128, 127);
        }
        SCOPED_TRACE(mode);
        expect_equal(run_generator(run), expected);
    }
}

}  // namespace
}  // namespace emulsion
