#include "npu_backend/tile/micro_builder.h"

#include "npu_backend/tile/affine.h"

#include <algorithm>
#include <sstream>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

struct NamedOp {
    const char *name;
    MicroOpcode op;
};

// Halide's pure extern functions, without their type suffix.
constexpr NamedOp extern_ops[] = {
    {"exp", MicroOpcode::exp},     {"log", MicroOpcode::log},     {"sqrt", MicroOpcode::sqrt},   {"sin", MicroOpcode::sin},
    {"cos", MicroOpcode::cos},     {"tanh", MicroOpcode::tanh},   {"pow", MicroOpcode::pow}, {"powf", MicroOpcode::pow},     {"floor", MicroOpcode::floor},
    {"ceil", MicroOpcode::ceil},   {"trunc", MicroOpcode::trunc}, {"round", MicroOpcode::round}, {"is_nan", MicroOpcode::is_nan},
    {"atan2", MicroOpcode::atan2}, {"asin", MicroOpcode::asin},   {"acos", MicroOpcode::acos},   {"atan", MicroOpcode::atan},
    {"erf", MicroOpcode::erf},
};

struct IntrinsicOp {
    Call::IntrinsicOp intrinsic;
    MicroOpcode op;
};

// Intrinsics whose operands and result share one type.
constexpr IntrinsicOp same_type_ops[] = {
    {Call::bitwise_and, MicroOpcode::bit_and},
    {Call::bitwise_or, MicroOpcode::bit_or},
    {Call::bitwise_xor, MicroOpcode::bit_xor},
    {Call::bitwise_not, MicroOpcode::bit_not},
    {Call::shift_left, MicroOpcode::shl},
    {Call::shift_right, MicroOpcode::shr},
    {Call::rounding_shift_right, MicroOpcode::rounding_shr},
    {Call::saturating_add, MicroOpcode::saturating_add},
    {Call::saturating_sub, MicroOpcode::saturating_sub},
    {Call::halving_add, MicroOpcode::halving_add},
    {Call::rounding_halving_add, MicroOpcode::rounding_halving_add},
    {Call::round, MicroOpcode::round},
    {Call::popcount, MicroOpcode::count_bits},
    {Call::count_leading_zeros, MicroOpcode::leading_zeros},
    {Call::count_trailing_zeros, MicroOpcode::trailing_zeros},
    {Call::strict_add, MicroOpcode::add},
    {Call::strict_sub, MicroOpcode::sub},
    {Call::strict_mul, MicroOpcode::mul},
    {Call::strict_div, MicroOpcode::div},
    {Call::strict_min, MicroOpcode::min},
    {Call::strict_max, MicroOpcode::max},
};

constexpr std::string_view rounding_names[] = {"single", "double", "floor", "trunc", "half_away", "rne_f32"};

// CTL computes int32 scalars of these nodes; everything else is done in lanes.
bool is_control_expression(const Expr &e) {
    struct Checker : IRVisitor {
        using IRVisitor::visit;
        bool ok = true;
        void visit(const Call *) override { ok = false; }
        void visit(const Let *) override { ok = false; }
        void visit(const Select *) override { ok = false; }
        void visit(const FloatImm *) override { ok = false; }
        void visit(const Cast *) override { ok = false; }
    } c;
    e.accept(&c);
    return c.ok;
}

}  // namespace

MicroBuilder::MicroBuilder(const TileContext &context, const Place &place, std::vector<std::string> domain, bool gather)
    : context_(context), place_(place), domain_(std::move(domain)), gather_(gather) {}

void MicroBuilder::unsupported(const Expr &e) const {
    std::ostringstream text;
    text << e;
    raise(Diag::expression_unsupported, place_, text.str());
}

uint16_t MicroBuilder::emit(MicroOp op) {
    if (op.op != MicroOpcode::load && op.op != MicroOpcode::store) {
        for (size_t k = 0; k < program.size(); k++)
            if (program[k] == op) return static_cast<uint16_t>(k);
    }
    if (program.size() >= max_micro_ops) raise(Diag::micro_program_too_long, place_, static_cast<int>(max_micro_ops));
    program.push_back(op);
    return static_cast<uint16_t>(program.size() - 1);
}

uint16_t MicroBuilder::constant(ElementType type, int64_t bits) {
    return emit({.op = MicroOpcode::constant, .type = type, .imm = bits});
}

uint16_t MicroBuilder::convert(uint16_t v, ElementType from, ElementType to) {
    if (from == to) return v;
    return emit({.op = MicroOpcode::convert, .type = to, .from = from, .a = v});
}

uint16_t MicroBuilder::scalar(const Expr &e, ElementType type) {
    size_t k = 0;
    while (k < scalars.size() && !equal(scalars[k], e)) k++;
    if (k == scalars.size()) scalars.push_back(e);
    return emit({.op = MicroOpcode::scalar, .type = type, .mode = static_cast<uint8_t>(k)});
}

int MicroBuilder::find_operand(const ir::Operand &o, int64_t &displacement) {
    for (size_t k = 0; k < operands.size(); k++) {
        const ir::Operand &have = operands[k];
        if (have.buffer != o.buffer || have.writes != o.writes || have.window != o.window) continue;
        bool same = true;
        for (size_t d = 0; d < o.stride.size() && same; d++) same = equal(have.stride[d], o.stride[d]);
        if (!same) continue;
        if (auto difference = constant_value(o.base - have.base)) {
            displacement = *difference * info(o.type).bytes;
            return static_cast<int>(k);
        }
    }
    displacement = 0;
    operands.push_back(o);
    return static_cast<int>(operands.size()) - 1;
}

// Dimensions with affine indices go into the stream; the others are summed into a byte offset in a lane register, whose
// window spans those dimensions.
MicroBuilder::Address MicroBuilder::address(int id, const std::vector<Expr> &index) {
    const ir::Buffer &b = context_.program.buffers[id];
    std::vector<Expr> affine_part;
    uint16_t offset = no_value;
    int64_t window = 1;
    for (size_t d = 0; d < index.size(); d++) {
        if (affine_in(index[d], domain_)) {
            affine_part.push_back(index[d]);
            continue;
        }
        if (!gather_ && !reads_memory(index[d])) needs_gather_ = true;
        affine_part.push_back(b.min[d]);
        const auto stride = constant_value(b.stride[d]);
        if (!stride) unsupported(index[d]);
        window += (b.extent[d] - 1) * *stride;
        const uint16_t element = value(simplify(index[d] - b.min[d]));
        const uint16_t scale = constant(ElementType::i32, *stride * info(b.type).bytes);
        const uint16_t bytes = emit({.op = MicroOpcode::mul, .type = ElementType::i32, .a = element, .b = scale});
        offset = offset == no_value ? bytes : emit({.op = MicroOpcode::add, .type = ElementType::i32, .a = offset, .b = bytes});
    }
    auto o = context_.operand(id, affine_part, domain_);
    if (offset != no_value) o->window = window;
    o->reads = true;
    int64_t displacement = 0;
    const int operand = find_operand(*o, displacement);
    return {operand, displacement, offset};
}

uint16_t MicroBuilder::load(const Call *op) {
    const int id = op->call_type == Call::Image && op->image.defined() ? const_cast<TileContext &>(context_).constant_buffer(op->image)
                                                                       : context_.buffer(op->name);
    const ir::Buffer &b = context_.program.buffers[id];
    if (b.space == Space::ext) {
        const bool output = context_.program.regions[b.region].kind == RegionKind::output;
        raise(output ? Diag::output_updated_in_place : Diag::stage_not_staged, place_, op->name);
    }
    const Address a = address(id, op->args);
    return emit({.op = MicroOpcode::load, .type = b.type, .stream = static_cast<uint8_t>(a.operand), .a = a.index, .imm = a.displacement});
}

void MicroBuilder::store(int id, const std::vector<Expr> &index, uint16_t v, uint16_t predicate) {
    Address a = address(id, index);
    // A stream is either read or written, so that each has one role in reports and checks.
    ir::Operand &o = operands[a.operand];
    if (!o.writes && std::any_of(program.begin(), program.end(), [&](const MicroOp &m) {
            return m.op == MicroOpcode::load && m.stream == a.operand;
        })) {
        ir::Operand written = o;
        operands.push_back(written);
        a.operand = static_cast<int>(operands.size()) - 1;
    }
    operands[a.operand].writes = true;
    operands[a.operand].reads = false;
    emit({.op = MicroOpcode::store, .type = context_.program.buffers[id].type, .stream = static_cast<uint8_t>(a.operand), .a = v,
          .b = a.index, .c = predicate, .imm = a.displacement});
    memo_.clear();  // loads after the store may read what it wrote
}

uint16_t MicroBuilder::value(const Expr &e) {
    if (auto it = memo_.find(e); it != memo_.end()) return it->second;
    const uint16_t v = translate(e);
    memo_[e] = v;
    return v;
}

uint16_t MicroBuilder::call(const Call *op) {
    const Expr e(op);
    const ElementType t = type(e);
    for (const IntrinsicOp &row : same_type_ops) {
        if (!op->is_intrinsic(row.intrinsic)) continue;
        MicroOp m{.op = row.op, .type = t, .a = value(op->args[0])};
        if (op->args.size() > 1) m.b = convert(value(op->args[1]), type(op->args[1]), t);
        return emit(m);
    }
    if (op->is_intrinsic(Call::abs)) {
        const ElementType from = type(op->args[0]);
        const uint16_t v = emit({.op = MicroOpcode::absolute, .type = from, .a = value(op->args[0])});
        return from == t ? v : emit({.op = MicroOpcode::reinterpret, .type = t, .from = from, .a = v});
    }
    if (op->is_intrinsic(Call::absd)) {
        const Expr a = op->args[0], b = op->args[1];
        if (!a.type().is_int()) return emit({.op = MicroOpcode::absd, .type = type(a), .a = value(a), .b = value(b)});
        return value(reinterpret(op->type, max(a, b) - min(a, b)));
    }
    if (op->is_intrinsic(Call::saturating_cast))
        return emit({.op = MicroOpcode::saturate, .type = t, .from = type(op->args[0]), .a = value(op->args[0])});
    if (op->is_intrinsic(Call::widening_mul) && type(op->args[0]) == type(op->args[1]))
        return emit({.op = MicroOpcode::widening_mul, .type = t, .from = type(op->args[0]), .a = value(op->args[0]), .b = value(op->args[1])});
    if (op->is_intrinsic(Call::if_then_else)) return value(select(op->args[0], op->args[1], op->args[2]));
    if (op->is_intrinsic(Call::return_second)) return value(op->args[1]);
    if (op->is_intrinsic(Call::strict_lt)) return value(op->args[0] < op->args[1]);
    if (op->is_intrinsic(Call::strict_le)) return value(op->args[0] <= op->args[1]);
    if (op->is_intrinsic(Call::strict_eq)) return value(op->args[0] == op->args[1]);
    if (op->is_intrinsic(Call::mux)) {
        Expr chain = op->args.back();
        for (size_t k = op->args.size() - 1; k-- > 1;) chain = select(op->args[0] == static_cast<int>(k - 1), op->args[k], chain);
        return value(chain);
    }
    if (op->is_intrinsic(Call::lerp))
        return value(lower_lerp(op->type, op->args[0], op->args[1], op->args[2], Target("x86-64-linux")));
    if (op->is_intrinsic()) {
        Expr lowered = lower_intrinsic(op);
        if (!lowered.defined() || equal(lowered, e)) unsupported(e);
        return value(lowered);
    }
    if (op->name.rfind("emulsion.requantize.", 0) == 0) {
        const auto *mode = std::find(std::begin(rounding_names), std::end(rounding_names), op->name.substr(20));
        if (mode == std::end(rounding_names)) unsupported(e);
        MicroOp m{.op = MicroOpcode::requantize, .type = ElementType::i32, .mode = static_cast<uint8_t>(mode - rounding_names),
                  .a = value(op->args[0]), .b = value(op->args[1])};
        if (op->args.size() > 2) m.c = convert(value(op->args[2]), type(op->args[2]), ElementType::i32);
        return emit(m);
    }
    const std::string base = op->name.substr(0, op->name.rfind('_'));
    for (const NamedOp &row : extern_ops) {
        if (base != row.name) continue;
        const ElementType wide = ElementType::f32, from = type(op->args[0]);
        if (row.op == MicroOpcode::is_nan) return emit({.op = row.op, .type = from, .a = value(op->args[0])});
        MicroOp m{.op = row.op, .type = wide, .a = convert(value(op->args[0]), from, wide)};
        if (op->args.size() > 1) m.b = convert(value(op->args[1]), type(op->args[1]), wide);
        return convert(emit(m), wide, t);
    }
    unsupported(e);
}

// The boundary of a load that did not become a load. args: value, inner call, then coordinate, lo, hi per dimension. Inside
// the box the inner call, else the constant; other modes map the index, so the inner call is right everywhere.
static Expr fill_as_select(const Call *op) {
    if (op->name != "emulsion.fill.constant_exterior") return op->args[1];
    Expr inside = const_true();
    for (size_t k = 2; k + 2 < op->args.size(); k += 3)
        inside = inside && op->args[k] >= op->args[k + 1] && op->args[k] < op->args[k + 2];
    return select(inside, op->args[1], op->args[0]);
}

uint16_t MicroBuilder::translate(const Expr &e) {
    const ElementType t = type(e);
    if (is_const(e)) return constant(t, static_cast<int64_t>(*constant_bits(e)));
    if (const auto *v = e.as<Variable>()) {
        if (auto it = lets_.find(v->name); it != lets_.end()) return it->second;
        for (size_t d = 0; d < domain_.size(); d++)
            if (domain_[d] == v->name) return emit({.op = MicroOpcode::index, .type = ElementType::i32, .mode = static_cast<uint8_t>(d)});
        return scalar(e, t);
    }
    if (e.type() == Int(32) && free_of(e, domain_) && is_control_expression(e)) {
        bool uses_let = false;
        for (const auto &[name, number] : lets_) uses_let |= expr_uses_var(e, name);
        if (!uses_let) return scalar(e, t);
    }
    auto binary = [&](MicroOpcode op, const Expr &a, const Expr &b) {
        const uint16_t x = value(a), y = value(b);
        return emit({.op = op, .type = type(a), .a = x, .b = y});
    };
    if (const auto *op = e.as<Add>()) return binary(MicroOpcode::add, op->a, op->b);
    if (const auto *op = e.as<Sub>()) return binary(MicroOpcode::sub, op->a, op->b);
    if (const auto *op = e.as<Mul>()) return binary(MicroOpcode::mul, op->a, op->b);
    if (const auto *op = e.as<Div>()) {
        const auto shift = is_const_power_of_two_integer(op->b);
        if (op->type.is_int_or_uint() && shift)
            return emit({.op = MicroOpcode::shr, .type = t, .a = value(op->a), .b = constant(t, *shift)});
        return binary(MicroOpcode::div, op->a, op->b);
    }
    if (const auto *op = e.as<Mod>()) {
        const auto shift = is_const_power_of_two_integer(op->b);
        if (op->type.is_int_or_uint() && shift)
            return emit({.op = MicroOpcode::bit_and, .type = t, .a = value(op->a), .b = constant(t, (int64_t(1) << *shift) - 1)});
        return binary(MicroOpcode::mod, op->a, op->b);
    }
    if (const auto *op = e.as<Min>()) return binary(MicroOpcode::min, op->a, op->b);
    if (const auto *op = e.as<Max>()) return binary(MicroOpcode::max, op->a, op->b);
    if (const auto *op = e.as<EQ>()) return binary(MicroOpcode::eq, op->a, op->b);
    if (const auto *op = e.as<NE>()) return binary(MicroOpcode::ne, op->a, op->b);
    if (const auto *op = e.as<LT>()) return binary(MicroOpcode::lt, op->a, op->b);
    if (const auto *op = e.as<LE>()) return binary(MicroOpcode::le, op->a, op->b);
    if (const auto *op = e.as<GT>()) return binary(MicroOpcode::lt, op->b, op->a);
    if (const auto *op = e.as<GE>()) return binary(MicroOpcode::le, op->b, op->a);
    if (const auto *op = e.as<And>()) return binary(MicroOpcode::bit_and, op->a, op->b);
    if (const auto *op = e.as<Or>()) return binary(MicroOpcode::bit_or, op->a, op->b);
    if (const auto *op = e.as<Not>())
        return emit({.op = MicroOpcode::eq, .type = ElementType::u8, .a = value(op->a), .b = constant(ElementType::u8, 0)});
    if (const auto *op = e.as<Select>()) {
        const uint16_t c = value(op->condition), a = value(op->true_value), b = value(op->false_value);
        return emit({.op = MicroOpcode::select, .type = t, .a = c, .b = a, .c = b});
    }
    if (const auto *op = e.as<Cast>()) {
        if (op->type.is_bool()) return value(op->value != make_zero(op->value.type()));
        return convert(value(op->value), type(op->value), t);
    }
    if (const auto *op = e.as<Reinterpret>())
        return emit({.op = MicroOpcode::reinterpret, .type = t, .from = type(op->value), .a = value(op->value)});
    if (const auto *op = e.as<Let>()) return value(substitute(op->name, op->value, op->body));
    if (const auto *op = e.as<Call>()) {
        if (op->call_type == Call::Halide || op->call_type == Call::Image) return load(op);
        if (op->name.rfind("emulsion.fill.", 0) == 0) return value(fill_as_select(op));
        return call(op);
    }
    unsupported(e);
}

}  // namespace emulsion
