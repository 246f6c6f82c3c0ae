#include "apps/explore/bound/unit_costs.h"

namespace emulsion::explore {

namespace {

enum Row : size_t { load_row, store_row, contract_row, clear_row, drain_row, run_row };

constexpr Opcode opcodes[] = {Opcode::op_load, Opcode::op_store, Opcode::op_contract, Opcode::op_clear, Opcode::op_drain, Opcode::op_run};
constexpr uint8_t operands[] = {2, 2, 3, 1, 2, 2};

MicroProgram copy_of(ElementType from, ElementType to, bool converts) {
    MicroProgram p;
    p.push_back({.op = MicroOpcode::load, .type = from, .stream = 0});
    if (converts) p.push_back({.op = MicroOpcode::saturate, .type = to, .from = to, .a = 0});
    p.push_back({.op = MicroOpcode::store, .type = to, .stream = 1, .a = static_cast<uint8_t>(converts)});
    return p;
}

}  // namespace

UnitCosts::UnitCosts(const TargetDesc &target) : target_(target) {
    for (size_t k = 0; k < std::size(opcodes); k++) {
        Instruction i{.op = opcodes[k]};
        i.stream_count = operands[k];
        if (k == drain_row || k == run_row) i.extra = static_cast<uint16_t>(k - drain_row);
        program_.code.push_back(i);
    }
    program_.micro_programs = {copy_of(ElementType::i32, ElementType::i8, false), copy_of(ElementType::i8, ElementType::i8, true)};
    model_ = std::make_unique<timing::CostModel>(program_, target_);
}

Dispatched &UnitCosts::prepare(size_t instruction, std::span<const OpDimension> dimensions) {
    Dispatched &d = dispatched_;
    d = {};
    d.insn = &program_.code[instruction];
    d.row = find_instruction(d.insn->op);
    d.rank = static_cast<uint8_t>(dimensions.size());
    d.stream.resize(operands[instruction]);
    for (size_t k = 0; k < dimensions.size(); k++) {
        const OpDimension &dim = dimensions[k];
        d.extent[k] = dim.extent;
        d.role[k] = dim.role;
        d.empty |= dim.extent <= 0;
        if (dim.source == 0) continue;
        d.has_fill = true;
        d.fill.boxed[k] = true;
        d.fill.origin[k] = dim.origin, d.fill.lo[k] = 0, d.fill.hi[k] = dim.source;
    }
    return d;
}

timing::Work UnitCosts::transfer(size_t instruction, std::span<const OpDimension> dimensions, ElementType type, int external) {
    Dispatched &d = prepare(instruction, dimensions);
    for (ResolvedStream &s : d.stream) s.type = type, s.space = Space::spm;
    d.stream[static_cast<size_t>(external)].space = Space::ext;
    for (size_t k = 0; k < dimensions.size(); k++)
        for (ResolvedStream &s : d.stream) s.stride[k] = dimensions[k].ext_stride;
    return model_->work(d);
}

timing::Work UnitCosts::load(std::span<const OpDimension> dimensions, ElementType type) { return transfer(load_row, dimensions, type, 1); }
timing::Work UnitCosts::store(std::span<const OpDimension> dimensions, ElementType type) { return transfer(store_row, dimensions, type, 0); }

timing::Work UnitCosts::contract(std::span<const OpDimension> dimensions, ElementType in, ElementType weights) {
    Dispatched &d = prepare(contract_row, dimensions);
    d.stream[0] = {.space = Space::acc, .type = ElementType::i32};
    d.stream[1] = {.space = Space::spm, .type = in};
    d.stream[2] = {.space = Space::spm, .type = weights};
    return model_->work(d);
}

timing::Work UnitCosts::clear(int64_t points) {
    const OpDimension all{.extent = points};
    Dispatched &d = prepare(clear_row, {&all, 1});
    d.stream[0] = {.space = Space::acc, .type = ElementType::i32};
    return model_->work(d);
}

namespace {

void element_by_element(Dispatched &d, Space from, ElementType type) {
    d.stream[0] = {.space = from, .type = from == Space::acc ? ElementType::i32 : type};
    d.stream[1] = {.space = Space::spm, .type = type};
    for (ResolvedStream &s : d.stream) s.stride[0] = info(s.type).bytes;
}

}  // namespace

timing::Work UnitCosts::drain(int64_t points, ElementType type) {
    const OpDimension all{.extent = points};
    element_by_element(prepare(drain_row, {&all, 1}), Space::acc, type);
    timing::Work w = model_->work(dispatched_);
    w.activity.vector_ops = 0;
    return w;
}

timing::Work UnitCosts::run(int64_t points, ElementType type) {
    const OpDimension all{.extent = points};
    element_by_element(prepare(run_row, {&all, 1}), Space::spm, type);
    return model_->work(dispatched_);
}

}  // namespace emulsion::explore
