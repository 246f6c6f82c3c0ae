#include "tests/apps/explore/cases.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>
#include <map>

namespace emulsion::explore {
namespace {

// Would catch a tile list that keeps two sizes with equal turns, or one that drops a number of turns.
TEST(Space, OneTilePerNumberOfTurns) {
    ScheduleSpace space("s", 1);
    space.tile("t", 56, 8, "");
    std::string sizes;
    for (const SpaceValue &v : space.parameters()[0].values) sizes += v.text + " ";
    EXPECT_EQ(sizes, "8 16 24 32 56 ");
    EXPECT_EQ(space.parameters()[0].raw, 56u);
}

TEST(Space, CountsMatchEnumeration) {
    for (const Case &c : small_cases()) {
        const auto p = problem_of(c);
        uint64_t n = 0;
        p->space.each([&](const Point &point) {
            n++;
            EXPECT_TRUE(p->space.legal(point)) << c.name;
        });
        const SpaceCounts counts = p->space.count();
        EXPECT_EQ(counts.fitting, n) << c.name;
        EXPECT_GE(counts.canonical, counts.fitting);
        EXPECT_GT(n, 0u) << c.name;
    }
}

// Would catch a limit that prunes a subtree with a fitting point in it.
TEST(Space, BytesGrowWithEveryTile) {
    for (const Case &c : small_cases()) {
        const auto p = problem_of(c);
        p->space.each([&](const Point &point) {
            for (size_t k = 0; k < point.size(); k++) {
                Point prefix(point.begin(), point.begin() + static_cast<long>(k));
                for (const SpaceLimit &l : p->space.limits())
                    if (k >= l.needs) {
                        EXPECT_LE(l.bytes(Choices(p->space, prefix)), l.bytes(Choices(p->space, point))) << c.name << " " << p->space.key(point);
                    }
            }
        });
    }
}

TEST(Space, KeysNamePoints) {
    const auto p = problem_of(small_cases()[1]);
    p->space.each([&](const Point &point) { EXPECT_EQ(p->space.point(p->space.key(point)), point); });
    EXPECT_TRUE(p->space.point("tile_c=7").empty());
}

// Would catch two canonical points that compile to the same instructions.
TEST(Space, NoTwoPointsGiveOneProgram) {
    for (const char *name : {"conv 1x1", "depthwise", "matmul", "add", "softmax"}) {
        for (const Case &c : small_cases()) {
            if (c.name != name) continue;
            const auto p = problem_of(c);
            std::map<std::string, std::string> seen;
            for (const auto &[point, o] : brute_force(*p)) {
                if (o.status != Status::exact) continue;
                const auto [it, fresh] = seen.emplace(o.program, p->space.key(point));
                EXPECT_TRUE(fresh) << c.name << ": " << it->second << " and " << p->space.key(point);
            }
        }
    }
}

// Would catch compilation that depends on what was compiled before.
TEST(Space, SameProgramEveryTime) {
    const auto p = problem_of(small_cases()[3]);
    EXPECT_EQ(evaluate(*p, p->hand).program, evaluate(*p, p->hand).program);
}

TEST(Space, GeneratorWithoutSpaceIsACodedError) {
    CompileRequest r;
    r.generator = "median3x3";
    EXPECT_NE(error_of([&] { make_problem(r, load_target("mobile")); }).find("EM800"), std::string::npos);  // space_undeclared
}

TEST(Space, MissingShapeIsACodedError) {
    CompileRequest r;
    r.generator = "conv2d";
    EXPECT_NE(error_of([&] { make_problem(r, load_target("mobile")); }).find("EM801"), std::string::npos);  // explore_shape_missing
}

}  // namespace
}  // namespace emulsion::explore
