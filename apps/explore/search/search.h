// Searches. `certified` is best-first branch and bound: its answer comes with a proof of how far from the best point of the
// space it can be. The others find good points and prove nothing beyond the bound of the whole space.
//
//   incumbent = best of { hand schedule, warm starts }
//   open      = { root }, ordered by (bound, key)
//   until open is empty, or its smallest bound >= incumbent, or the gap or budget asked for is reached:
//       expand inner nodes and refine leaves until a round of R refined leaves is full
//       time the round, each with the incumbent at its start as cut-off; merge results in key order
//
// One round has one cut-off and a fixed size, so the answer does not depend on the number of workers or on their speed.
#pragma once
#include "apps/explore/db/database.h"
#include "apps/explore/problem.h"
#include "apps/explore/rank/rank.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace emulsion::explore {

enum class Objective : uint8_t { cycles, energy, edp, spm };
constexpr const char *objective_names[] = {"cycles", "energy", "edp", "spm"};

enum class Driver : uint8_t { certified, random, evolution, annealing };
constexpr const char *driver_names[] = {"certified", "random", "evolution", "annealing"};

/// Upper limits of objectives; 0: none.
struct Limits {
    uint64_t spm_bytes = 0, cycles = 0;
    double energy_pj = 0;

    /// `cost`: an Outcome, or a Bound, which breaks what every schedule under it breaks.
    bool broken_by(const auto &cost) const {
        return (spm_bytes && cost.spm_bytes > spm_bytes) || (cycles && cost.cycles > cycles) || (energy_pj && cost.energy_pj > energy_pj);
    }
};

struct SearchOptions {
    Driver driver = Driver::certified;
    Objective objective = Objective::cycles;
    Limits limits;
    uint64_t seed = 1;
    int round = 8;              ///< R
    int jobs = 1;
    double gap = 0;             ///< stop once proved this close, 0.02: 2 %
    uint64_t emulations = UINT64_MAX;
    double seconds = 1e18;
    bool model = true;
    std::vector<std::string> warm_start;  ///< keys

    std::string text() const;  ///< JSON
    static SearchOptions from_text(const std::string &json);
};

/// A value that is smaller for better schedules; bounds map to bounds.
double score(Objective objective, uint64_t cycles, double energy_pj, uint64_t spm_bytes);
double score(Objective objective, const auto &cost) { return score(objective, cost.cycles, cost.energy_pj, cost.spm_bytes); }

/// (best - smallest open bound) / best.
inline double search_gap(double best_score, double smallest_open) { return best_score > 0 ? std::max(0.0, (best_score - smallest_open) / best_score) : 1; }

struct Progress {
    uint64_t emulated = 0, hits = 0, open = 0;
    double seconds = 0, best = 0, smallest_open = 0;
};

enum class State : uint8_t { proved, gap_reached, budget_ended, interrupted, none_legal };
constexpr const char *state_names[] = {"proved", "gap_reached", "budget_ended", "interrupted", "none_legal"};

struct SearchReport {
    State state = State::none_legal;
    Point best;
    Outcome outcome;
    double best_score = 0, smallest_open = 0;  ///< smallest_open: of what is not timed; the best score when nothing is left
    uint64_t nodes = 0, misfit = 0, pruned = 0, refined = 0, emulated = 0, hits = 0, failed = 0;
    double seconds = 0;
    std::vector<Progress> history;       ///< one entry per round and per gain
    std::vector<std::pair<Point, Outcome>> timed;  ///< in the order of timing
    std::string model_hash;
    std::string conflict;  ///< none_legal under limits: the smallest set that conflicts

    double search_gap() const { return explore::search_gap(best_score, smallest_open); }
    double roofline_gap(const Problem &problem) const {
        return outcome.cycles ? static_cast<double>(outcome.cycles) / static_cast<double>(problem.bound->roofline().cycles()) - 1 : 0;
    }
};

/// Times one schedule with a cut-off; in process by default, or by workers.
using Timer = std::function<std::vector<Outcome>(const std::vector<Point> &, uint64_t limit)>;

/// The error of an outcome that a timer did not get to before it was stopped.
inline constexpr const char *stopped_text = "stopped";

struct SearchHooks {
    std::function<void(const Progress &)> progress;
    const std::atomic<bool> *stop = nullptr;
    Timer timer;  ///< replaces the in-process one
};

/// `database` may be null. Raises EM802 when a bound is broken.
SearchReport search(const Problem &problem, const SearchOptions &options, Database *database, const SearchHooks &hooks = {});

/// In-process timer on `jobs` threads.
Timer in_process_timer(const Problem &problem, int jobs, const std::atomic<bool> *stop);

}  // namespace emulsion::explore
