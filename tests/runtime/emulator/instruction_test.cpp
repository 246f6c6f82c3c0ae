// Each tile instruction against plain loops over its domain, with random extents and strides: negative, zero, unaligned.
#include "tests/runtime/emulator/program_builder.h"

#include "runtime/isa/float16.h"

#include <gtest/gtest.h>

namespace emulsion::test {
namespace {

using Bytes = std::vector<uint8_t>;
using Index = std::array<int64_t, max_rank>;

template<typename F>
void over(const Domain &d, F f) {
    Index i{};
    for (i[5] = 0; i[5] < (d.rank > 5 ? d.extent[5].imm : 1); i[5]++)
        for (i[4] = 0; i[4] < (d.rank > 4 ? d.extent[4].imm : 1); i[4]++)
            for (i[3] = 0; i[3] < (d.rank > 3 ? d.extent[3].imm : 1); i[3]++)
                for (i[2] = 0; i[2] < (d.rank > 2 ? d.extent[2].imm : 1); i[2]++)
                    for (i[1] = 0; i[1] < (d.rank > 1 ? d.extent[1].imm : 1); i[1]++)
                        for (i[0] = 0; i[0] < d.extent[0].imm; i[0]++) f(i);
}

int64_t address(const Stream &s, const Index &i) {
    int64_t a = s.base;
    for (int d = 0; d < max_rank; d++) a += i[d] * s.stride[d].imm;
    return a;
}

Domain random_domain(std::mt19937 &random, int most) {
    Domain d;
    d.rank = 1 + random() % max_rank;
    for (int k = 0; k < d.rank; k++) d.extent[k].imm = 1 + random() % (d.rank > 3 ? 4 : most);
    return d;
}

/// Random strides; the base is such that all addresses lie in [0, limit).
Stream random_stream(std::mt19937 &random, const Domain &d, Space space, ElementType t, int64_t limit, uint8_t region = 0) {
    Stream s{.space = space, .region = region, .type = t};
    int64_t lo = 0, hi = info(t).bytes;
    for (int k = 0; k < d.rank; k++) {
        const int64_t choices[] = {0, info(t).bytes, -info(t).bytes, static_cast<int64_t>(random() % 30), -static_cast<int64_t>(random() % 30), 64};
        s.stride[k].imm = choices[random() % 6];
        (s.stride[k].imm < 0 ? lo : hi) += s.stride[k].imm * (d.extent[k].imm - 1);
    }
    s.base = -lo + static_cast<int64_t>(random() % static_cast<uint64_t>(limit - (hi - lo) + 1));
    return s;
}

/// Scratchpad [0, 8192) and accumulator [0, 4096) in known states before `body`, and what they hold after it.
struct Machine {
    Bytes spm = random_bytes(8192, 1), acc = random_bytes(4096, 2), in = random_bytes(8192, 3);
    Bytes out = random_bytes(8192, 4);

    template<typename Body>
    void run(Body body) {
        Bytes spm_in = spm, acc_in = acc, spm_out(spm.size()), acc_out(acc.size());
        Builder b;
        const uint8_t data = b.region(RegionKind::input), result = b.region(RegionKind::output);
        const uint8_t s0 = b.region(RegionKind::input), a0 = b.region(RegionKind::input), s1 = b.region(RegionKind::output), a1 = b.region(RegionKind::output);
        const ElementType u8 = ElementType::u8, i32 = ElementType::i32;
        const auto n_spm = static_cast<int64_t>(spm.size()), n_acc = static_cast<int64_t>(acc.size()), beside = n_spm;
        (void)data, (void)result;
        b.tile(Opcode::op_load, domain({n_spm}), {test::spm(u8, 0, {1}), ext(s0, u8, 0, {1})}).signal[0] = 0;
        b.tile(Opcode::op_load, domain({n_acc}), {test::spm(u8, beside, {1}), ext(a0, u8, 0, {1})}).signal[0] = 1;
        Instruction &preload = b.tile(Opcode::op_preload, domain({n_acc / 4}), {test::acc(i32, 0, {4}), test::spm(i32, beside, {4})});
        preload.wait[0] = 1, preload.signal[0] = 2;
        Instruction &under_test = body(b);
        under_test.wait = {0, 2}, under_test.signal[0] = 3;
        const MicroProgram move = {{.op = MicroOpcode::load, .type = i32}, {.op = MicroOpcode::store, .type = i32, .stream = 1, .a = 0}};
        Instruction &drain = b.micro(Opcode::op_drain, domain({n_acc / 4}), {test::acc(i32, 0, {4}), test::spm(i32, beside, {4})}, move);
        drain.wait[0] = 3, drain.signal[0] = 4;
        b.tile(Opcode::op_store, domain({n_acc}), {ext(a1, u8, 0, {1}), test::spm(u8, beside, {1})}).wait[0] = 4;
        b.tile(Opcode::op_store, domain({n_spm}), {ext(s1, u8, 0, {1}), test::spm(u8, 0, {1})});
        b.run({memory_of(in), memory_of(out), memory_of(spm_in), memory_of(acc_in), memory_of(spm_out), memory_of(acc_out)});
        spm = spm_out, acc = acc_out;
    }
};

void copy_by_hand(const Domain &d, Bytes &to, const Stream &dst, const Bytes &from, const Stream &src) {
    const int n = info(dst.type).bytes;
    over(d, [&](const Index &i) {
        Bytes element(from.begin() + address(src, i), from.begin() + address(src, i) + n);
        std::copy(element.begin(), element.end(), to.begin() + address(dst, i));
    });
}

constexpr ElementType by_size[] = {ElementType::u8, ElementType::i16, ElementType::f32, ElementType::u64};

TEST(Load, MatchesLoops) {
    std::mt19937 random(1);
    for (int n = 0; n < 60; n++) {
        const Domain d = random_domain(random, 9);
        const ElementType t = by_size[random() % 4];
        Machine m;
        const Stream dst = random_stream(random, d, Space::spm, t, 8192), src = random_stream(random, d, Space::ext, t, 8192, 0);
        Bytes want = m.spm;
        copy_by_hand(d, want, dst, m.in, src);
        m.run([&](Builder &b) -> Instruction & { return b.tile(Opcode::op_load, d, {dst, src}); });
        ASSERT_EQ(m.spm, want) << n;
    }
}

TEST(Store, MatchesLoops) {
    std::mt19937 random(2);
    for (int n = 0; n < 60; n++) {
        const Domain d = random_domain(random, 9);
        const ElementType t = by_size[random() % 4];
        Machine m;
        const Stream dst = random_stream(random, d, Space::ext, t, 8192, 1), src = random_stream(random, d, Space::spm, t, 8192);
        Bytes want = m.out;
        copy_by_hand(d, want, dst, m.spm, src);
        m.run([&](Builder &b) -> Instruction & { return b.tile(Opcode::op_store, d, {dst, src}); });
        ASSERT_EQ(m.out, want) << n;
    }
}

TEST(Copy, MatchesLoopsWhenSourceAndTargetOverlap) {
    std::mt19937 random(3);
    for (int n = 0; n < 80; n++) {
        const Domain d = random_domain(random, 9);
        const ElementType t = by_size[random() % 4];
        Machine m;
        const Stream dst = random_stream(random, d, Space::spm, t, 2048), src = random_stream(random, d, Space::spm, t, 2048);
        Bytes want = m.spm;
        copy_by_hand(d, want, dst, want, src);
        m.run([&](Builder &b) -> Instruction & { return b.tile(Opcode::op_copy, d, {dst, src}); });
        ASSERT_EQ(m.spm, want) << n;
    }
}

TEST(Fill, MatchesLoops) {
    std::mt19937 random(4);
    for (int n = 0; n < 30; n++) {
        const Domain d = random_domain(random, 9);
        const Stream dst = random_stream(random, d, Space::spm, ElementType::i16, 8192);
        Machine m;
        Bytes want = m.spm;
        over(d, [&](const Index &i) { want[address(dst, i)] = 0x2e, want[address(dst, i) + 1] = 0xfb; });
        m.run([&](Builder &b) -> Instruction & { return b.tile(Opcode::op_fill, d, {dst}, -1234); });
        ASSERT_EQ(m.spm, want) << n;
    }
}

TEST(ClearAndPreload, MatchLoops) {
    std::mt19937 random(5);
    for (int n = 0; n < 40; n++) {
        const Domain d = random_domain(random, 5);
        const Stream dst = random_stream(random, d, Space::acc, ElementType::i32, 4096), src = random_stream(random, d, Space::spm, ElementType::i32, 8192);
        Machine m;
        Bytes want = m.acc;
        if (n % 2) copy_by_hand(d, want, dst, m.spm, src);
        else over(d, [&](const Index &i) { std::fill_n(want.begin() + address(dst, i), 4, 0); });
        m.run([&](Builder &b) -> Instruction & { return n % 2 ? b.tile(Opcode::op_preload, d, {dst, src}) : b.tile(Opcode::op_clear, d, {dst}); });
        ASSERT_EQ(m.acc, want) << n;
    }
}

int64_t halide_coordinate(FillMode mode, int64_t c, int64_t lo, int64_t hi) {
    const int64_t extent = hi - lo;
    const auto mod = [](int64_t a, int64_t b) { return (a % b + b) % b; };
    switch (mode) {
    case FillMode::repeat_image: return mod(c - lo, extent) + lo;
    case FillMode::mirror_image: {
        const int64_t k = mod(c - lo, extent * 2);
        return (k >= extent ? 2 * extent - 1 - k : k) + lo;
    }
    case FillMode::mirror_interior: {
        const int64_t limit = extent - 1, k = limit == 0 ? 0 : mod(c - lo, 2 * limit);
        return (k >= limit ? 2 * limit - k : k) + lo;
    }
    default: return std::min(std::max(c, lo), hi - 1);
    }
}

TEST(LoadWithFill, EveryModeMatchesHalidesFormula) {
    std::mt19937 random(6);
    for (int n = 0; n < 200; n++) {
        const auto mode = static_cast<FillMode>(n % 5);
        const ElementType t = by_size[random() % 4];
        const int bytes = info(t).bytes;
        Domain d = domain({1 + static_cast<int64_t>(random() % 20), 1 + static_cast<int64_t>(random() % 7), 1 + static_cast<int64_t>(random() % 3)});
        Fill f{.mode = mode, .value = 0x1122334455667788};
        Stream src = ext(0, t, 1000, {bytes, bytes * 16, bytes * 80});
        for (int k = 0; k < 2; k++) {
            f.boxed[k] = random() % 4 != 0;
            f.lo[k].imm = random() % 3, f.hi[k].imm = f.lo[k].imm + 1 + random() % 9;
            f.origin[k].imm = static_cast<int64_t>(random() % 40) - 20;
        }
        const Stream dst = random_stream(random, d, Space::spm, t, 8192);
        Machine m;
        Bytes want = m.spm;
        over(d, [&](const Index &i) {
            Index c = i;
            bool inside = true;
            for (int k = 0; k < 2; k++) {
                if (!f.boxed[k]) continue;
                c[k] = f.origin[k].imm + i[k];
                inside &= c[k] >= f.lo[k].imm && c[k] < f.hi[k].imm;
                c[k] = halide_coordinate(mode, c[k], f.lo[k].imm, f.hi[k].imm);
            }
            if (mode == FillMode::constant && !inside) std::memcpy(&want[address(dst, i)], &f.value, bytes);
            else std::memcpy(&want[address(dst, i)], &m.in[address(src, c)], bytes);
        });
        m.run([&](Builder &b) -> Instruction & { return b.with_fill(Opcode::op_load, d, {dst, src}, f); });
        ASSERT_EQ(m.spm, want) << "mode " << n % 5 << " case " << n;
    }
}

TEST(LoadWithFill, AConstantBorderMayLieOutsideTheRegion) {
    std::vector<uint8_t> in{1, 2, 3}, out(7);
    Builder b;
    const uint8_t r = b.region(RegionKind::input), w = b.region(RegionKind::output);
    Fill f{.mode = FillMode::constant, .value = 9};
    f.boxed[0] = true, f.origin[0].imm = -2, f.hi[0].imm = 3;
    b.with_fill(Opcode::op_load, domain({7}), {spm(ElementType::u8, 0, {1}), ext(r, ElementType::u8, 0, {1})}, f).signal[0] = 0;
    b.tile(Opcode::op_store, domain({7}), {ext(w, ElementType::u8, 0, {1}), spm(ElementType::u8, 0, {1})}).wait[0] = 0;
    b.run({memory_of(in), memory_of(out)});
    EXPECT_EQ(out, (std::vector<uint8_t>{9, 9, 1, 2, 3, 9, 9}));
}

TEST(LoadWithFill, RepeatingAnEmptyBoxIsAnError) {
    std::vector<uint8_t> in{1, 2, 3};
    Builder b;
    const uint8_t r = b.region(RegionKind::input);
    Fill f{.mode = FillMode::repeat_edge};
    f.boxed[0] = true;
    b.with_fill(Opcode::op_load, domain({7}), {spm(ElementType::u8, 0, {1}), ext(r, ElementType::u8, 0, {1})}, f);
    EXPECT_EQ(code_of([&] { b.run({memory_of(in)}); }), 510);
}

template<typename A, typename B>
void contract_by_hand(const Domain &d, Bytes &acc_bytes, const Stream &c, const Bytes &from, const Stream &a, const Stream &b, int za, int zb, bool overwrite) {
    if (overwrite) over(d, [&](const Index &i) { std::fill_n(acc_bytes.begin() + address(c, i), 4, 0); });
    over(d, [&](const Index &i) {
        A x;
        B y;
        uint32_t sum;
        std::memcpy(&x, &from[address(a, i)], sizeof x);
        std::memcpy(&y, &from[address(b, i)], sizeof y);
        std::memcpy(&sum, &acc_bytes[address(c, i)], 4);
        sum += static_cast<uint32_t>((static_cast<int64_t>(x) - za) * (static_cast<int64_t>(y) - zb));
        std::memcpy(&acc_bytes[address(c, i)], &sum, 4);
    });
}

template<typename A, typename B>
void check_integer_contract(ElementType ta, ElementType tb, std::mt19937 &random) {
    for (int n = 0; n < 24; n++) {
        const Domain d = random_domain(random, 7);
        const Stream a = random_stream(random, d, Space::spm, ta, 8192), b = random_stream(random, d, Space::spm, tb, 8192);
        Stream c = random_stream(random, d, Space::acc, ElementType::i32, 1024);
        const int za = n % 3 ? static_cast<int>(random() % 256) - 128 : static_cast<int16_t>(random()), zb = n % 4 ? 0 : static_cast<int16_t>(random());
        Machine m;
        Bytes want = m.acc;
        contract_by_hand<A, B>(d, want, c, m.spm, a, b, za, zb, n % 2);
        m.run([&](Builder &p) -> Instruction & {
            Instruction &i = p.tile(Opcode::op_contract, d, {c, a, b}, (za & 0xffff) | static_cast<int32_t>(static_cast<uint32_t>(zb) << 16));
            i.mode = n % 2;
            return i;
        });
        ASSERT_EQ(m.acc, want) << info(ta).name << " x " << info(tb).name << " case " << n;
    }
}

TEST(Contract, IntegersMatchLoops) {
    std::mt19937 random(7);
    check_integer_contract<int8_t, int8_t>(ElementType::i8, ElementType::i8, random);
    check_integer_contract<uint8_t, int8_t>(ElementType::u8, ElementType::i8, random);
    check_integer_contract<uint8_t, uint8_t>(ElementType::u8, ElementType::u8, random);
    check_integer_contract<int16_t, int8_t>(ElementType::i16, ElementType::i8, random);
    check_integer_contract<int16_t, int16_t>(ElementType::i16, ElementType::i16, random);
    check_integer_contract<uint16_t, int16_t>(ElementType::u16, ElementType::i16, random);
}

// A convolution with row, tap and column indices, big enough for the panels; and a depthwise one, which is not.
TEST(Contract, ConvolutionsMatchLoops) {
    for (const bool depthwise : {false, true}) {
        //               x  y  ci/c  co  kx  ky
        const Domain d = domain({9, 6, 8, depthwise ? 1 : 12, 3, 3});
        const Stream a = spm(ElementType::u8, 0, {8, 8 * 11, 1, 0, 8, 8 * 11}), b = spm(ElementType::i8, 2048, {0, 0, 1, 72, 8, 24});
        const Stream c = depthwise ? acc(ElementType::i32, 0, {32, 288, 4, 0, 0, 0}) : acc(ElementType::i32, 4, {4, 36, 0, 216, 0, 0});
        Machine m;
        Bytes want = m.acc;
        contract_by_hand<uint8_t, int8_t>(d, want, c, m.spm, a, b, 128, 3, true);
        m.run([&](Builder &p) -> Instruction & {
            Instruction &i = p.tile(Opcode::op_contract, d, {c, a, b}, 128 | 3 << 16);
            i.mode = 1;
            return i;
        });
        ASSERT_EQ(m.acc, want) << depthwise;
    }
}

float element(ElementType t, const uint8_t *p) {
    uint16_t half;
    float f;
    std::memcpy(&half, p, 2);
    std::memcpy(&f, p, t == ElementType::f32 ? 4 : 2);
    return t == ElementType::f16 ? f16_to_f32(half) : t == ElementType::bf16 ? bf16_to_f32(half) : f;
}

// Sums of floats depend on their order: any other order than the domain's gives other bits here.
TEST(Contract, FloatSumsKeepTheOrderOfTheDomain) {
    std::mt19937 random(8);
    for (int n = 0; n < 60; n++) {
        const ElementType t = std::array{ElementType::f32, ElementType::f16, ElementType::bf16}[n % 3];
        const Domain d = random_domain(random, 8);
        const Stream a = random_stream(random, d, Space::spm, t, 4096), b = random_stream(random, d, Space::spm, t, 4096);
        const Stream c = random_stream(random, d, Space::acc, ElementType::f32, 4096);
        Machine m;
        for (size_t k = 0; k + 4 <= m.spm.size(); k += 4) {  // finite values of many magnitudes, at any alignment
            const float v = std::uniform_real_distribution<float>(-2, 2)(random);
            std::memcpy(&m.spm[k], &v, 4);
        }
        std::fill(m.acc.begin(), m.acc.end(), 0);
        Bytes want = m.acc;
        over(d, [&](const Index &i) {
            float sum;
            std::memcpy(&sum, &want[address(c, i)], 4);
            const float product = element(t, &m.spm[address(a, i)]) * element(t, &m.spm[address(b, i)]);
            sum = sum + product;
            std::memcpy(&want[address(c, i)], &sum, 4);
        });
        m.run([&](Builder &p) -> Instruction & { return p.tile(Opcode::op_contract, d, {c, a, b}); });
        for (size_t k = 0; k + 4 <= want.size(); k++) {
            if (m.acc[k] == want[k]) continue;
            const float x = element(ElementType::f32, &m.acc[k / 4 * 4]), y = element(ElementType::f32, &want[k / 4 * 4]);
            ASSERT_TRUE(x != x && y != y) << info(t).name << " case " << n << ": " << x << " " << y;
        }
    }
}

TEST(Contract, OverwritesWhenTheRegisterIsZero) {
    for (const int32_t turn : {0, 1}) {
        Machine m;
        std::fill(m.acc.begin(), m.acc.begin() + 4, 1);
        m.spm[0] = 5, m.spm[1] = 7;
        m.run([&](Builder &b) -> Instruction & {
            b.control(Opcode::op_movi, 4, 0xff, turn);
            Instruction &i = b.tile(Opcode::op_contract, domain({1}), {acc(ElementType::i32, 0, {0}), spm(ElementType::u8, 0, {0}), spm(ElementType::u8, 1, {0})});
            i.mode = 2, i.ra = 4;
            return i;
        });
        int32_t sum;
        std::memcpy(&sum, m.acc.data(), 4);
        EXPECT_EQ(sum, turn == 0 ? 35 : 35 + 0x01010101);
    }
}

TEST(EveryTileInstruction, DoesNothingOnAnEmptyDomain) {
    Machine m, before;
    m.run([&](Builder &b) -> Instruction & {
        const Domain none = domain({4, 0, -3});
        const ElementType u8 = ElementType::u8, i32 = ElementType::i32;
        b.tile(Opcode::op_load, none, {spm(u8, 1 << 20, {1}), ext(0, u8, 1 << 20, {1})});
        b.tile(Opcode::op_fill, none, {spm(u8, 0, {1})}, 1);
        b.tile(Opcode::op_clear, none, {acc(i32, 0, {4})});
        b.tile(Opcode::op_contract, none, {acc(i32, 0, {4}), spm(u8, 0, {1}), spm(u8, 0, {1})}).mode = 1;
        b.tile(Opcode::op_copy, none, {spm(u8, 0, {1}), spm(u8, 8, {1})});
        return b.micro(Opcode::op_run, none, {spm(u8, 0, {1})}, {{.op = MicroOpcode::constant, .type = u8}, {.op = MicroOpcode::store, .type = u8, .a = 0}});
    });
    EXPECT_EQ(m.spm, before.spm);
    EXPECT_EQ(m.acc, before.acc);
}

TEST(Contract, RefusesTypesThatDoNotGoTogether) {
    const auto contract = [](ElementType c, ElementType a, ElementType b) {
        return code_of([&] {
            Builder p;
            p.tile(Opcode::op_contract, domain({1}), {acc(c, 0, {0}), spm(a, 0, {0}), spm(b, 0, {0})});
            p.run({});
        });
    };
    EXPECT_EQ(contract(ElementType::i32, ElementType::f32, ElementType::i8), 517);
    EXPECT_EQ(contract(ElementType::f32, ElementType::i8, ElementType::i8), 517);
    EXPECT_EQ(contract(ElementType::f32, ElementType::f16, ElementType::bf16), 517);
    EXPECT_EQ(contract(ElementType::i32, ElementType::i8, ElementType::i8), 0);
}

TEST(Move, RefusesElementsOfDifferentSize) {
    Builder b;
    b.tile(Opcode::op_copy, domain({1}), {spm(ElementType::u8, 0, {0}), spm(ElementType::i32, 0, {0})});
    EXPECT_EQ(code_of([&] { b.run({}); }), 517);
}

TEST(EveryTileInstruction, ChecksItsNumberOfOperands) {
    for (Opcode op : {Opcode::op_load, Opcode::op_store, Opcode::op_copy, Opcode::op_preload, Opcode::op_contract}) {
        Builder b;
        b.tile(op, domain({1}), {spm(ElementType::u8, 0, {0})});
        EXPECT_EQ(code_of([&] { b.run({}); }), 518) << find_instruction(op)->name;
    }
}

}  // namespace
}  // namespace emulsion::test
