// Linked programs compute what their units compute one after the other. Would catch: a unit that starts before the one before has stored, a
// region that is not moved, tokens shared by neighbours, prefetched loads that overwrite what is still read.
#include "npu_backend/compile.h"
#include "npu_backend/link/link.h"
#include "npu_backend/verify/verify.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"

#include <gtest/gtest.h>
#include <numeric>

namespace emulsion {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr int n = 1000;

const TargetDesc &edge() {
    static const TargetDesc target = load_target("edge-256");
    return target;
}

CompileRequest bit_xor() { return {.generator = "binary", .params = {{"op", "bit_xor"}, {"type", "uint8"}, {"rank", "1"}}, .shapes = {{"a", {n}}, {"b", {n}}, {"out", {n}}}}; }
CompileRequest maximum() { return {.generator = "maximum", .params = {{"type", "uint8"}, {"rank", "1"}}, .shapes = {{"a", {n}}, {"b", {n}}, {"out", {n}}}}; }

Program compiled(const CompileRequest &r) { return compile(r, edge(), {.verify = false, .dump = {}}).program; }

/// in, out, constants of n elements, arena of two values.
Program whole() {
    Program p;
    p.name = "whole";
    p.machine = edge().name;
    p.machine_hash = edge().hash;
    p.regions = {{.name = "in", .kind = RegionKind::input, .type = ElementType::u8, .dimensions = 1, .extents = {n}},
                 {.name = "out", .kind = RegionKind::output, .type = ElementType::u8, .dimensions = 1, .extents = {n}},
                 {.name = "constants", .kind = RegionKind::constants, .type = ElementType::u8, .dimensions = 1, .bytes = n},
                 {.name = "arena", .kind = RegionKind::arena, .type = ElementType::u8, .dimensions = 1, .bytes = 2048}};
    p.constants.resize(n);
    std::iota(p.constants.begin(), p.constants.end(), uint8_t{3});
    return p;
}
enum Place { in, out, constants, arena };

/// `places`: the region and offset of each of the unit's regions, by name a, b, out.
LinkUnit unit(const std::string &name, const Program &p, const std::map<std::string, LinkedRegion> &places) {
    LinkUnit u{name, &p, {}};
    for (const Region &r : p.regions) u.regions.push_back(places.at(r.name));
    return u;
}

Bytes run(const Program &p, Bytes input, uint64_t seed = 0) {
    Bytes output(n), constant = p.constants, memory(2048);
    std::vector<RegionMemory> regions{{input}, {output}, {constant}, {memory}};
    interpret(p, edge(), regions, {}, {.schedule_seed = seed, .sanitize = true});
    return output;
}

std::string code_of(const std::function<void()> &f) {
    try {
        f();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

/// out = max(max(in ^ c, in) ^ c, in ^ c), through the arena.
std::vector<LinkUnit> four_units(const Program &x, const Program &m) {
    return {unit("first", x, {{"a", {in, 0}}, {"b", {constants, 0, 0, n}}, {"out", {arena, 0}}}), unit("second", m, {{"a", {arena, 0}}, {"b", {in, 0}}, {"out", {arena, 1024}}}),
            unit("third", x, {{"a", {arena, 1024}}, {"b", {constants, 0, 0, n}}, {"out", {arena, 1024}}}), unit("fourth", m, {{"a", {arena, 1024}}, {"b", {arena, 0}}, {"out", {out, 0}}})};
}

TEST(Link, UnitsRunInOrderUnderEverySchedule) {
    const Program x = compiled(bit_xor()), m = compiled(maximum());
    Bytes input(n), want(n);
    for (size_t k = 0; k < n; k++) {
        input[k] = static_cast<uint8_t>(k * 7);
        const uint8_t c = static_cast<uint8_t>(3 + k), first = input[k] ^ c;
        want[k] = std::max<uint8_t>(std::max(first, input[k]) ^ c, first);
    }
    for (const bool prefetch : {false, true}) {
        const Program p = link(whole(), four_units(x, m), edge(), {.prefetch = prefetch});
        const std::vector<RegionExtent> extents{{0, n}, {0, n}, {0, n}, {0, 2048}};
        EXPECT_NO_THROW(verify(p, edge(), extents, {}));
        for (uint64_t seed = 0; seed < 20; seed++) EXPECT_EQ(run(p, input, seed), want) << "prefetch " << prefetch << " schedule " << seed;
    }
}

TEST(Link, OneUnitManyTimesSharesItsTables) {
    const Program x = compiled(bit_xor()), m = compiled(maximum());
    const std::vector<LinkUnit> four = four_units(x, m);
    const size_t once = link(whole(), four, edge()).domains.size();
    std::vector<LinkUnit> units;
    for (int k = 0; k < 5; k++) units.insert(units.end(), four.begin(), four.end());
    EXPECT_EQ(link(whole(), units, edge()).domains.size(), once);
}

TEST(Link, PrefetchTakesNoLonger) {
    const Program x = compiled(bit_xor()), m = compiled(maximum());
    const auto cycles = [&](bool prefetch) { return simulate(link(whole(), four_units(x, m), edge(), {.prefetch = prefetch}), edge(), {}).cycles; };
    EXPECT_LE(cycles(true), cycles(false));
}

TEST(Link, UnitsThatCannotBeLinked) {
    CompileRequest open = maximum();
    open.shapes.clear();
    Program any = compiled(open);
    const auto linked = [](const Program &p) {
        LinkUnit u{"unit", &p, std::vector<LinkedRegion>(p.regions.size(), LinkedRegion{arena, 0})};
        return code_of([&] { link(whole(), {u, u}, edge()); });
    };
    EXPECT_EQ(linked(any), "EM760");  // extents are arguments
    Program other = compiled(maximum());
    EXPECT_EQ(linked(other), "none");
    other.machine_hash++;
    EXPECT_EQ(linked(other), "EM760");
    Program tokens = compiled(maximum());
    tokens.tokens.resize(200);
    EXPECT_EQ(linked(tokens), "EM761");  // neighbours share none: 400
}

TEST(Link, TablesThatOverflow) {
    // Two units, each with 40,000 loads of different lengths.
    std::vector<Program> programs(2, compiled(maximum()));
    uint32_t extent = 1;
    for (Program &p : programs) {
        const auto load = std::find_if(p.code.begin(), p.code.end(), [](const Instruction &i) { return i.op == Opcode::op_load; });
        ASSERT_NE(load, p.code.end());
        const Instruction first = *load;
        std::vector<Instruction> loads;
        for (int k = 0; k < 40000; k++) {
            Domain d = p.domains[first.domain];
            d.extent[0].imm = extent++;
            p.domains.push_back(d);
            loads.push_back(first);
            loads.back().domain = static_cast<uint16_t>(p.domains.size() - 1);
        }
        p.code.insert(p.code.begin(), loads.begin(), loads.end());
    }
    std::vector<LinkUnit> units;
    for (const Program &p : programs) units.push_back({"unit", &p, std::vector<LinkedRegion>(p.regions.size(), LinkedRegion{arena, 0})});
    EXPECT_EQ(code_of([&] { link(whole(), units, edge()); }), "EM762");
}

}  // namespace
}  // namespace emulsion
