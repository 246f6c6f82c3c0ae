#include "runtime/emulator/micro_ops/table.h"

#include <algorithm>

namespace emulsion::micro {

// A row of micro_ops.def without a function here does not link.
#define MICRO_OP(name, code, operands, slots, says) LaneFunction bind_##name(const MicroOp &);
#include "runtime/isa/micro_ops.def"
#undef MICRO_OP

namespace {

/// Index into micro_ops by code; -1: no such micro-op.
constexpr auto row_by_code = [] {
    std::array<int16_t, 256> rows{};
    rows.fill(-1);
    for (size_t k = 0; k < std::size(micro_ops); k++) rows[static_cast<uint8_t>(micro_ops[k].code)] = static_cast<int16_t>(k);
    return rows;
}();

constexpr Bind binds[] = {
#define MICRO_OP(name, code, operands, slots, says) bind_##name,
#include "runtime/isa/micro_ops.def"
#undef MICRO_OP
};

bool is_predicate(MicroOpcode op) {
    constexpr MicroOpcode predicates[] = {MicroOpcode::eq, MicroOpcode::ne, MicroOpcode::lt, MicroOpcode::le, MicroOpcode::is_nan};
    return std::find(std::begin(predicates), std::end(predicates), op) != std::end(predicates);
}

ElementType result_type(const MicroOp &op) { return is_predicate(op.op) ? ElementType::u8 : op.type; }

/// Operand types that are not simply the micro-op's own.
struct OperandTypes {
    ElementType a, b, c;
};

OperandTypes operand_types(const MicroOp &op, std::string_view letters) {
    constexpr ElementType index = ElementType::i32, flag = ElementType::u8;
    const bool scale = op.mode == static_cast<uint8_t>(Rounding::rne_f32);
    if (letters.find('f') != std::string_view::npos) return {op.from, op.from, op.from};
    if (op.op == MicroOpcode::select) return {flag, op.type, op.type};
    if (op.op == MicroOpcode::requantize) return {index, scale ? ElementType::f32 : index, index};
    if (op.op == MicroOpcode::load) return {index, index, index};
    if (op.op == MicroOpcode::store) return {op.type, index, flag};
    return {op.type, op.type, op.type};
}

class Binder {
public:
    Binder(const Dispatched &d, const Program &program) : d_(d), program_(program) {}

    LaneFunction bind(size_t k) {
        const MicroOp &op = (*d_.micro)[k];
        const int row = row_by_code[static_cast<uint8_t>(op.op)];
        require(row >= 0, k, "does not exist");
        require(static_cast<size_t>(op.type) < std::size(element_types) && static_cast<size_t>(op.from) < std::size(element_types), k, "has no type");
        check_operands(op, k, micro_ops[row].operands);
        if (op.op == MicroOpcode::load || op.op == MicroOpcode::store)
            require(op.stream < d_.stream.size() && d_.stream[op.stream].type == op.type, k, "names no stream of its type");
        if (const LaneFunction f = binds[row](op)) return f;
        raise(Diag::types_illegal, place_of(program_, d_.pc), micro_ops[row].name, type_text(op, micro_ops[row].operands));
    }

private:
    void require(bool ok, size_t k, const char *what) const {
        if (!ok) raise(Diag::program_malformed, place_of(program_, d_.pc), fmt::format("micro-op {} {}", k, what));
    }

    void check_operands(const MicroOp &op, size_t k, std::string_view letters) const {
        const bool access = op.op == MicroOpcode::load || op.op == MicroOpcode::store;
        const bool scale = op.op == MicroOpcode::requantize && op.mode == static_cast<uint8_t>(Rounding::rne_f32);
        const OperandTypes types = operand_types(op, letters);
        const auto check = [&](char letter, uint16_t v, ElementType type, bool optional) {
            if (letters.find(letter) == std::string_view::npos || (optional && v == no_value)) return;
            require(v < k, k, "uses a value that comes later");
            require(result_type((*d_.micro)[v]) == type, k, "uses a value of another type");
        };
        check('a', op.a, types.a, op.op == MicroOpcode::load);
        check('b', op.b, types.b, access);
        check('c', op.c, types.c, access || scale);
    }

    static std::string type_text(const MicroOp &op, std::string_view letters) {
        const bool converts = letters.find('f') != std::string_view::npos;
        return converts ? fmt::format("{} to {}", info(op.from).name, info(op.type).name) : std::string(info(op.type).name);
    }

    const Dispatched &d_;
    const Program &program_;
};

}  // namespace

std::vector<LaneFunction> bind_program(const Dispatched &d, const Program &program) {
    Binder binder(d, program);
    std::vector<LaneFunction> functions(d.micro->size());
    for (size_t k = 0; k < functions.size(); k++) functions[k] = binder.bind(k);
    return functions;
}

}  // namespace emulsion::micro
