// Schedule files and their second judge. Would catch: a figure that is read and believed, a proof that is taken on trust, a file that
// outlives its machine.
#include "apps/explore/export/schedule_file.h"
#include "tests/apps/explore/cases.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion::explore {
namespace {

using Json = nlohmann::ordered_json;

ScheduleFile searched(const Problem &p, Objective objective = Objective::cycles) {
    SearchOptions options;
    options.objective = objective;
    return schedule_file(p, options, search(p, options, nullptr));
}

/// Empty: the text holds, proof included.
std::string refusal(const std::string &text, const TargetDesc &target) {
    return error_of([&] {
        const ScheduleFile f = schedule_file_from(text, "test.json");
        const auto p = problem_of(f, target);
        check(f, *p, true);
    });
}

Json altered(const Json &value) {
    if (value.is_string()) return value.get<std::string>() + "x";
    if (value.is_boolean()) return !value.get<bool>();
    if (value.is_number_unsigned()) return value.get<uint64_t>() / 2 + 1;
    if (value.is_number()) return value.get<double>() + 1;
    return "something else";
}

TEST(ScheduleFile, HoldsForEveryFamilyAndObjective) {
    for (size_t k : {1, 5, 8, 14, 17, 19})
        for (Objective objective : {Objective::cycles, Objective::energy, Objective::spm}) {
            const auto p = problem_of(small_cases()[k]);
            EXPECT_EQ(refusal(to_json(searched(*p, objective)).dump(), p->target), "") << small_cases()[k].name;
        }
}

TEST(ScheduleFile, EveryAlteredFieldIsRefused) {
    const auto p = problem_of(small_cases()[1]);
    const Json whole = Json::parse(to_json(searched(*p)).dump());
    const Json flat = whole.flatten();
    int fields = 0;
    for (const auto &[pointer, value] : flat.items()) {
        Json changed = flat;
        changed[pointer] = altered(value);
        if (changed[pointer] == value) continue;
        const std::string why = refusal(changed.unflatten().dump(), p->target);
        EXPECT_TRUE(why.starts_with("EM")) << pointer << " " << why;
        fields++;
    }
    EXPECT_GT(fields, 60);
}

// A forger can seal as well as we can: what matters must not depend on the seal.
TEST(ScheduleFile, ResealedFiguresAreRefused) {
    const auto p = problem_of(small_cases()[1]);
    const Json flat = to_json(searched(*p)).flatten();
    for (const auto &[pointer, value] : flat.items()) {
        const bool matters = pointer.starts_with("/result") || pointer.starts_with("/bound") || pointer.starts_with("/proof") || pointer.starts_with("/schedule") ||
                             pointer.starts_with("/space") || pointer.starts_with("/shapes") || pointer == "/target/hash" || pointer == "/versions/problem";
        if (!matters) continue;
        Json changed = flat;
        changed[pointer] = altered(value);
        if (changed[pointer] == value) continue;
        const std::string why = refusal(changed.unflatten().dump(), p->target);
        EXPECT_NE(why, "") << pointer;
        EXPECT_EQ(why.find("its text was changed"), std::string::npos) << pointer << ": only the seal noticed";
    }
}

TEST(ScheduleFile, FalseProofIsRefused) {
    const auto p = problem_of(small_cases()[3]);
    const ScheduleFile best = searched(*p);
    const Outcome hand = evaluate(*p, p->hand);
    ASSERT_GT(hand.cycles, best.outcome.cycles) << "choose a case whose own schedule is not the best";
    ScheduleFile f = schedule_file(*p, {}, p->hand, hand);
    EXPECT_EQ(refusal(to_json(f).dump(), p->target), "");
    f.state = State::proved, f.smallest_open = static_cast<double>(hand.cycles), f.search_gap = 0;
    const std::string why = refusal(to_json(f).dump(), p->target);
    EXPECT_TRUE(why.starts_with("EM825")) << why;
    EXPECT_NE(why.find("nothing was to be below"), std::string::npos) << why;
}

TEST(ScheduleFile, ChangedMachineMakesItStale) {
    const auto p = problem_of(small_cases()[8]);
    const std::string text = to_json(searched(*p)).dump();
    Json machine = Json::parse(p->target.text);
    machine["spm_bytes"] = 2 * machine["spm_bytes"].get<uint64_t>();
    EXPECT_TRUE(refusal(text, parse_target(machine.dump(), "test")).starts_with("EM826"));  // schedule_stale
    EXPECT_TRUE(refusal(text, load_target("edge-256")).starts_with("EM826"));
}

TEST(ScheduleFile, ProofAgreesWithBruteForce) {
    for (size_t k : {1, 14, 17}) {
        const auto p = problem_of(small_cases()[k]);
        double cycles = 1e300, energy = 1e300;
        for (const auto &[point, o] : brute_force(*p)) {
            if (o.status != Status::exact) continue;
            cycles = std::min(cycles, static_cast<double>(o.cycles)), energy = std::min(energy, o.energy_pj);
        }
        EXPECT_TRUE(check_proof(*p, Objective::cycles, {}, cycles).below.empty()) << small_cases()[k].name;
        EXPECT_TRUE(check_proof(*p, Objective::energy, {}, energy).below.empty()) << small_cases()[k].name;
        EXPECT_EQ(check_proof(*p, Objective::cycles, {}, cycles + 1).score, cycles) << small_cases()[k].name;
        EXPECT_FALSE(check_proof(*p, Objective::energy, {}, energy * 1.001).below.empty()) << small_cases()[k].name;
    }
}

}  // namespace
}  // namespace emulsion::explore
