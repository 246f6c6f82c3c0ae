// Emission and the limits of tokens, registers and tables, on Tile IR built by hand. Catches programs that silently overrun a
// table, and control arithmetic that computes something else than its expression.
#include "npu_backend/emit/emit.h"
#include "npu_backend/plan/assign_tokens.h"
#include "runtime/emulator/control.h"
#include "tests/npu_backend/pipeline.h"

namespace emulsion {
namespace {

using namespace Halide;

Expr variable(const std::string &name) { return Internal::Variable::make(Int(32), name); }

ir::TileProgram program_with(int buffers) {
    ir::TileProgram p;
    p.name = "hand";
    p.body = std::make_shared<ir::Node>();
    for (int k = 0; k < buffers; k++) {
        ir::Buffer b;
        b.name = "b" + std::to_string(k);
        b.min = {0}, b.stride = {1}, b.extent = {64}, b.elements = 64;
        b.offset = 64 * k, b.slot_bytes = 64;
        p.buffers.push_back(b);
    }
    return p;
}

ir::Operand operand(int buffer, bool writes, const Expr &base = 0) {
    ir::Operand o;
    o.buffer = buffer, o.base = base, o.stride = {1}, o.reads = !writes, o.writes = writes;
    return o;
}

ir::NodePtr op(Opcode opcode, std::vector<ir::Operand> operands, const Expr &extent = 64) {
    ir::TileOp t;
    t.op = opcode;
    t.stage = "stage";
    t.domain = {{"x", extent, Role::streamed}};
    t.operands = std::move(operands);
    return ir::make_op(std::move(t));
}

ir::NodePtr loop(const std::string &name, const Expr &extent, ir::NodePtr body) {
    auto n = std::make_shared<ir::Node>();
    n->kind = ir::NodeKind::loop;
    n->variable = name;
    n->extent = extent;
    n->children = {std::move(body)};
    return n;
}

ir::NodePtr block(std::vector<ir::NodePtr> children) {
    auto n = std::make_shared<ir::Node>();
    n->children = std::move(children);
    return n;
}

const TargetDesc machine;

/// Extents of every dispatch, in order.
std::vector<int64_t> extents_of(const Program &p) {
    std::vector<int64_t> all;
    ControlWalker walker(p, {});
    for (Dispatched d; walker.next(d);) all.push_back(d.extent[0]);
    return all;
}

TEST(Emit, ControlArithmeticComputesTheExpression) {
    const Expr i = variable("i"), e = min(64, max(i * 7 - 5, i % 3) + select(i > 2, i / 2, 9));
    ir::TileProgram p = program_with(1);
    p.body->children = {loop("i", 6, block({op(Opcode::op_fill, {operand(0, true)}, e)}))};
    std::vector<int64_t> want;
    for (int k = 0; k < 6; k++) want.push_back(std::min(64, std::max(k * 7 - 5, k % 3) + (k > 2 ? k / 2 : 9)));
    EXPECT_EQ(extents_of(emit(p, machine)), want);
}

TEST(Emit, ProgramSizeDoesNotDependOnTurns) {
    auto size = [](int turns) {
        ir::TileProgram p = program_with(1);
        p.body->children = {loop("i", turns, block({op(Opcode::op_fill, {operand(0, true)})}))};
        return emit(p, machine).code.size();
    };
    EXPECT_EQ(size(4), size(4000));
}

TEST(Emit, TooManyNestedLoopsNameTheRegisterFile) {
    ir::TileProgram p = program_with(1);
    ir::NodePtr body = block({op(Opcode::op_fill, {operand(0, true)})});
    for (int k = 0; k < 40; k++) body = block({loop("i" + std::to_string(k), 2, body)});
    p.body = body;
    EXPECT_EQ(diagnostic_of([&] { (void)emit(p, machine); }).id, Diag::too_many_registers);
}

TEST(Emit, ScalarBeyond32BitsIsRefused) {
    ir::TileProgram p = program_with(1);
    ir::NodePtr n = op(Opcode::op_run, {operand(0, true)});
    n->tile.micro = {{.op = MicroOpcode::scalar, .type = ElementType::i64, .mode = 0}};
    n->tile.scalars = {Internal::make_const(Int(64), int64_t{1} << 40)};
    p.body->children = {n};
    EXPECT_EQ(diagnostic_of([&] { (void)emit(p, machine); }).id, Diag::scalar_out_of_range);
}

TEST(Emit, FullStreamTableIsRefused) {
    ir::TileProgram p = program_with(1);
    for (int k = 0; k < 260; k++) {
        std::vector<ir::Operand> operands;
        for (int o = 0; o < 255; o++) operands.push_back(operand(0, true, k * 255 + o));
        p.body->children.push_back(op(Opcode::op_run, operands));
    }
    EXPECT_EQ(diagnostic_of([&] { (void)emit(p, machine); }).id, Diag::table_full);
}

TEST(Emit, UnknownControlFunctionIsRefused) {
    ir::TileProgram p = program_with(1);
    p.body->children = {loop("i", 4, block({op(Opcode::op_fill, {operand(0, true)}, abs(variable("i") - 2))}))};
    EXPECT_EQ(diagnostic_of([&] { (void)emit(p, machine); }).id, Diag::control_expression_unsupported);
}

// A chain of transfers, each read by a vector operation right behind it: every pair needs a token of its own.
TEST(AssignTokens, RunsOutOfTokensWithACode) {
    ir::TileProgram p = program_with(300);
    for (int k = 0; k < 300; k++) {
        p.body->children.push_back(op(Opcode::op_fill, {operand(k, true)}));
        p.body->children.push_back(op(Opcode::op_run, {operand(k, false)}));
    }
    EXPECT_EQ(diagnostic_of([&] { (void)assign_tokens(p); }).id, Diag::too_many_tokens);
}

}  // namespace
}  // namespace emulsion
