#include "tests/npu_backend/verify/mutation_harness.h"

#include "npu_backend/verify/verify.h"
#include "runtime/diag/diag.h"
#include "runtime/emulator/emulator.h"
#include "tests/npu_backend/verify/mutate.h"

#include <cstring>
#include <random>

namespace emulsion::test {
namespace {

// In program order as far as tokens allow, and random interleavings; a race needs an unlucky one to show.
constexpr uint64_t seeds[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
constexpr uint64_t instruction_budget = 1 << 20;

bool named(const Region &region, const char *part) { return region.name.find(part) != std::string::npos; }

// Any bits for narrow types; shifts, multipliers and floats stay where the operators are defined.
std::vector<uint8_t> input_bytes(const Region &region, int64_t bytes) {
    std::vector<uint8_t> data(static_cast<size_t>(bytes));
    std::mt19937 random(static_cast<uint32_t>(bytes));
    const auto fill = [&](auto value) {
        for (size_t k = 0; k + sizeof value() <= data.size(); k += sizeof value()) {
            const auto v = value();
            std::memcpy(&data[k], &v, sizeof v);
        }
    };
    if (region.type == ElementType::f32)
        fill([&] { return static_cast<float>(random() % 1000) / 500.0f - 1.0f; });
    else if (named(region, "shift"))
        fill([&] { return static_cast<int32_t>(36 + random() % 4); });
    else if (named(region, "multiplier"))
        fill([&] { return static_cast<int32_t>((1u << 30) + random() % (1u << 30)); });
    else
        fill([&] { return static_cast<uint8_t>(random()); });
    return data;
}

bool is_harmful(const HandProgram &mutant, const TargetDesc &target,
                const std::vector<std::vector<uint8_t>> &expected) {
    for (uint64_t seed : seeds)
        if (execute(mutant, target, seed) != expected) return true;
    return false;
}

void count(Tally &t, bool harmful, bool signed_off) {
    if (harmful) {
        t.harmful++;
        t.refused += !signed_off;
    } else {
        (signed_off ? t.harmless_accepted : t.harmless_refused)++;
    }
}

}  // namespace

Tally MutationReport::total() const {
    Tally sum;
    for (const auto &[kind, t] : by_kind) {
        sum.harmful += t.harmful;
        sum.refused += t.refused;
        sum.harmless_accepted += t.harmless_accepted;
        sum.harmless_refused += t.harmless_refused;
    }
    return sum;
}

std::string MutationReport::table() const {
    std::string text = fmt::format("{:<18}{:>9}{:>9}{:>20}{:>19}\n", "mutation", "harmful", "refused",
                                   "harmless accepted", "harmless refused");
    const auto row = [&](std::string_view name, const Tally &t) {
        text += fmt::format("{:<18}{:>9}{:>9}{:>20}{:>19}\n", name, t.harmful, t.refused, t.harmless_accepted,
                            t.harmless_refused);
    };
    for (const auto &[kind, t] : by_kind) row(kind, t);
    row("total", total());
    return text;
}

std::optional<std::vector<std::vector<uint8_t>>> execute(const HandProgram &subject, const TargetDesc &target,
                                                         uint64_t seed) {
    const Program &program = subject.program;
    std::vector<std::vector<uint8_t>> memory;
    for (size_t r = 0; r < program.regions.size(); r++)
        memory.push_back(program.regions[r].kind == RegionKind::input
                             ? input_bytes(program.regions[r], subject.region_bytes[r])
                             : std::vector<uint8_t>(static_cast<size_t>(subject.region_bytes[r])));
    std::vector<RegionMemory> regions;
    for (auto &m : memory) regions.push_back({m, 0});
    try {
        interpret(program, target, regions, subject.arguments, {seed, true, instruction_budget});
    } catch (const Error &) {
        return {};
    }
    std::vector<std::vector<uint8_t>> outputs;
    for (size_t r = 0; r < program.regions.size(); r++)
        if (program.regions[r].kind == RegionKind::output) outputs.push_back(std::move(memory[r]));
    return outputs;
}

bool accepted(const HandProgram &subject, const TargetDesc &target) {
    std::vector<RegionExtent> regions;
    for (int64_t bytes : subject.region_bytes) regions.push_back({0, bytes});
    try {
        verify(subject.program, target, regions, subject.arguments);
        return true;
    } catch (const Error &) {
        return false;
    }
}

void try_mutants(const HandProgram &subject, const TargetDesc &target, MutationReport &report) {
    const auto expected = execute(subject, target, 0);
    if (!expected) throw std::runtime_error(subject.program.name + " does not run");
    for (const Mutation &m : mutations)
        for (Mutant &mutant : m.mutants(subject.program)) {
            const HandProgram candidate{std::move(mutant.program), subject.region_bytes, subject.arguments};
            const bool harmful = is_harmful(candidate, target, *expected), signed_off = accepted(candidate, target);
            count(report.by_kind[m.kind], harmful, signed_off);
            if (harmful && signed_off) report.escaped.push_back(subject.program.name + ", " + mutant.what);
        }
}

}  // namespace emulsion::test
