// Catches: wrong index order, zero points, bias, requantisation or clamp in matmul, batch_matmul and fully_connected.
#include "generators/reference/matmul.h"

#include "tests/generators/contraction_case.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

using reference::Index;
using reference::Tensor;

Tensor with_extents(Tensor t, Index extents) {
    t.extents = std::move(extents);
    return t;
}

struct Shape {
    int n, m, k, batch;
};

/// `layout`: extents of a, b and out for the generator, from those of the reference.
void check(const char *generator, unsigned seed, int max_batch, bool transposed, bool flat, const char *a_name, const char *b_name) {
    std::mt19937 random(seed);
    for (const ContractionCase &c : contraction_cases) {
        const Shape s{pick(random, 1, 40), pick(random, 1, 20), pick(random, 1, 70), pick(random, 1, max_batch)};
        GeneratorRun run{.generator = generator};
        const reference::OutputStage stage = random_stage(random, c, s.n, run);
        const Tensor a = random_operand(random, c, {s.k, s.m, s.batch});
        const Tensor b = random_operand(random, c, transposed ? Index{s.k, s.n, s.batch} : Index{s.n, s.k, s.batch});
        const Tensor expected = reference::matmul(a, b, zero_of(run, "in_zero"), zero_of(run, "weight_zero"), transposed, stage);
        const auto shaped = [&](const Tensor &t) { return flat ? with_extents(t, {t.extents[0], t.extents[1]}) : t; };
        run.inputs[a_name] = shaped(a);
        run.inputs[b_name] = shaped(b);
        run.out_extents = shaped(expected).extents;
        if (!flat && transposed) run.params["transposed"] = "true";
        SCOPED_TRACE(c.type + " " + c.out_type + " " + c.rounding);
        expect_equal(run_generator(run), shaped(expected), c.tolerance() * s.k);
    }
}

TEST(Matmul, EqualsScalarReference) { check("matmul", 1, 1, false, true, "a", "b"); }
TEST(BatchMatmul, EqualsScalarReference) { check("batch_matmul", 2, 4, false, false, "a", "b"); }
TEST(BatchMatmul, TransposedEqualsScalarReference) { check("batch_matmul", 3, 4, true, false, "a", "b"); }
TEST(FullyConnected, EqualsScalarReference) { check("fully_connected", 4, 1, true, true, "in", "weights"); }

}  // namespace
}  // namespace emulsion
