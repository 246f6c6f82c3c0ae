#include "npu_backend/emit/scalar_code.h"

#include "npu_backend/tile/affine.h"

#include <algorithm>
#include <bit>
#include <sstream>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

uint8_t ScalarCode::allocate() {
    if (in_use_ == UINT32_MAX) {
        auto idle = std::find_if(temporaries_.begin(), temporaries_.end(), [](const Temporary &t) { return t.holders == 0; });
        if (idle == temporaries_.end()) raise(Diag::too_many_registers, place, register_count);
        in_use_ &= ~(1u << idle->reg);
        temporaries_.erase(idle);
    }
    const auto r = static_cast<uint8_t>(std::countr_one(in_use_));
    in_use_ |= 1u << r;
    return r;
}

uint8_t ScalarCode::bind(const std::string &variable) { return variables_[variable] = allocate(); }

void ScalarCode::release(const std::string &variable) {
    in_use_ &= ~(1u << variables_.at(variable));
    variables_.erase(variable);
}

void ScalarCode::end_operation() {
    for (const Temporary &t : temporaries_) in_use_ &= ~(1u << t.reg);
    temporaries_.clear();
}

uint8_t ScalarCode::hold(const Expr &e) {
    if (const auto *v = e.as<Variable>(); v && bound(v->name)) return register_of(v->name);
    for (Temporary &t : temporaries_) {
        if (!equal(t.value, e)) continue;
        t.holders++;
        return t.reg;
    }
    const uint8_t r = compute(e);
    auto same = std::find_if(temporaries_.begin(), temporaries_.end(), [&](const Temporary &t) { return t.reg == r; });
    if (same != temporaries_.end()) return r;  // a cast or rewrite of something already held
    temporaries_.push_back({e, r, 1});
    return r;
}

void ScalarCode::let_go(uint8_t reg) {
    for (Temporary &t : temporaries_)
        if (t.reg == reg) t.holders--;
}

uint8_t ScalarCode::in_register(const Expr &e) { return hold(e); }

uint8_t ScalarCode::immediate(int64_t v) {
    if (v < INT32_MIN || v > INT32_MAX) raise(Diag::scalar_out_of_range, place, v);
    const uint8_t r = allocate();
    append({.op = Opcode::op_movi, .rd = r, .imm = static_cast<int32_t>(v)});
    return r;
}

// Symbols that Halide leaves free: <buffer>.{min,extent,stride}.<dimension>, or a scalar parameter.
uint8_t ScalarCode::argument(const std::string &name, Type type) {
    Argument a{.kind = ArgumentKind::scalar, .region = 0, .dimension = 0, .name = name, .type = ElementType::i32};
    const size_t last = name.rfind('.');
    const size_t middle = last == std::string::npos ? last : name.rfind('.', last - 1);
    if (middle != std::string::npos) {
        const std::string buffer = name.substr(0, middle), field = name.substr(middle + 1, last - middle - 1);
        constexpr std::string_view fields[] = {"min", "extent", "stride"};
        for (size_t f = 0; f < 3; f++)
            for (size_t r = 0; r < program_.regions.size(); r++)
                if (field == fields[f] && program_.regions[r].name == buffer)
                    a = {static_cast<ArgumentKind>(f), static_cast<uint8_t>(r), static_cast<uint8_t>(std::stoi(name.substr(last + 1))), "", ElementType::i32};
    }
    if (a.kind == ArgumentKind::scalar) {
        if (name.find('.') != std::string::npos && name.find('$') != std::string::npos)
            raise(Diag::internal_error, place, std::string("emit"), "unknown symbol " + name);
        a.type = type.is_float() ? ElementType::f32 : type.is_uint() ? (type.bits() <= 8 ? ElementType::u8 : type.bits() == 16 ? ElementType::u16 : ElementType::u32)
                                                    : (type.bits() <= 8 ? ElementType::i8 : type.bits() == 16 ? ElementType::i16 : ElementType::i32);
    }
    auto it = std::find(program_.arguments.begin(), program_.arguments.end(), a);
    if (it == program_.arguments.end()) it = program_.arguments.insert(it, a);
    const uint8_t r = allocate();
    append({.op = Opcode::op_arg, .rd = r, .imm = static_cast<int32_t>(it - program_.arguments.begin())});
    return r;
}

uint8_t ScalarCode::binary(Opcode op, const Expr &a, const Expr &b) {
    Instruction i{.op = op, .ra = hold(a)};
    if (auto v = constant_value(b); v && *v >= INT32_MIN && *v <= INT32_MAX) i.imm = static_cast<int32_t>(*v);
    else i.rb = hold(b);
    let_go(i.ra);
    if (i.rb != no_register) let_go(i.rb);
    i.rd = allocate();
    append(i);
    return i.rd;
}

uint8_t ScalarCode::compute(const Expr &e) {
    if (auto v = constant_value(e)) return immediate(*v);
    if (const auto *v = e.as<Variable>()) return argument(v->name, v->type);
    if (const auto *op = e.as<Add>()) return binary(Opcode::op_add, op->a, op->b);
    if (const auto *op = e.as<Sub>()) return binary(Opcode::op_sub, op->a, op->b);
    if (const auto *op = e.as<Mul>()) return binary(Opcode::op_mul, op->a, op->b);
    if (const auto *op = e.as<Div>()) return binary(Opcode::op_div, op->a, op->b);
    if (const auto *op = e.as<Mod>()) return binary(Opcode::op_mod, op->a, op->b);
    if (const auto *op = e.as<Min>()) return binary(Opcode::op_min, op->a, op->b);
    if (const auto *op = e.as<Max>()) return binary(Opcode::op_max, op->a, op->b);
    if (const auto *op = e.as<EQ>()) return binary(Opcode::op_eq, op->a, op->b);
    if (const auto *op = e.as<NE>()) return binary(Opcode::op_ne, op->a, op->b);
    if (const auto *op = e.as<LT>()) return binary(Opcode::op_lt, op->a, op->b);
    if (const auto *op = e.as<LE>()) return binary(Opcode::op_le, op->a, op->b);
    if (const auto *op = e.as<GT>()) return binary(Opcode::op_lt, op->b, op->a);
    if (const auto *op = e.as<GE>()) return binary(Opcode::op_le, op->b, op->a);
    if (const auto *op = e.as<And>()) return binary(Opcode::op_and, op->a, op->b);
    if (const auto *op = e.as<Or>()) return binary(Opcode::op_or, op->a, op->b);
    if (const auto *op = e.as<Not>()) return binary(Opcode::op_eq, op->a, Expr(0));
    if (const auto *op = e.as<Cast>(); op && op->value.type().is_int_or_uint() && op->type.is_int_or_uint() &&
                                       (op->type.bits() > op->value.type().bits() || op->value.type().is_bool()))
        return hold(op->value);
    if (const auto *op = e.as<Select>()) {  // b + c * (a - b), for a condition c of 0 or 1
        const Expr c = Halide::cast(Int(32), op->condition);
        return hold(op->false_value + c * (op->true_value - op->false_value));
    }
    if (const auto *op = e.as<Let>()) return hold(substitute(op->name, op->value, op->body));
    std::ostringstream text;
    text << e;
    raise(Diag::control_expression_unsupported, place, text.str());
}

Scalar ScalarCode::scalar(const Expr &e) {
    if (auto v = constant_value(e)) return {*v, no_register};
    return {0, in_register(e)};
}

namespace {
// Splits a sum into constant, constant multiples of bound variables, and a remainder.
struct Sum {
    int64_t constant = 0;
    std::vector<std::pair<std::string, int64_t>> terms;
    Expr rest;
};
}  // namespace

void ScalarCode::address(const Expr &elements, int64_t element_bytes, Stream &s) {
    Sum sum;
    std::vector<std::string> names;
    for (const auto &[name, r] : variables_)
        if (expr_uses_var(elements, name)) names.push_back(name);
    Expr rest = elements;
    if (auto a = affine_in(elements, names)) {
        rest = a->constant;
        for (size_t k = 0; k < names.size(); k++) {
            if (auto c = constant_value(a->coefficient[k])) {
                if (*c) sum.terms.emplace_back(names[k], *c);
            } else {
                rest += a->coefficient[k] * Variable::make(Int(32), names[k]);
            }
        }
        rest = simplify(rest);
    }
    const bool constant_rest = constant_value(rest).has_value();
    int used = 0;
    while (used < max_base_terms && s.terms[used].reg != no_register) used++;
    while (static_cast<int>(sum.terms.size()) + used + !constant_rest > max_base_terms || (sum.terms.size() > 1 && !constant_rest && used + 2 > max_base_terms)) {
        auto [name, scale] = sum.terms.back();
        sum.terms.pop_back();
        rest = rest + Variable::make(Int(32), name) * make_const(Int(32), scale);
        if (sum.terms.empty()) break;
    }
    if (auto v = constant_value(rest)) {
        s.base += *v * element_bytes;
    } else {
        // Split off a constant so that taps of one buffer share a register.
        Expr variable = rest;
        if (const auto *add = rest.as<Add>())
            if (auto v = constant_value(add->b)) s.base += *v * element_bytes, variable = add->a;
        s.terms[used++] = {in_register(variable), element_bytes};
    }
    for (const auto &[name, scale] : sum.terms) s.terms[used++] = {register_of(name), scale * element_bytes};
}

}  // namespace emulsion
