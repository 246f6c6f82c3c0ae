// What the tile pass makes of loop nests. Catches stages that land on the wrong engine, domains that lose a guard, and user
// mistakes that are not reported with their code.
#include "tests/npu_backend/pipeline.h"

#include "npu_backend/tile/affine.h"
#include "npu_backend/tile/fuse_clear.h"

namespace emulsion {
namespace {

using namespace Halide;

Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), n("n"), m("m"), no("no"), mo("mo"), ni("ni"), mi("mi");
constexpr auto guard = TailStrategy::GuardWithIf;

struct Matmul {
    ImageParam a{Int(8), 2, "a"}, b{Int(8), 2, "b"};
    Func acc{"acc"}, out{"result"};
    RDom k{0, 256, "k"};
    RVar ko{"ko"}, ki{"ki"};

    Matmul() {
        acc(n, m) = 0;
        acc(n, m) += cast<int32_t>(a(k, m)) * cast<int32_t>(b(n, k));
        out(n, m) = saturating_cast<int8_t>(acc(n, m) >> 7);
        out.tile(n, m, no, mo, ni, mi, 32, 32, guard);
        acc.compute_at(out, no).store_in(accumulator);
        acc.update().split(k, ko, ki, 64).reorder(ki, n, m, ko);
        a.in().compute_at(acc, ko).store_in(scratchpad);
        b.in().compute_at(acc, ko).store_in(scratchpad);
    }
    ir::TileProgram tiles(int rows, int columns) { return tiles_of(out, {columns, rows}, {{a, {256, rows}}, {b, {columns, 256}}}); }
};

TEST(BuildTiles, MatmulUsesEachEngineOnce) {
    EXPECT_EQ(mnemonics(Matmul().tiles(128, 96)), "clear load load contract drain store");
}

TEST(BuildTiles, ContractionRolesFollowOperands) {
    const auto ops = ops_of(Matmul().tiles(128, 96));
    const ir::TileOp &contract = ops[3];
    ASSERT_EQ(contract.domain.size(), 3u);
    EXPECT_EQ(contract.domain[0].role, Role::row);
    EXPECT_EQ(contract.domain[1].role, Role::column);
    EXPECT_EQ(contract.domain[2].role, Role::streamed);
}

TEST(BuildTiles, RaggedTailIsAClippedExtent) {
    const auto ops = ops_of(Matmul().tiles(70, 50));
    for (const ir::TileOp &t : ops)
        if (t.op == Opcode::op_store) {
            EXPECT_FALSE(constant_value(t.domain[0].extent)) << "the tail of 50 columns must shrink the tile";
        }
}

TEST(FuseClear, FirstTurnOverwrites) {
    const ir::TileProgram p = fuse_clear(Matmul().tiles(70, 50));
    EXPECT_EQ(mnemonics(p), "load load contract drain store");
    EXPECT_TRUE(ops_of(p)[2].accumulate_when.defined());
}

TEST(FuseClear, KeepsTheClearWhenTheUpdateCoversLess) {
    Matmul mm;
    Func acc("acc2"), out("result2");
    acc(n, m) = 0;
    RDom k(0, 64, "k");
    k.where(k <= 100 - m);  // some rows see fewer terms: the first turn no longer touches every element
    acc(n, m) += cast<int32_t>(mm.a(k, m)) * cast<int32_t>(mm.b(n, k));
    out(n, m) = saturating_cast<int8_t>(acc(n, m) >> 7);
    acc.compute_root().store_in(accumulator);
    acc.update().reorder(k, n, m);
    mm.a.in().compute_root().store_in(scratchpad);
    mm.b.in().compute_root().store_in(scratchpad);
    const ir::TileProgram p = fuse_clear(tiles_of(out, {32, 128}, {{mm.a, {64, 128}}, {mm.b, {32, 64}}}));
    EXPECT_EQ(mnemonics(p).find("clear") != std::string::npos, true);
}

TEST(BuildTiles, ScaledIndexBecomesAGather) {
    ImageParam in(UInt(8), 1, "in");
    Func out("upsampled");
    out(x) = in(x / 2);
    in.in().compute_root().store_in(scratchpad);
    const auto ops = ops_of(tiles_of(out, {64}, {{in, {32}}}));
    ASSERT_EQ(ops.size(), 3u);
    EXPECT_EQ(ops[1].op, Opcode::op_run);
    EXPECT_GT(ops[1].operands[0].window, 0);
}

TEST(BuildTiles, HistogramIsOrdered) {
    ImageParam in(UInt(8), 2, "in");
    Func hist("hist"), out("counts");
    Var i("i");
    RDom r(0, 64, 0, 48);
    hist(i) = cast<uint32_t>(0);
    hist(cast<int>(in(r.x, r.y))) += cast<uint32_t>(1);
    out(i) = hist(i);
    hist.compute_root().store_in(scratchpad);
    in.in().compute_root().store_in(scratchpad);
    for (const ir::TileOp &t : ops_of(tiles_of(out, {256}, {{in, {64, 48}}})))
        if (t.operands.size() == 3) {
            EXPECT_EQ(t.domain[0].role, Role::serial);
        }
}

TEST(BuildTiles, NearbyTapsShareOneStream) {
    ImageParam in(UInt(8), 1, "in");
    Func out("blurred");
    out(x) = cast<uint8_t>((cast<uint16_t>(in(x)) + in(x + 1) + in(x + 2)) / 3);
    in.in().compute_root().store_in(scratchpad);
    const auto ops = ops_of(tiles_of(out, {64}, {{in, {66}}}));
    EXPECT_EQ(ops[1].operands.size(), 2u) << "three taps of one buffer and the result";
}

struct Case {
    const char *name;
    Diag expected;
    std::function<void()> run;
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

class UserErrors : public testing::TestWithParam<Case> {};

TEST_P(UserErrors, HasItsCodeAndAdvice) {
    const Diagnostic d = diagnostic_of(GetParam().run);
    EXPECT_EQ(d.id, GetParam().expected) << d.text();
    EXPECT_FALSE(d.advice.empty());
}

// One-dimensional stage between a staged input and the output.
void one_stage(Type type, const std::function<Expr(Expr)> &f, const std::function<void(Func)> &schedule = {}) {
    ImageParam in(type, 1, "in");
    Func stage("stage"), out("o");
    stage(x) = f(in(x));
    out(x) = stage(x);
    in.in().compute_root().store_in(scratchpad);
    stage.compute_root().store_in(scratchpad);
    if (schedule) schedule(stage);
    tiles_of(out, {16}, {{in, {16}}});
}

void unbounded() {
    ImageParam in(UInt(8), 1, "in");
    Func stage("stage"), out("o");
    stage(x) = in(x) + cast<uint8_t>(1);
    out(x) = stage(x);
    stage.compute_root().store_in(scratchpad);
    in.in().compute_at(stage, x).store_in(scratchpad);
    build_tiles(lower({out.function()}, {}, {{out.name(), "out"}}), "t", {{"in", "in", UInt(8), 1, false, {}}, {"out", out.name(), UInt(8), 1, true, {}}});
}

void untiled_output() {
    ImageParam in(UInt(8), 1, "in");
    Func out("o");
    out(x) = in(x) + cast<uint8_t>(1);
    in.in().compute_at(out, x).store_in(scratchpad);
    Func wide("w");
    wide(x) = cast<uint8_t>(x);
    build_tiles(lower({wide.function()}, {}, {{wide.name(), "out"}}), "t", {{"out", wide.name(), UInt(8), 1, true, {}}});
}

void bad_contraction() {
    ImageParam a(Int(8), 2, "a");
    Func acc("acc"), out("o");
    RDom k(0, 16, "k");
    acc(x) = 0;
    acc(x) += cast<int32_t>(a(k, x)) + 1;
    out(x) = acc(x);
    acc.compute_root().store_in(accumulator);
    a.in().compute_root().store_in(scratchpad);
    tiles_of(out, {16}, {{a, {16, 16}}});
}

void contraction(Expr (*zero_point)(), Type accumulator_type, const std::function<Expr(Expr)> &epilogue) {
    ImageParam a(Int(8), 2, "a"), b(Int(8), 2, "b");
    Func acc("acc"), out("o");
    RDom k(0, 16, "k");
    acc(x, y) = cast(accumulator_type, 0);
    acc(x, y) += cast(accumulator_type, (cast<int32_t>(a(k, y)) - zero_point()) * cast<int32_t>(b(x, k)));
    out(x, y) = epilogue(acc(x, y));
    acc.compute_root().store_in(accumulator);
    acc.update().reorder(k, x, y);
    a.in().compute_root().store_in(scratchpad);
    b.in().compute_root().store_in(scratchpad);
    tiles_of(out, {16, 16}, {{a, {16, 16}}, {b, {16, 16}}});
}

Expr no_zero_point() { return 0; }
Expr wide_zero_point() { return 70000; }

void reduced_output() {
    ImageParam in(UInt(8), 2, "in");
    Func out("o");
    RDom r(0, 16);
    out(x) = cast<uint8_t>(0);
    out(x) += in(r, x);
    in.in().compute_root().store_in(scratchpad);
    tiles_of(out, {16}, {{in, {16, 16}}});
}

void scattered_load() {
    ImageParam in(UInt(8), 1, "in");
    Func staged("staged"), out("o");
    staged(x) = in(x * x);
    out(x) = staged(x);
    staged.compute_root().store_in(scratchpad);
    tiles_of(out, {8}, {{in, {64}}});
}

// Stock Halide keeps such conditions beside single stores; a front end of another kind might not.
void branch_on_data() {
    using namespace Halide::Internal;
    const Expr element = Call::make(UInt(8), "in", {0}, Call::Halide), index = Variable::make(Int(32), "i");
    const Stmt fill = For::make("i", 0, 8, ForType::Serial, Partition::Auto, DeviceAPI::None,
                                Provide::make("out", {make_zero(UInt(8))}, {index}, const_true()));
    Lowered lowered;
    lowered.stmt = IfThenElse::make(element > 3, Block::make(fill, fill));
    build_tiles(lowered, "t", {{"in", "in", UInt(8), 1, false, {8}}, {"out", "out", UInt(8), 1, true, {8}}});
}

void guarded_output() {
    ImageParam in(UInt(8), 1, "in");
    Func out("o");
    RDom r(0, 16, "r");
    r.where(r * r < 50);
    out(x) = cast<uint8_t>(0);
    out(r) = in(r) + cast<uint8_t>(1);
    in.in().compute_root().store_in(scratchpad);
    tiles_of(out, {16}, {{in, {16}}});
}

void async_stage() {
    one_stage(UInt(8), [](Expr e) { return e + cast<uint8_t>(1); }, [](Func f) { f.async(); });
}

void symbolic_fold() {
    ImageParam in(UInt(8), 2, "in");
    Param<int> rows("rows");
    Func kept("kept"), out("o");
    kept(x, y) = in(x, y);
    out(x, y) = kept(x, y) + kept(x, y * 2 % rows);
    kept.store_root().compute_at(out, y).fold_storage(y, rows).store_in(scratchpad);
    tiles_of(out, {16, 8}, {{in, {16, 16}}});
}

void extern_stage() {
    ImageParam in(UInt(8), 1, "in");
    Func stage("stage"), out("o");
    stage.define_extern("other_code", {in}, UInt(8), {x});
    out(x) = stage(x);
    stage.compute_root().store_in(scratchpad);
    tiles_of(out, {16}, {{in, {16}}});
}

TEST(BuildTiles, ParallelLoopIsSaidToRunOnOneCore) {
    std::vector<Diag> warnings;
    set_warning_sink([&](const Diagnostic &d) { warnings.push_back(d.id); });
    Matmul mm;
    mm.out.parallel(mo);
    mm.tiles(128, 96);
    set_warning_sink({});
    EXPECT_EQ(warnings, std::vector{Diag::parallel_on_one_core});
}

const Case cases[] = {
    {"symbolic_fold", Diag::fold_not_constant, symbolic_fold},
    {"async_stage", Diag::async_unsupported, async_stage},
    {"extern_stage", Diag::extern_unsupported, extern_stage},
    {"index_not_affine", Diag::index_not_affine, scattered_load},
    {"data_dependent_control", Diag::data_dependent_control, branch_on_data},
    {"guard_on_output", Diag::guard_on_output, guarded_output},
    {"float64", Diag::type_unsupported, [] { one_stage(Float(64), [](Expr e) { return e + 1; }); }},
    {"unknown_function", Diag::expression_unsupported,
     [] { one_stage(Float(32), [](Expr e) { return Internal::Call::make(Float(32), "mystery_f32", {e}, Internal::Call::PureExtern); }); }},
    {"too_long", Diag::micro_program_too_long,
     [] {
         one_stage(Int(32), [](Expr e) {
             Expr sum = e;
             for (int k = 0; k < 1100; k++) sum = (sum ^ (k * 7 + 3)) * (k + 3);
             return sum;
         });
     }},
    {"not_staged", Diag::stage_not_staged,
     [] {
         ImageParam in(UInt(8), 1, "in");
         Func out("o");
         out(x) = in(x) + cast<uint8_t>(1);
         tiles_of(out, {16}, {{in, {16}}});
     }},
    {"no_memory", Diag::stage_has_no_memory, [] { one_stage(UInt(8), [](Expr e) { return e + cast<uint8_t>(1); }, [](Func f) { f.store_in(MemoryType::Auto); }); }},
    {"unbounded", Diag::stage_size_unbounded, unbounded},
    {"accumulator_type", Diag::accumulator_type, [] { contraction(no_zero_point, Int(16), [](Expr e) { return cast<int8_t>(e); }); }},
    {"not_a_contraction", Diag::not_a_contraction, bad_contraction},
    {"zero_point", Diag::zero_point_range, [] { contraction(wide_zero_point, Int(32), [](Expr e) { return cast<int8_t>(e); }); }},
    {"drain_unsupported", Diag::drain_unsupported, [] { contraction(no_zero_point, Int(32), [](Expr e) { return e / 7; }); }},
    {"drain_without_accumulator", Diag::drain_without_accumulator, [] { one_stage(UInt(8), [](Expr e) { return e + cast<uint8_t>(1); }, [](Func f) { drain(f); }); }},
    {"matrix_needs_accumulator", Diag::matrix_needs_accumulator,
     [] { one_stage(UInt(8), [](Expr e) { return e + cast<uint8_t>(1); }, [](Func f) { f.add_trace_tag("emulsion.engine=mx"); }); }},
    {"output_updated", Diag::output_updated_in_place, reduced_output},
    {"output_not_tiled", Diag::output_not_tiled, untiled_output},
};

INSTANTIATE_TEST_SUITE_P(Catalogue, UserErrors, testing::ValuesIn(cases), [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace emulsion
