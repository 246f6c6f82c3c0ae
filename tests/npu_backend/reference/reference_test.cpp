// The reference runs a generator's algorithm on the CPU, whatever its signature.
#include "npu_backend/reference/reference.h"

#include "dsl/emulsion.h"
#include "npu_backend/reference/stages.h"
#include "runtime/diag/diag.h"

#include <gtest/gtest.h>

namespace {

/// out[i](x) = in[i](x - 1) + in[i](x + 1) + k; both = (sum, product) of in_0 and in_1
class ReferenceTestKernel : public emulsion::Generator<ReferenceTestKernel> {
public:
    static constexpr const char *says = "A kernel with arrays, a Tuple and scalars.";
    GeneratorParam<int> distance{"distance", 1};
    Input<Buffer<uint8_t, 1>[2]> in{"in"};
    Input<int32_t> k{"k"};
    Input<float> scale{"scale"};
    Output<Buffer<int32_t, 1>[2]> out{"out"};
    Output<Func> both{"both", {Int(32), Float(32)}, 1};

    void generate() {
        Var x("x");
        for (int i = 0; i < 2; i++) {
            Func wide("wide");
            wide(x) = cast<int32_t>(in[i](x));
            out[i](x) = wide(x) + wide(x + 2 * distance) + k;
        }
        both(x) = Tuple(cast<int32_t>(in[0](x)) + in[1](x), cast<float>(in[0](x)) * scale);
    }
};

}  // namespace

EMULSION_REGISTER_GENERATOR(ReferenceTestKernel, reference_test_kernel)

namespace emulsion {
namespace {

using Halide::Buffer;

class ReferenceTest : public testing::Test {
protected:
    static Buffer<uint8_t> ramp(int extent, int step) {
        Buffer<uint8_t> b(extent);
        b.for_each_element([&](int x) { b(x) = static_cast<uint8_t>(x * step); });
        return b;
    }
    Reference reference{CompileRequest{"reference_test_kernel", {{"machine", "mobile"}, {"distance", "2"}}, {}, {}, {}, {}}};
    NamedBuffers inputs{{"in_0", ramp(14, 3)}, {"in_1", ramp(14, 5)}};
    Buffer<int32_t> out0{10}, out1{10}, sum{10};
    Buffer<float> product{10};
    NamedBuffers outputs{{"out_0", out0}, {"out_1", out1}, {"both.0", sum}, {"both.1", product}};
    NamedScalars scalars{{"k", -100}, {"scale", 0x3f000000}};  // 0.5f
};

TEST_F(ReferenceTest, names_every_parameter) {
    std::string names;
    for (const Signature &s : reference.signature()) names += s.name + " ";
    EXPECT_EQ(names, "in_0 in_1 k scale out_0 out_1 both.0 both.1 ");
}

TEST_F(ReferenceTest, computes_arrays_tuples_and_scalars) {
    reference.run(inputs, outputs, scalars);
    for (int x = 0; x < 10; x++) {
        EXPECT_EQ(out0(x), 3 * x + 3 * (x + 4) - 100);
        EXPECT_EQ(out1(x), 5 * x + 5 * (x + 4) - 100);
        EXPECT_EQ(sum(x), 8 * x);
        EXPECT_EQ(product(x), 1.5f * x);
    }
}

TEST_F(ReferenceTest, runs_again_on_other_shapes) {
    reference.run(inputs, outputs, scalars);
    Buffer<int32_t> small0(3), small1(3), small_sum(3);
    Buffer<float> small_product(3);
    reference.run({{"in_0", ramp(7, 1)}, {"in_1", ramp(7, 1)}},
                  {{"out_0", small0}, {"out_1", small1}, {"both.0", small_sum}, {"both.1", small_product}}, scalars);
    EXPECT_EQ(small0(2), 2 + 6 - 100);
}

TEST_F(ReferenceTest, says_what_extents_inputs_need) {
    const auto extents = reference.input_extents({{"out_0", {10}}, {"out_1", {8}}, {"both.0", {10}}, {"both.1", {10}}}, scalars);
    EXPECT_EQ(extents.at("in_0"), std::vector<int>{14});
    EXPECT_EQ(extents.at("in_1"), std::vector<int>{12});
    const auto given = reference.input_extents(
        {{"in_0", {99}}, {"out_0", {10}}, {"out_1", {8}}, {"both.0", {10}}, {"both.1", {10}}}, scalars);
    EXPECT_EQ(given.at("in_0"), std::vector<int>{99});
    EXPECT_EQ(given.at("in_1"), std::vector<int>{12});
}

std::string code_of(auto body) {
    try {
        body();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "";
}

TEST_F(ReferenceTest, refuses_what_is_missing_or_wrong) {
    EXPECT_EQ(code_of([] { Reference(CompileRequest{"no_such_kernel", {}, {}, {}, {}, {}}); }), "EM211");
    EXPECT_EQ(code_of([] { Reference(CompileRequest{"reference_test_kernel", {{"distance", "far"}}, {}, {}, {}, {}}); }), "EM210");
    EXPECT_EQ(code_of([&] { reference.run({}, outputs, scalars); }), "EM214");
    EXPECT_EQ(code_of([&] { reference.run(inputs, {}, scalars); }), "EM214");
    EXPECT_EQ(code_of([&] { reference.run(inputs, outputs, {}); }), "EM214");
    EXPECT_EQ(code_of([&] { reference.run({{"in_0", ramp(5, 1)}, {"in_1", ramp(5, 1)}}, outputs, scalars); }), "EM210");
}

}  // namespace
}  // namespace emulsion
