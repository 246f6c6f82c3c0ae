// Figures of schedules: heat map of two parameters, timeline.
#include "apps/emulsion/verb.h"
#include "apps/explore/verbs/figures.h"
#include "apps/explore/verbs/replayed.h"
#include "runtime/isa/instruction.h"

#include <cmath>
#include <fmt/format.h>

namespace emulsion::explore {

using plot::Figure;

namespace {

/// The schedule asked for, else the best one.
std::pair<std::unique_ptr<Problem>, Point> chosen(const FigureWords &w) {
    if (!w.key.empty()) {
        auto p = w.trials.problem();
        const Point point = point_of(*p, w.key);
        return {std::move(p), point};
    }
    Trials t = w.trials.trials();
    const Point point = point_of(*t.problem, t.require_best().key);
    return {std::move(t.problem), point};
}

size_t parameter(const Problem &p, const std::string &option, const std::string &name) {
    std::vector<std::string> legal;
    for (const SpaceParameter &s : p.space.parameters()) {
        if (s.name == name) return legal.size();
        legal.push_back(s.name);
    }
    raise(Diag::command_line, {}, fmt::format("--{}: \"{}\" is not {}", option, name, command::one_of(legal)));
}

plot::Axis axis_of(const SpaceParameter &s) {
    plot::Axis axis{s.name, false, {}};
    for (const SpaceValue &v : s.values) axis.names.push_back(v.text);
    return axis;
}

}  // namespace

Figure heat_figure(const FigureWords &w) {
    const auto [p, best] = chosen(w);
    const size_t x = parameter(*p, "x", w.x), y = parameter(*p, "y", w.y);
    if (x == y) raise(Diag::command_line, {}, "--x and --y: two different parameters");
    Figure f{fmt::format("{} on {}: cycles of {}", p->title(), p->target.name, p->space.key(best)), axis_of(p->space.parameters()[x]), axis_of(p->space.parameters()[y]), {}, {}};
    std::vector<std::pair<plot::At, uint64_t>> cycles;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < f.x.names.size(); i++)
        for (size_t j = 0; j < f.y.names.size(); j++) {
            Point point = best;
            point[x] = static_cast<int16_t>(i), point[y] = static_cast<int16_t>(j);
            const Outcome o = p->space.misfit(point) ? Outcome{} : evaluate(*p, point);  // points that are doubles of others are still schedules
            if (o.status != Status::exact) continue;
            cycles.emplace_back(plot::At{static_cast<double>(i), static_cast<double>(j)}, o.cycles);
            least = std::min(least, o.cycles), most = std::max(most, o.cycles);
        }
    for (const auto &[at, n] : cycles) {
        const double range = std::log(static_cast<double>(most) / static_cast<double>(least));
        const double value = range > 0 ? std::log(static_cast<double>(n) / static_cast<double>(least)) / range : 0;
        f.cells.push_back({{at.x - 0.48, at.y - 0.48}, {at.x + 0.48, at.y + 0.48}, value, -1, std::to_string(n)});
    }
    return f;
}

Figure timeline_figure(const FigureWords &w) {
    const auto [p, point] = chosen(w);
    const TimingReport t = timed(*p, point);
    Figure f{fmt::format("{} on {}: {} cycles, {}", p->title(), p->target.name, t.cycles, p->space.key(point)), {"cycles", false, {}}, {"", false, {}}, {}, {}};
    f.y.names.assign(std::rbegin(queue_names), std::rend(queue_names) - 1);  // CTL issues and has no events
    const int rows = static_cast<int>(f.y.names.size());
    for (const TimingReport::Event &e : t.events) {
        const double row = rows - e.queue;
        if (e.queue < 1 || e.end == e.start) continue;
        f.cells.push_back({{static_cast<double>(e.start), row - 0.4}, {static_cast<double>(e.end), row + 0.4}, 0, e.queue - 1, ""});
    }
    return f;
}

}  // namespace emulsion::explore
