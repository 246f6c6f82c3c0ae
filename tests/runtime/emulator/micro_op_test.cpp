// Every micro-op over every legal type, against formulae written on exact integers and on double, not on lanes.
#include "runtime/isa/float16.h"
#include "runtime/isa/requantize.h"
#include "tests/runtime/emulator/program_builder.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>

namespace emulsion::test {
namespace {

using Exact = __int128;
using Op = MicroOpcode;

constexpr ElementType all_types[] = {
#define X(name, bytes, is_signed, is_float) ElementType::name,
    EMULSION_ELEMENT_TYPES(X)
#undef X
};

int width(ElementType t) { return 8 * info(t).bytes; }
Exact lowest(ElementType t) { return info(t).is_signed ? -(Exact(1) << (width(t) - 1)) : 0; }
Exact highest(ElementType t) { return (Exact(1) << (width(t) - info(t).is_signed)) - 1; }
uint64_t mask(ElementType t) { return width(t) == 64 ? ~0ull : (1ull << width(t)) - 1; }
Exact value_of(ElementType t, uint64_t bits) {
    const Exact v = bits & mask(t);
    return v > highest(t) ? v - (Exact(1) << width(t)) : v;
}
Exact floor_div(Exact a, Exact b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
Exact power(Exact n) { return Exact(1) << int(n); }

float float_of(ElementType t, uint64_t bits) {
    if (t == ElementType::f16) return f16_to_f32(static_cast<uint16_t>(bits));
    if (t == ElementType::bf16) return bf16_to_f32(static_cast<uint16_t>(bits));
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
uint64_t bits_of(ElementType t, float f) {
    if (t == ElementType::f16) return f32_to_f16(f);
    if (t == ElementType::bf16) return f32_to_bf16(f);
    return std::bit_cast<uint32_t>(f);
}

/// One micro-op under test: operand and result bytes in the scratchpad, one element a point.
struct Case {
    MicroOp op;
    ElementType a, b, c, result;
    int operands;
};

std::vector<uint64_t> interesting(ElementType t, std::mt19937_64 &random, int n) {
    std::vector<uint64_t> v;
    if (info(t).is_float) {
        for (float f : {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1.5f, 2.5f, -2.5f, 3.0f, 1e-8f, 100.25f, -7.75f, 60000.0f, INFINITY, -INFINITY, NAN})
            v.push_back(bits_of(t, f));
        while (static_cast<int>(v.size()) < n) v.push_back(bits_of(t, std::uniform_real_distribution<float>(-50, 50)(random)));
    } else {
        for (Exact e : {Exact(0), Exact(1), Exact(-1), Exact(2), Exact(7), Exact(-5), lowest(t), lowest(t) + 1, highest(t), highest(t) / 2})
            v.push_back(static_cast<uint64_t>(e) & mask(t));
        while (static_cast<int>(v.size()) < n) v.push_back((random() >> random() % 60) & mask(t));
    }
    std::shuffle(v.begin(), v.end(), random);
    return v;
}

/// Results of `c` for the operand bits; one lane per point, the points in a shape that the emulator blocks.
std::vector<uint64_t> results(const Case &c, const std::vector<uint64_t> (&operand)[3]) {
    const auto n = static_cast<int64_t>(operand[0].size());
    const ElementType types[] = {c.a, c.b, c.c};
    std::vector<uint8_t> in(3 * 8 * n), out(8 * n);
    for (int k = 0; k < c.operands; k++)
        for (int64_t i = 0; i < n; i++) std::memcpy(&in[8 * (k * n + i)], &operand[k][i], info(types[k]).bytes);
    Builder b;
    const uint8_t source = b.region(RegionKind::input), target = b.region(RegionKind::output);
    b.tile(Opcode::op_load, domain({24 * n}), {spm(ElementType::u8, 0, {1}), ext(source, ElementType::u8, 0, {1})}).signal[0] = 0;
    MicroProgram micro;
    for (int k = 0; k < c.operands; k++) micro.push_back({.op = Op::load, .type = types[k], .stream = static_cast<uint8_t>(k)});
    MicroOp op = c.op;
    op.a = 0;
    if (c.operands > 1) op.b = 1;
    if (c.operands > 2) op.c = 2;
    micro.push_back(op);
    micro.push_back({.op = Op::store, .type = c.result, .stream = 3, .a = static_cast<uint16_t>(c.operands)});
    Instruction &run = b.micro(Opcode::op_run, domain({n}),
                               {spm(c.a, 0, {8}), spm(c.b, 8 * n, {8}), spm(c.c, 16 * n, {8}), spm(c.result, 24 * n, {8})}, micro);
    run.wait[0] = 0, run.signal[0] = 1;
    b.tile(Opcode::op_store, domain({8 * n}), {ext(target, ElementType::u8, 0, {1}), spm(ElementType::u8, 24 * n, {1})}).wait[0] = 1;
    b.run({memory_of(in), memory_of(out)});
    std::vector<uint64_t> r(n);
    for (int64_t i = 0; i < n; i++) std::memcpy(&r[i], &out[8 * i], info(c.result).bytes);
    return r;
}

void check(const Case &c, const std::function<uint64_t(uint64_t, uint64_t, uint64_t)> &formula, const char *name) {
    std::mt19937_64 random(static_cast<int>(c.op.op) * 131 + static_cast<int>(c.op.type));
    const std::vector<uint64_t> operand[] = {interesting(c.a, random, 700), interesting(c.b, random, 700), interesting(c.c, random, 700)};
    const std::vector<uint64_t> got = results(c, operand);
    for (size_t i = 0; i < got.size(); i++) {
        const uint64_t want = formula(operand[0][i], operand[1][i], operand[2][i]);
        if (info(c.result).is_float && std::isnan(float_of(c.result, want))) {
            ASSERT_TRUE(std::isnan(float_of(c.result, got[i]))) << name << " " << info(c.op.type).name;
            continue;
        }
        ASSERT_EQ(got[i], want & mask(c.result)) << name << " " << info(c.op.from).name << " -> " << info(c.op.type).name << " of " << operand[0][i]
                                                 << ", " << operand[1][i] << ", " << operand[2][i];
    }
}

using IntegerFormula = std::function<Exact(ElementType, Exact, Exact)>;
using FloatFormula = std::function<double(double, double)>;

Exact shifted(Exact a, Exact n) { return n >= 0 ? (n >= 64 ? 0 : a * power(n)) : floor_div(a, power(std::min<Exact>(-n, 100))); }

const std::map<Op, IntegerFormula> integer_formulae = {
    {Op::add, [](auto, Exact a, Exact b) { return a + b; }},
    {Op::sub, [](auto, Exact a, Exact b) { return a - b; }},
    {Op::mul, [](auto, Exact a, Exact b) { return static_cast<Exact>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }},
    {Op::div, [](auto, Exact a, Exact b) { return b == 0 ? 0 : b > 0 ? floor_div(a, b) : -floor_div(a, -b); }},
    {Op::mod, [](auto, Exact a, Exact b) { return b == 0 ? 0 : a - floor_div(a, b < 0 ? -b : b) * (b < 0 ? -b : b); }},
    {Op::min, [](auto, Exact a, Exact b) { return std::min(a, b); }},
    {Op::max, [](auto, Exact a, Exact b) { return std::max(a, b); }},
    {Op::absolute, [](auto, Exact a, Exact) { return a < 0 ? -a : a; }},
    {Op::absd, [](auto, Exact a, Exact b) { return a < b ? b - a : a - b; }},
    {Op::bit_and, [](auto, Exact a, Exact b) { return a & b; }},
    {Op::bit_or, [](auto, Exact a, Exact b) { return a | b; }},
    {Op::bit_xor, [](auto, Exact a, Exact b) { return a ^ b; }},
    {Op::bit_not, [](auto, Exact a, Exact) { return -a - 1; }},
    {Op::shl, [](auto, Exact a, Exact b) { return shifted(a, b); }},
    {Op::shr, [](auto, Exact a, Exact b) { return shifted(a, -b); }},
    {Op::rounding_shr, [](auto, Exact a, Exact b) { return b <= 0 ? shifted(a, -b) : b > 64 ? 0 : floor_div(a + power(b - 1), power(b)); }},
    {Op::mulh, [](ElementType t, Exact a, Exact b) {
         if (width(t) < 64) return floor_div(a * b, power(width(t)));
         const Exact low = b & 0xffffffff, high = floor_div(b, power(32));  // a * b needs more than 127 bits
         return floor_div(a * high + floor_div(a * low, power(32)), power(32));
     }},
    {Op::eq, [](auto, Exact a, Exact b) { return a == b; }},
    {Op::ne, [](auto, Exact a, Exact b) { return a != b; }},
    {Op::lt, [](auto, Exact a, Exact b) { return a < b; }},
    {Op::le, [](auto, Exact a, Exact b) { return a <= b; }},
    {Op::saturating_add, [](ElementType t, Exact a, Exact b) { return std::clamp(a + b, lowest(t), highest(t)); }},
    {Op::saturating_sub, [](ElementType t, Exact a, Exact b) { return std::clamp(a - b, lowest(t), highest(t)); }},
    {Op::halving_add, [](auto, Exact a, Exact b) { return floor_div(a + b, 2); }},
    {Op::rounding_halving_add, [](auto, Exact a, Exact b) { return floor_div(a + b + 1, 2); }},
    {Op::count_bits, [](ElementType t, Exact a, Exact) { return Exact(std::popcount(static_cast<uint64_t>(a) & mask(t))); }},
    {Op::leading_zeros, [](ElementType t, Exact a, Exact) {
         int n = 0;
         for (int bit = width(t) - 1; bit >= 0 && !(static_cast<uint64_t>(a) >> bit & 1); bit--) n++;
         return Exact(n);
     }},
    {Op::trailing_zeros, [](ElementType t, Exact a, Exact) {
         int n = 0;
         while (n < width(t) && !(static_cast<uint64_t>(a) >> n & 1)) n++;
         return Exact(n);
     }},
};

// Each is exact or correctly rounded in double, so one rounding to f32 is what the machine gives.
const std::map<Op, FloatFormula> float_formulae = {
    {Op::add, [](double a, double b) { return a + b; }},
    {Op::sub, [](double a, double b) { return a - b; }},
    {Op::mul, [](double a, double b) { return a * b; }},
    {Op::div, [](double a, double b) { return a / b; }},
    {Op::mod, [](double a, double b) {
         const float x = a, y = b;
         return double(x - float(y * std::floor(float(x / y))));
     }},
    {Op::min, [](double a, double b) { return b < a ? b : a; }},
    {Op::max, [](double a, double b) { return a > b ? a : b; }},
    {Op::absolute, [](double a, double) { return std::fabs(a); }},
    {Op::absd, [](double a, double b) { return std::fabs(double(float(a - b))); }},
    {Op::eq, [](double a, double b) { return a == b; }},
    {Op::ne, [](double a, double b) { return a != b; }},
    {Op::lt, [](double a, double b) { return a < b; }},
    {Op::le, [](double a, double b) { return a <= b; }},
    {Op::is_nan, [](double a, double) { return a != a; }},
    {Op::floor, [](double a, double) { return std::floor(a); }},
    {Op::ceil, [](double a, double) { return std::ceil(a); }},
    {Op::trunc, [](double a, double) { return std::trunc(a); }},
    {Op::round, [](double a, double) { return std::rint(a); }},
    {Op::sqrt, [](double a, double) { return std::sqrt(a); }},
    {Op::exp, [](double a, double) { return std::exp(a); }},
    {Op::log, [](double a, double) { return std::log(a); }},
    {Op::sin, [](double a, double) { return std::sin(a); }},
    {Op::cos, [](double a, double) { return std::cos(a); }},
    {Op::tanh, [](double a, double) { return std::tanh(a); }},
    {Op::erf, [](double a, double) { return std::erf(a); }},
    {Op::asin, [](double a, double) { return std::asin(a); }},
    {Op::acos, [](double a, double) { return std::acos(a); }},
    {Op::atan, [](double a, double) { return std::atan(a); }},
    {Op::pow, [](double a, double b) { return std::pow(a, b); }},
    {Op::atan2, [](double a, double b) { return std::atan2(a, b); }},
};

bool is_predicate(Op op) { return op == Op::eq || op == Op::ne || op == Op::lt || op == Op::le || op == Op::is_nan; }
int operand_count(const MicroOpInfo &row) { return row.operands.find('b') == std::string_view::npos ? 1 : 2; }

// Micro-ops with tests of their own: they move data, or work between two types.
constexpr Op apart[] = {Op::constant, Op::index,       Op::scalar,       Op::load,  Op::store,     Op::select,
                        Op::convert,  Op::saturate,    Op::reinterpret,  Op::widening_mul, Op::requantize};

TEST(MicroOps, EveryRowHasAFormula) {
    for (const MicroOpInfo &row : micro_ops) {
        const bool known = integer_formulae.count(row.code) || float_formulae.count(row.code) ||
                           std::find(std::begin(apart), std::end(apart), row.code) != std::end(apart);
        EXPECT_TRUE(known) << row.name;
    }
}

TEST(MicroOps, IntegersFollowTheirFormula) {
    for (const MicroOpInfo &row : micro_ops) {
        const auto f = integer_formulae.find(row.code);
        if (f == integer_formulae.end()) continue;
        for (ElementType t : all_types) {
            if (info(t).is_float) continue;
            const Case c{{.op = row.code, .type = t}, t, t, t, is_predicate(row.code) ? ElementType::u8 : t, operand_count(row)};
            check(c, [&](uint64_t a, uint64_t b, uint64_t) { return static_cast<uint64_t>(f->second(t, value_of(t, a), value_of(t, b))); }, row.name.data());
        }
    }
}

TEST(MicroOps, FloatsFollowTheirFormula) {
    for (const MicroOpInfo &row : micro_ops) {
        const auto f = float_formulae.find(row.code);
        if (f == float_formulae.end()) continue;
        for (ElementType t : {ElementType::f16, ElementType::bf16, ElementType::f32}) {
            const bool flag = is_predicate(row.code);
            const Case c{{.op = row.code, .type = t}, t, t, t, flag ? ElementType::u8 : t, operand_count(row)};
            check(c, [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                const double r = f->second(float_of(t, a), float_of(t, b));
                return flag ? static_cast<uint64_t>(r) : bits_of(t, static_cast<float>(r));
            }, row.name.data());
        }
    }
}

TEST(MicroOps, OperationsThatATypeLacksAreRefused) {
    for (const MicroOpInfo &row : micro_ops) {
        if (std::find(std::begin(apart), std::end(apart), row.code) != std::end(apart)) continue;
        for (ElementType t : all_types) {
            if (info(t).is_float ? float_formulae.count(row.code) : integer_formulae.count(row.code)) continue;
            if (!info(t).is_float && integer_formulae.count(row.code)) continue;
            const Case c{{.op = row.code, .type = t}, t, t, t, is_predicate(row.code) ? ElementType::u8 : t, operand_count(row)};
            const std::vector<uint64_t> operand[] = {{1}, {1}, {1}};
            EXPECT_EQ(code_of([&] { results(c, operand); }), 517) << row.name << " " << info(t).name;
        }
    }
}

TEST(MicroOps, Select) {
    for (ElementType t : all_types)
        check({{.op = Op::select, .type = t}, ElementType::u8, t, t, t, 3}, [](uint64_t a, uint64_t b, uint64_t c) { return a ? b : c; }, "select");
}

TEST(MicroOps, ConversionsBetweenIntegersWrapOrSaturate) {
    for (ElementType from : all_types)
        for (ElementType to : all_types) {
            if (info(from).is_float || info(to).is_float) continue;
            check({{.op = Op::convert, .type = to, .from = from}, from, from, from, to, 1},
                  [&](uint64_t a, uint64_t, uint64_t) { return static_cast<uint64_t>(value_of(from, a)); }, "convert");
            check({{.op = Op::saturate, .type = to, .from = from}, from, from, from, to, 1},
                  [&](uint64_t a, uint64_t, uint64_t) { return static_cast<uint64_t>(std::clamp(value_of(from, a), lowest(to), highest(to))); }, "saturate");
            check({{.op = Op::widening_mul, .type = to, .from = from}, from, from, from, to, 2},
                  [&](uint64_t a, uint64_t b, uint64_t) {
                      return static_cast<uint64_t>(value_of(from, a)) * static_cast<uint64_t>(value_of(from, b));
                  }, "widening_mul");
        }
}

TEST(MicroOps, ConversionsWithFloats) {
    for (ElementType f : {ElementType::f16, ElementType::bf16, ElementType::f32})
        for (ElementType t : all_types) {
            if (info(t).is_float) {
                check({{.op = Op::convert, .type = t, .from = f}, f, f, f, t, 1},
                      [&](uint64_t a, uint64_t, uint64_t) { return bits_of(t, float_of(f, a)); }, "convert");
                continue;
            }
            check({{.op = Op::convert, .type = f, .from = t}, t, t, t, f, 1},
                  [&](uint64_t a, uint64_t, uint64_t) { return bits_of(f, static_cast<float>(value_of(t, a))); }, "convert");
            check({{.op = Op::saturate, .type = t, .from = f}, f, f, f, t, 1}, [&](uint64_t a, uint64_t, uint64_t) {
                const float v = float_of(f, a);
                if (!(v > static_cast<float>(lowest(t)))) return static_cast<uint64_t>(lowest(t));
                return v >= static_cast<float>(highest(t)) ? static_cast<uint64_t>(highest(t)) : static_cast<uint64_t>(static_cast<Exact>(v));
            }, "saturate");
        }
}

TEST(MicroOps, FloatToIntegerTruncates) {
    for (ElementType t : all_types) {
        if (info(t).is_float) continue;
        const std::vector<float> values{0.9f, -0.9f, 1.0f, 1.5f, 2.99f, 100.5f, info(t).is_signed ? -100.5f : 0.0f};
        std::vector<uint64_t> bits;
        for (float v : values) bits.push_back(bits_of(ElementType::f32, v));
        const std::vector<uint64_t> operand[] = {bits, bits, bits};
        const auto got = results({{.op = Op::convert, .type = t, .from = ElementType::f32}, ElementType::f32, ElementType::f32, ElementType::f32, t, 1}, operand);
        for (size_t i = 0; i < values.size(); i++) EXPECT_EQ(value_of(t, got[i]), static_cast<Exact>(values[i])) << info(t).name << " " << values[i];
    }
}

TEST(MicroOps, ReinterpretKeepsBits) {
    for (ElementType from : all_types)
        for (ElementType to : all_types) {
            if (info(from).bytes != info(to).bytes) continue;
            check({{.op = Op::reinterpret, .type = to, .from = from}, from, from, from, to, 1}, [](uint64_t a, uint64_t, uint64_t) { return a; }, "reinterpret");
        }
}

TEST(MicroOps, RequantizeIsTheSharedDefinition) {
    std::mt19937_64 random(5);
    for (int mode = 0; mode <= static_cast<int>(Rounding::half_away); mode++) {
        std::vector<uint64_t> operand[3];
        for (int i = 0; i < 600; i++) {
            operand[0].push_back(static_cast<uint32_t>(random()));
            operand[1].push_back(static_cast<uint32_t>(random() & 0x7fffffff));
            operand[2].push_back(random() % 47);
        }
        const ElementType t = ElementType::i32;
        const auto got = results({{.op = Op::requantize, .type = t, .mode = static_cast<uint8_t>(mode)}, t, t, t, t, 3}, operand);
        for (size_t i = 0; i < got.size(); i++)
            EXPECT_EQ(static_cast<int32_t>(got[i]), requantize(static_cast<Rounding>(mode), static_cast<int32_t>(operand[0][i]),
                                                               static_cast<int32_t>(operand[1][i]), static_cast<int32_t>(operand[2][i])));
    }
}

TEST(MicroOps, ConstantIndexAndScalar) {
    Builder b;
    const uint8_t out_region = b.region(RegionKind::output);
    std::vector<int32_t> out(3 * 4 * 5);
    b.control(Opcode::op_movi, 3, 0xff, 1000);
    const ElementType t = ElementType::i32;
    b.micro(Opcode::op_run, domain({4, 5}), {spm(t, 0, {12, 48})},
            {{.op = Op::constant, .type = t, .imm = -7}, {.op = Op::index, .type = t, .mode = 1}, {.op = Op::scalar, .type = t, .mode = 3},
             {.op = Op::store, .type = t, .a = 0}, {.op = Op::store, .type = t, .a = 1, .imm = 4}, {.op = Op::store, .type = t, .a = 2, .imm = 8}})
        .signal[0] = 0;
    b.tile(Opcode::op_store, domain({60}), {ext(out_region, t, 0, {4}), spm(t, 0, {4})}).wait[0] = 0;
    b.run({memory_of(out)});
    for (int i = 0; i < 20; i++) {
        EXPECT_EQ(out[3 * i], -7);
        EXPECT_EQ(out[3 * i + 1], i / 4);
        EXPECT_EQ(out[3 * i + 2], 1000);
    }
}

}  // namespace
}  // namespace emulsion::test
