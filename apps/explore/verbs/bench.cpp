#include "apps/explore/verbs/bench.h"

#include "apps/explore/layers/layers.h"
#include "apps/explore/search/sampling.h"
#include "apps/explore/search/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace emulsion::explore {
namespace {

constexpr uint64_t random_seeds = 3;

struct Options {
    std::vector<std::string> networks;
    std::string target = "mobile", only;
    double seconds = 60, gap = 0.02;
    bool drivers = false;
    uint64_t samples = 0;
};

struct Total {
    int layers = 0, proved = 0;
    double log_bound = 0, log_roofline = 0, worst_ms = 0;
};

uint64_t trials_to(const SearchReport &r, double wanted) {
    uint64_t n = 0;
    for (const auto &[point, o] : r.timed) {
        n++;
        if (o.status == Status::exact && static_cast<double>(o.cycles) <= wanted) return n;
    }
    return UINT64_MAX;
}

std::string trials(uint64_t n) { return n == UINT64_MAX ? "-" : std::to_string(n); }

uint64_t median(std::vector<uint64_t> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

/// The other drivers from the generator's own start, until they are within 5 % of the best or far behind.
std::string driver_columns(const Problem &p, const SearchReport &certified, std::vector<std::vector<uint64_t>> &all) {
    const double wanted = 1.05 * static_cast<double>(certified.outcome.cycles);
    std::string text = "," + trials(trials_to(certified, wanted));
    all[0].push_back(trials_to(certified, wanted));
    for (Driver driver : {Driver::random, Driver::evolution, Driver::annealing}) {
        std::vector<uint64_t> counts;
        for (uint64_t seed = 1; seed <= random_seeds; seed++) {
            SearchOptions o;
            o.driver = driver, o.seed = seed, o.emulations = 400, o.model = false, o.gap = 1 - certified.smallest_open / wanted;
            counts.push_back(trials_to(search(p, o, nullptr), wanted));
        }
        text += "," + trials(median(counts));
        all[static_cast<size_t>(driver)].push_back(median(counts));
    }
    return text;
}

void layer_line(const std::string &network, const Layer &layer, const Options &o, Total &total, std::vector<std::vector<uint64_t>> &all) {
    const auto p = make_problem(layer.request, load_target(o.target));
    const SpaceCounts n = p->space.count();
    SearchOptions options;
    options.gap = o.gap, options.seconds = o.seconds;
    const SearchReport r = search(*p, options, nullptr);
    const double roofline = static_cast<double>(p->bound->roofline().cycles()) / static_cast<double>(r.outcome.cycles);
    double ms = 0;
    for (const auto &[point, outcome] : r.timed) ms += outcome.milliseconds;
    ms /= static_cast<double>(std::max<size_t>(1, r.timed.size()));
    fmt::print("{},{},{},{},{:.0f},{:.4f},{:.4f},{},{},{:.2f},{:.1f},{}", network, layer.name, n.fitting, r.outcome.cycles, r.smallest_open, r.search_gap(), roofline, r.emulated, r.refined, r.seconds, ms,
               state_names[static_cast<int>(r.state)]);
    if (o.drivers) fmt::print("{}", driver_columns(*p, r, all));
    fmt::print(",\"{}\"\n", p->space.key(r.best));
    std::fflush(stdout);
    total.layers++;
    total.proved += r.search_gap() <= 0.02;
    total.log_bound += std::log(1 - r.search_gap());
    total.log_roofline += std::log(roofline);
}

/// Bound against emulation on random legal points of every layer.
void sample_line(const std::string &network, const Layer &layer, const Options &o) {
    const auto p = make_problem(layer.request, load_target(o.target));
    Sampler sampler(p->space, 7);
    uint64_t timed = 0;
    double worst = 1, sum = 0;
    for (uint64_t k = 0; k < o.samples; k++) {
        const auto point = sampler.point();
        if (!point) break;
        const Bound bound = p->bound->complete(*point);
        const Outcome outcome = evaluate(*p, *point);
        check_bound(*p, *point, bound, outcome);
        if (outcome.status != Status::exact) continue;
        Point prefix;
        for (int16_t v : *point) {  // partial bounds hold for every completion
            prefix.push_back(v);
            check_bound(*p, *point, p->bound->partial(prefix), outcome);
        }
        const double ratio = static_cast<double>(bound.cycles) / static_cast<double>(outcome.cycles);
        worst = std::min(worst, ratio), sum += ratio, timed++;
    }
    fmt::print("{},{},{},{:.4f},{:.4f}\n", network, layer.name, timed, timed ? sum / static_cast<double>(timed) : 0, worst);
    std::fflush(stdout);
}

int bench(const Options &o) {
    Total total;
    std::vector<std::vector<uint64_t>> all(4);
    if (o.samples) fmt::print("network,layer,samples,mean_bound_over_cycles,least\n");
    else fmt::print("network,layer,fitting,cycles,bound,search_gap,roofline_ratio,emulated,refined,seconds,ms_each,state{},schedule\n", o.drivers ? ",certified,random,evolution,annealing" : "");
    for (const std::string &network : o.networks.empty() ? networks() : o.networks)
        for (const Layer &layer : layers_of(network)) {
            if (layer.name.find(o.only) == std::string::npos) continue;
            if (o.samples) sample_line(network, layer, o);
            else layer_line(network, layer, o, total, all);
        }
    if (o.samples || total.layers == 0) return 0;
    fmt::print("# {} layers, gap of at most 2 % proved for {} ({:.1f} %); geometric mean of bound / cycles {:.4f}, of roofline / cycles {:.4f}\n", total.layers, total.proved,
               100.0 * total.proved / total.layers, std::exp(total.log_bound / total.layers), std::exp(total.log_roofline / total.layers));
    if (o.drivers) fmt::print("# median trials to within 5 % of the best: certified {}, random {}, evolution {}, annealing {}\n", trials(median(all[0])), trials(median(all[1])), trials(median(all[2])), trials(median(all[3])));
    return 0;
}

}  // namespace

std::function<int()> bench_explore(CLI::App &app) {
    auto o = std::make_shared<Options>();
    app.add_option("networks", o->networks, "which networks; default: all");
    app.add_option("--only", o->only, "layers whose name holds this text");
    app.add_option("--target", o->target, "machine")->capture_default_str();
    app.add_option("--time", o->seconds, "seconds per layer")->capture_default_str();
    app.add_option("--gap", o->gap, "stop once proved this close")->capture_default_str();
    app.add_flag("--drivers", o->drivers, "random, evolution and annealing as well: trials to within 5 % of the best");
    app.add_option("--samples", o->samples, "instead: this many random schedules a layer, bound against emulation");
    return [o] { return bench(*o); };
}

}  // namespace emulsion::explore
