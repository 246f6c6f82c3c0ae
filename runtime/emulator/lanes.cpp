#include "runtime/emulator/lanes.h"

#include "runtime/isa/float16.h"
#include "runtime/isa/requantize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace emulsion {

int64_t normalise(ElementType t, int64_t v) {
    const int drop = 64 - 8 * info(t).bytes;
    const auto shifted = static_cast<uint64_t>(v) << drop;
    return info(t).is_signed ? static_cast<int64_t>(shifted) >> drop : static_cast<int64_t>(shifted >> drop);
}

float round_to(ElementType t, float v) {
    if (t == ElementType::f16) return f16_to_f32(f32_to_f16(v));
    if (t == ElementType::bf16) return bf16_to_f32(f32_to_bf16(v));
    return v;
}

int64_t to_bits(ElementType t, int64_t i, float f) {
    if (!info(t).is_float) return i;
    if (t == ElementType::f16) return f32_to_f16(f);
    if (t == ElementType::bf16) return f32_to_bf16(f);
    return std::bit_cast<uint32_t>(f);
}

void from_bits(ElementType t, int64_t bits, int64_t &i, float &f) {
    if (!info(t).is_float) i = normalise(t, bits);
    else if (t == ElementType::f16) f = f16_to_f32(static_cast<uint16_t>(bits));
    else if (t == ElementType::bf16) f = bf16_to_f32(static_cast<uint16_t>(bits));
    else f = std::bit_cast<float>(static_cast<uint32_t>(bits));
}

namespace {

using Int = int64_t;
using Wide = __int128;

struct Context {
    const MicroOp &op;
    ElementType type;
    int bits;
    bool is_signed;
};

bool less(const Context &c, Int a, Int b) {
    return c.is_signed ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}
Wide wide(const Context &c, Int a) { return c.is_signed ? static_cast<Wide>(a) : static_cast<Wide>(static_cast<uint64_t>(a)); }
Wide low_of(ElementType t) { return info(t).is_signed ? -(static_cast<Wide>(1) << (8 * info(t).bytes - 1)) : 0; }
Wide high_of(ElementType t) { return (static_cast<Wide>(1) << (8 * info(t).bytes - info(t).is_signed)) - 1; }
Int clamp_to(ElementType t, Wide v) { return normalise(t, static_cast<Int>(std::clamp(v, low_of(t), high_of(t)))); }

Int divide(const Context &c, Int a, Int b) {
    if (b == 0) return 0;
    const Wide x = wide(c, a), y = wide(c, b);
    Wide q = x / y;
    if (x - q * y < 0) q += y > 0 ? -1 : 1;
    return static_cast<Int>(q);
}
Int modulo(const Context &c, Int a, Int b) {
    if (b == 0) return 0;
    const Wide y = wide(c, b);
    const Wide r = wide(c, a) % y;
    return static_cast<Int>(r < 0 ? r + (y < 0 ? -y : y) : r);
}
Int shift_left(const Context &c, Int a, Int b);
Int shift_right(const Context &c, Int a, Int b) {
    if (c.is_signed && b < 0) return shift_left(c, a, -b);
    if (b >= c.bits) return c.is_signed && a < 0 ? -1 : 0;
    return static_cast<Int>(wide(c, a) >> b);
}
Int shift_left(const Context &c, Int a, Int b) {
    if (c.is_signed && b < 0) return shift_right(c, a, -b);
    return b >= c.bits ? 0 : static_cast<Int>(static_cast<uint64_t>(a) << b);
}
Int rounding_shift_right(const Context &c, Int a, Int b) {
    if (b < 0) return shift_left(c, a, -b);
    if (b == 0) return a;
    if (b > c.bits) return 0;
    return static_cast<Int>((wide(c, a) + (static_cast<Wide>(1) << (b - 1))) >> b);
}
Int bits_of(const Context &c, Int a) { return c.bits == 64 ? a : static_cast<Int>(static_cast<uint64_t>(a) & ((uint64_t{1} << c.bits) - 1)); }

Int integer_binary(const Context &c, Int a, Int b) {
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (c.op.op) {
    case MicroOpcode::add: return static_cast<Int>(ua + ub);
    case MicroOpcode::sub: return static_cast<Int>(ua - ub);
    case MicroOpcode::mul: return static_cast<Int>(ua * ub);
    case MicroOpcode::div: return divide(c, a, b);
    case MicroOpcode::mod: return modulo(c, a, b);
    case MicroOpcode::min: return less(c, a, b) ? a : b;
    case MicroOpcode::max: return less(c, a, b) ? b : a;
    case MicroOpcode::absd: return static_cast<Int>(less(c, a, b) ? ub - ua : ua - ub);
    case MicroOpcode::bit_and: return a & b;
    case MicroOpcode::bit_or: return a | b;
    case MicroOpcode::bit_xor: return a ^ b;
    case MicroOpcode::shl: return shift_left(c, a, b);
    case MicroOpcode::shr: return shift_right(c, a, b);
    case MicroOpcode::rounding_shr: return rounding_shift_right(c, a, b);
    case MicroOpcode::mulh: return static_cast<Int>((wide(c, a) * wide(c, b)) >> c.bits);
    case MicroOpcode::eq: return a == b;
    case MicroOpcode::ne: return a != b;
    case MicroOpcode::lt: return less(c, a, b);
    case MicroOpcode::le: return !less(c, b, a);
    case MicroOpcode::saturating_add: return clamp_to(c.type, wide(c, a) + wide(c, b));
    case MicroOpcode::saturating_sub: return clamp_to(c.type, wide(c, a) - wide(c, b));
    case MicroOpcode::halving_add: return static_cast<Int>((wide(c, a) + wide(c, b)) >> 1);
    case MicroOpcode::rounding_halving_add: return static_cast<Int>((wide(c, a) + wide(c, b) + 1) >> 1);
    default: return 0;
    }
}

Int integer_unary(const Context &c, Int a) {
    switch (c.op.op) {
    case MicroOpcode::absolute: return a < 0 && c.is_signed ? static_cast<Int>(0 - static_cast<uint64_t>(a)) : a;
    case MicroOpcode::bit_not: return ~a;
    case MicroOpcode::count_bits: return std::popcount(static_cast<uint64_t>(bits_of(c, a)));
    case MicroOpcode::leading_zeros: return std::countl_zero(static_cast<uint64_t>(bits_of(c, a))) - (64 - c.bits);
    case MicroOpcode::trailing_zeros: return std::min(std::countr_zero(static_cast<uint64_t>(bits_of(c, a))), c.bits);
    default: return a;  // floor, ceil, trunc, round of an integer
    }
}

float float_binary(MicroOpcode op, float a, float b) {
    switch (op) {
    case MicroOpcode::add: return a + b;
    case MicroOpcode::sub: return a - b;
    case MicroOpcode::mul: return a * b;
    case MicroOpcode::div: return a / b;
    case MicroOpcode::mod: return a - b * std::floor(a / b);
    case MicroOpcode::min: return a < b ? a : b;
    case MicroOpcode::max: return a > b ? a : b;
    case MicroOpcode::absd: return std::fabs(a - b);
    case MicroOpcode::pow: return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b)));
    case MicroOpcode::atan2: return static_cast<float>(std::atan2(static_cast<double>(a), static_cast<double>(b)));
    default: return 0;
    }
}

bool float_compare(MicroOpcode op, float a, float b) {
    switch (op) {
    case MicroOpcode::eq: return a == b;
    case MicroOpcode::ne: return a != b;
    case MicroOpcode::lt: return a < b;
    default: return a <= b;
    }
}

using Double = double (*)(double);
struct Function {
    MicroOpcode op;
    Double f;
};
// One exact definition: the double-precision function, rounded once to f32.
constexpr Function functions[] = {
    {MicroOpcode::floor, std::floor}, {MicroOpcode::ceil, std::ceil}, {MicroOpcode::trunc, std::trunc}, {MicroOpcode::round, std::nearbyint},
    {MicroOpcode::sqrt, std::sqrt},   {MicroOpcode::exp, std::exp},   {MicroOpcode::log, std::log},     {MicroOpcode::sin, std::sin},
    {MicroOpcode::cos, std::cos},     {MicroOpcode::tanh, std::tanh}, {MicroOpcode::erf, std::erf},     {MicroOpcode::asin, std::asin},
    {MicroOpcode::acos, std::acos},   {MicroOpcode::atan, std::atan}, {MicroOpcode::absolute, std::fabs},
};

Double function_of(MicroOpcode op) {
    for (const Function &row : functions)
        if (row.op == op) return row.f;
    return nullptr;
}

bool is_compare(MicroOpcode op) { return op == MicroOpcode::eq || op == MicroOpcode::ne || op == MicroOpcode::lt || op == MicroOpcode::le; }

void convert(const MicroOp &op, const Lanes &a, Lanes &out, int n) {
    const bool from_float = info(op.from).is_float, to_float = info(op.type).is_float;
    for (int k = 0; k < n; k++) {
        if (from_float && to_float) out.f[k] = round_to(op.type, a.f[k]);
        else if (to_float) out.f[k] = round_to(op.type, op.from == ElementType::u64 ? static_cast<float>(static_cast<uint64_t>(a.i[k])) : static_cast<float>(a.i[k]));
        else if (!from_float) out.i[k] = normalise(op.type, a.i[k]);
        else if (std::isnan(a.f[k])) out.i[k] = 0;
        else out.i[k] = normalise(op.type, static_cast<Int>(std::clamp<Wide>(static_cast<Wide>(std::clamp(a.f[k], -1e30f, 1e30f)), INT64_MIN, INT64_MAX)));
    }
}

void saturate(const MicroOp &op, const Lanes &a, Lanes &out, int n) {
    const Context from{op, op.from, 8 * info(op.from).bytes, info(op.from).is_signed};
    for (int k = 0; k < n; k++) {
        if (info(op.type).is_float) {
            Lanes one = a;
            convert(op, one, out, n);
            return;
        }
        if (info(op.from).is_float) {
            const float v = std::isnan(a.f[k]) ? 0.0f : std::clamp(a.f[k], -1e30f, 1e30f);
            out.i[k] = clamp_to(op.type, static_cast<Wide>(v));
        } else {
            out.i[k] = clamp_to(op.type, wide(from, a.i[k]));
        }
    }
}

void binary(const MicroOp &op, const Lanes &a, const Lanes &b, Lanes &out, int n) {
    const Context c{op, op.type, 8 * info(op.type).bytes, info(op.type).is_signed};
    if (info(op.type).is_float) {
        if (is_compare(op.op))
            for (int k = 0; k < n; k++) out.i[k] = float_compare(op.op, a.f[k], b.f[k]);
        else
            for (int k = 0; k < n; k++) out.f[k] = round_to(op.type, float_binary(op.op, a.f[k], b.f[k]));
        return;
    }
    const ElementType result = is_compare(op.op) ? ElementType::u8 : op.op == MicroOpcode::absd && c.is_signed ? static_cast<ElementType>(static_cast<int>(op.type) + 1) : op.type;
    // The commonest operations get loops that the host compiler can vectorise.
    if (op.op == MicroOpcode::add)
        for (int k = 0; k < n; k++) out.i[k] = normalise(result, static_cast<Int>(static_cast<uint64_t>(a.i[k]) + static_cast<uint64_t>(b.i[k])));
    else if (op.op == MicroOpcode::mul)
        for (int k = 0; k < n; k++) out.i[k] = normalise(result, static_cast<Int>(static_cast<uint64_t>(a.i[k]) * static_cast<uint64_t>(b.i[k])));
    else
        for (int k = 0; k < n; k++) out.i[k] = normalise(result, integer_binary(c, a.i[k], b.i[k]));
}

void unary(const MicroOp &op, const Lanes &a, Lanes &out, int n) {
    if (!info(op.type).is_float) {
        const Context c{op, op.type, 8 * info(op.type).bytes, info(op.type).is_signed};
        for (int k = 0; k < n; k++) out.i[k] = normalise(op.type, integer_unary(c, a.i[k]));
        return;
    }
    if (op.op == MicroOpcode::is_nan) {
        for (int k = 0; k < n; k++) out.i[k] = std::isnan(a.f[k]);
        return;
    }
    const Double f = function_of(op.op);
    for (int k = 0; k < n; k++) out.f[k] = round_to(op.type, f ? static_cast<float>(f(static_cast<double>(a.f[k]))) : a.f[k]);
}

void requantize_lanes(const MicroOp &op, const std::vector<Lanes> &v, Lanes &out, int n) {
    const auto mode = static_cast<Rounding>(op.mode);
    for (int k = 0; k < n; k++) {
        const auto acc = static_cast<int32_t>(v[op.a].i[k]);
        out.i[k] = mode == Rounding::rne_f32 ? requantize_f32(acc, v[op.b].f[k])
                                             : requantize(mode, acc, static_cast<int32_t>(v[op.b].i[k]), static_cast<int32_t>(v[op.c].i[k]));
    }
}

void select(const MicroOp &op, const std::vector<Lanes> &v, Lanes &out, int n) {
    const Lanes &c = v[op.a], &yes = v[op.b], &no = v[op.c];
    if (info(op.type).is_float)
        for (int k = 0; k < n; k++) out.f[k] = c.i[k] ? yes.f[k] : no.f[k];
    else
        for (int k = 0; k < n; k++) out.i[k] = c.i[k] ? yes.i[k] : no.i[k];
}

}  // namespace

ElementType value_type(const MicroOp &op) {
    return is_compare(op.op) || op.op == MicroOpcode::is_nan ? ElementType::u8 : op.type;
}

void compute(const MicroOp &op, std::vector<Lanes> &v, Lanes &out, int n) {
    switch (op.op) {
    case MicroOpcode::constant: {
        int64_t i = 0;
        float f = 0;
        from_bits(op.type, op.imm, i, f);
        std::fill_n(out.i.begin(), n, i);
        std::fill_n(out.f.begin(), n, f);
        return;
    }
    case MicroOpcode::select: return select(op, v, out, n);
    case MicroOpcode::convert: return convert(op, v[op.a], out, n);
    case MicroOpcode::saturate: return saturate(op, v[op.a], out, n);
    case MicroOpcode::requantize: return requantize_lanes(op, v, out, n);
    case MicroOpcode::reinterpret:
        for (int k = 0; k < n; k++) from_bits(op.type, to_bits(op.from, v[op.a].i[k], v[op.a].f[k]), out.i[k], out.f[k]);
        return;
    case MicroOpcode::widening_mul: {
        const Context from{op, op.from, 8 * info(op.from).bytes, info(op.from).is_signed};
        for (int k = 0; k < n; k++) out.i[k] = normalise(op.type, static_cast<Int>(wide(from, v[op.a].i[k]) * wide(from, v[op.b].i[k])));
        return;
    }
    default:
        if (op.b == no_value) unary(op, v[op.a], out, n);
        else binary(op, v[op.a], v[op.b], out, n);
    }
}

}  // namespace emulsion
