// Catches: padding that counts or wins, wrong rounding of averages, wrong reduced dimensions.
#include "generators/reference/pool.h"

#include "generators/reference/reduce.h"
#include "generators/reference/requantize.h"
#include "tests/generators/run_generator.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

struct TypeCase {
    const char *type;
    bool floating;
    int lo, hi;
};
constexpr TypeCase types[] = {{"int8", false, -128, 127}, {"uint8", false, 0, 255}, {"int16", false, -32768, 32767}, {"float32", true, 0, 0}};

Tensor random_input(std::mt19937 &random, const TypeCase &t, Index extents) {
    return t.floating ? random_reals(random, std::move(extents)) : random_integers(random, std::move(extents), t.lo, t.hi);
}

Tensor random_image(std::mt19937 &random, const TypeCase &t) {
    return random_input(random, t, {pick(random, 1, 20), pick(random, 4, 12), pick(random, 4, 12), pick(random, 1, 2)});
}

/// A window whose every position covers at least one element.
reference::Window random_window(std::mt19937 &random, const Tensor &in, GeneratorRun &run) {
    const reference::Window w{.kernel_x = pick(random, 2, 4), .kernel_y = pick(random, 2, 4), .stride_x = pick(random, 1, 3),
                              .stride_y = pick(random, 1, 3), .pad_x = pick(random, 0, 1), .pad_y = pick(random, 0, 1)};
    const std::pair<const char *, int> fields[] = {{"kernel_x", w.kernel_x}, {"kernel_y", w.kernel_y}, {"stride_x", w.stride_x},
                                                   {"stride_y", w.stride_y}, {"pad_x", w.pad_x}, {"pad_y", w.pad_y}};
    for (const auto &[name, value] : fields) run.params[name] = std::to_string(value);
    const auto outputs = [](int n, int stride, int pad) { return (n - 1 + pad) / stride + 1; };
    run.out_extents = {in.extents[0], outputs(in.extents[1], w.stride_x, w.pad_x), outputs(in.extents[2], w.stride_y, w.pad_y), in.extents[3]};
    return w;
}

TEST(MaxPool, EqualsScalarReference) {
    std::mt19937 random(21);
    for (const TypeCase &t : types) {
        GeneratorRun run{.generator = "max_pool", .params = {{"type", t.type}}};
        const Tensor in = run.inputs["in"] = random_image(random, t);
        const reference::Window w = random_window(random, in, run);
        expect_equal(run_generator(run), reference::max_pool(in, w, run.out_extents, t.floating ? -3.4e38 : t.lo));
    }
}

TEST(AveragePool, EqualsScalarReference) {
    std::mt19937 random(22);
    for (const TypeCase &t : types) {
        GeneratorRun run{.generator = "average_pool", .params = {{"type", t.type}}};
        const Tensor in = run.inputs["in"] = random_image(random, t);
        const reference::Window w = random_window(random, in, run);
        expect_equal(run_generator(run), reference::average_pool(in, w, run.out_extents, t.floating), t.floating ? reference::pool_tolerance : 0);
    }
}

TEST(GlobalAveragePool, EqualsScalarReference) {
    std::mt19937 random(23);
    for (const TypeCase &t : types) {
        GeneratorRun run{.generator = "global_average_pool", .params = {{"type", t.type}}};
        const Tensor in = run.inputs["in"] = random_image(random, t);
        const Tensor expected = reference::global_average_pool(in, t.floating);
        run.out_extents = expected.extents;
        expect_equal(run_generator(run), expected, t.floating ? 1e-5 : 0);
    }
}

TEST(Reduce, EqualsScalarReferenceForEverySetOfDimensions) {
    std::mt19937 random(24);
    for (int axes = 1; axes < 16; axes++) {
        for (const char *op : {"sum", "max", "min"}) {
            GeneratorRun run{.generator = "reduce", .params = {{"op", op}, {"axes", std::to_string(axes)}, {"in_type", "int8"}}};
            const bool sum = std::string(op) == "sum";
            run.params["out_type"] = sum ? "int32" : "int8";
            run.params["in_zero"] = "3";
            const Tensor in = run.inputs["in"] = random_integers(random, {pick(random, 1, 20), pick(random, 1, 7), pick(random, 1, 5), pick(random, 1, 3)}, -128, 127);
            const Tensor expected = reference::reduce(in, op, axes, sum ? 3 : 0);
            run.out_extents = expected.extents;
            SCOPED_TRACE(std::string(op) + " axes " + std::to_string(axes));
            expect_equal(run_generator(run), expected);
        }
    }
}

TEST(Reduce, MeanRequantises) {
    std::mt19937 random(25);
    GeneratorRun run{.generator = "reduce", .params = {{"op", "mean"}, {"axes", "6"}, {"in_zero", "-5"}, {"out_zero", "2"}}};
    const Tensor in = run.inputs["in"] = random_integers(random, {9, 7, 6, 2}, -128, 127);
    Tensor expected = reference::reduce(in, "sum", 6, -5);
    run.scalars = {{"multiplier", 1636178090}, {"shift", 36}};  // 1/42
    for (double &v : expected.values)
        v = std::clamp(reference::Requantize::at(static_cast<int32_t>(v), 1636178090, 36, "double") + 2, -128, 127);
    run.out_extents = expected.extents;
    expect_equal(run_generator(run), expected);
}

TEST(Reduce, FloatMeanDividesByTheCount) {
    std::mt19937 random(26);
    GeneratorRun run{.generator = "reduce", .params = {{"op", "mean"}, {"axes", "5"}, {"in_type", "float32"}, {"out_type", "float32"}}};
    const Tensor in = run.inputs["in"] = random_reals(random, {9, 7, 6, 2});
    Tensor expected = reference::reduce(in, "sum", 5, 0);
    for (double &v : expected.values) v /= 54;
    run.out_extents = expected.extents;
    expect_equal(run_generator(run), expected, reference::reduce_tolerance);
}

}  // namespace
}  // namespace emulsion
