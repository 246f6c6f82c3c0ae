#include "npu_backend/verify/control_value.h"

#include <algorithm>
#include <map>

namespace emulsion::verifier {
namespace {

// Two's complement value of the low bits of v, as type t holds it.
int64_t wrap(int64_t v, ElementType t) {
    const int unused = 64 - 8 * info(t).bytes;
    const uint64_t shifted = static_cast<uint64_t>(v) << unused;
    return info(t).is_signed ? static_cast<int64_t>(shifted) >> unused : static_cast<int64_t>(shifted >> unused);
}

int64_t euclidean_modulo(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    const int64_t r = a % b;
    return r < 0 ? r + (b < 0 ? -b : b) : r;
}

int64_t euclidean_quotient(int64_t a, int64_t b) {
    if (b == 0) return 0;
    return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : (a - euclidean_modulo(a, b)) / b;
}

using Evaluate = int64_t (*)(int64_t a, int64_t b, int64_t c);

int64_t wrapping(uint64_t v) { return static_cast<int64_t>(v); }

struct Row {
    MicroOpcode op;
    Evaluate evaluate;
};

constexpr Row rows[] = {
    {MicroOpcode::add, [](int64_t a, int64_t b, int64_t) { return wrapping(uint64_t(a) + uint64_t(b)); }},
    {MicroOpcode::sub, [](int64_t a, int64_t b, int64_t) { return wrapping(uint64_t(a) - uint64_t(b)); }},
    {MicroOpcode::mul, [](int64_t a, int64_t b, int64_t) { return wrapping(uint64_t(a) * uint64_t(b)); }},
    {MicroOpcode::div, [](int64_t a, int64_t b, int64_t) { return euclidean_quotient(a, b); }},
    {MicroOpcode::mod, [](int64_t a, int64_t b, int64_t) { return euclidean_modulo(a, b); }},
    {MicroOpcode::min, [](int64_t a, int64_t b, int64_t) { return std::min(a, b); }},
    {MicroOpcode::max, [](int64_t a, int64_t b, int64_t) { return std::max(a, b); }},
    {MicroOpcode::bit_and, [](int64_t a, int64_t b, int64_t) { return a & b; }},
    {MicroOpcode::bit_or, [](int64_t a, int64_t b, int64_t) { return a | b; }},
    {MicroOpcode::bit_xor, [](int64_t a, int64_t b, int64_t) { return a ^ b; }},
    {MicroOpcode::eq, [](int64_t a, int64_t b, int64_t) { return int64_t{a == b}; }},
    {MicroOpcode::ne, [](int64_t a, int64_t b, int64_t) { return int64_t{a != b}; }},
    {MicroOpcode::lt, [](int64_t a, int64_t b, int64_t) { return int64_t{a < b}; }},
    {MicroOpcode::le, [](int64_t a, int64_t b, int64_t) { return int64_t{a <= b}; }},
    {MicroOpcode::select, [](int64_t a, int64_t b, int64_t c) { return a ? b : c; }},
    {MicroOpcode::convert, [](int64_t a, int64_t, int64_t) { return a; }},
};

const Row *row_of(MicroOpcode op) {
    const auto it = std::find_if(std::begin(rows), std::end(rows), [&](const Row &r) { return r.op == op; });
    return it == std::end(rows) ? nullptr : it;
}

bool is_leaf(MicroOpcode op) {
    return op == MicroOpcode::constant || op == MicroOpcode::index || op == MicroOpcode::scalar;
}

bool evaluable(const MicroOp &m) {
    // u64 does not fit the evaluator's signed 64 bits.
    const bool integers = !info(m.type).is_float && m.type != ElementType::u64 &&
                          (m.op != MicroOpcode::convert || !info(m.from).is_float);
    return integers && (is_leaf(m.op) || row_of(m.op));
}

int64_t leaf_value(const MicroOp &m, const Index &index, const Registers &registers) {
    if (m.op == MicroOpcode::constant) return m.imm;
    return m.op == MicroOpcode::index ? index[m.mode] : registers[m.mode];
}

}  // namespace

std::optional<ControlValue> ControlValue::make(const MicroProgram &micro, uint16_t value) {
    std::vector<bool> needed(value + 1u, false);
    needed[value] = true;
    for (int v = value; v >= 0; v--) {
        if (!needed[v]) continue;
        if (!evaluable(micro[v])) return {};
        for (uint16_t operand : {micro[v].a, micro[v].b, micro[v].c})
            if (operand != no_value) needed[operand] = true;
    }
    ControlValue p;
    std::map<uint16_t, uint16_t> position{{no_value, no_value}};
    for (uint16_t v = 0; v <= value; v++) {
        if (!needed[v]) continue;
        position[v] = static_cast<uint16_t>(p.ops_.size());
        MicroOp m = micro[v];
        m.a = position[m.a], m.b = position[m.b], m.c = position[m.c];
        p.ops_.push_back(m);
    }
    p.values_.resize(p.ops_.size());
    return p;
}

int64_t ControlValue::at(const Index &index, const Registers &registers) {
    const auto operand = [&](uint16_t v) { return v == no_value ? 0 : values_[v]; };
    for (size_t k = 0; k < ops_.size(); k++) {
        const MicroOp &m = ops_[k];
        const Row *row = row_of(m.op);
        values_[k] = row ? row->evaluate(operand(m.a), operand(m.b), operand(m.c)) : leaf_value(m, index, registers);
        // Comparisons name the type of their operands; their 0 or 1 fits every type.
        values_[k] = wrap(values_[k], m.type);
    }
    return values_.back();
}

}  // namespace emulsion::verifier
