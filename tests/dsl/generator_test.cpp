// Catches: a build for the wrong target, a schedule hook that is not called, a registry row without place.
#include "dsl/emulsion.h"

#include <gtest/gtest.h>

namespace emulsion::dsl_test {

class Doubler : public emulsion::Generator<Doubler> {
public:
    static constexpr const char *says = "Twice the input.";
    Input<Buffer<int32_t, 1>> in{"in"};
    Output<Buffer<int32_t, 1>> out{"out"};
    Var x{"x"}, xo{"xo"}, xi{"xi"};

    void generate() { out(x) = in(x) * 2; }
    void npu_schedule() {
        mark(out, "seen", machine().name);
        Func(out).split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    }
    void cpu_schedule() { mark(out, "seen", "cpu"); }
};

}  // namespace emulsion::dsl_test

EMULSION_REGISTER_GENERATOR(emulsion::dsl_test::Doubler, dsl_test_doubler)

namespace emulsion {
namespace {

std::string seen_by(const std::string &machine) {
    auto generator = Halide::Internal::GeneratorRegistry::create("dsl_test_doubler", Halide::GeneratorContext(Halide::get_host_target()));
    generator->set_generatorparam_value("machine", machine);
    return find_mark(generator->build_pipeline().outputs()[0], "seen");
}

TEST(Generator, EmptyMachineBuildsTheReference) { EXPECT_EQ(seen_by(""), "cpu"); }
TEST(Generator, MachineNameReachesTheNpuSchedule) { EXPECT_EQ(seen_by("mobile"), "mobile"); }

TEST(Registry, RowHasPlaceAndSentence) {
    for (const GeneratorInfo &g : registered_generators()) {
        if (g.name != "dsl_test_doubler") continue;
        EXPECT_EQ(g.file, "tests/dsl/generator_test.cpp");
        EXPECT_GT(g.line, 0);
        EXPECT_EQ(g.says, "Twice the input.");
        return;
    }
    FAIL() << "dsl_test_doubler is not in the table";
}

}  // namespace
}  // namespace emulsion
