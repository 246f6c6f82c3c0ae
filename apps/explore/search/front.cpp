#include "apps/explore/search/front.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <queue>

namespace emulsion::explore {
namespace {

using Values = std::vector<double>;

bool no_worse(const Values &a, const Values &b) {
    for (size_t k = 0; k < a.size(); k++)
        if (a[k] > b[k]) return false;
    return true;
}

/// By how much `point` must shrink to be no worse than `bound`.
double factor(const Values &point, const Values &bound) {
    double f = 1;
    for (size_t k = 0; k < point.size(); k++) f = std::max(f, point[k] / std::max(1e-9, bound[k]));
    return f;
}

struct Node {
    double rank = 0;  ///< sum of the bounds' logarithms: nodes near some part of the front first
    bool refined = false;
    Point point;
    Values bound;

    bool operator<(const Node &o) const {
        if (rank != o.rank) return rank > o.rank;
        if (refined != o.refined) return o.refined;
        return point > o.point;
    }
};

class FrontSearch {
public:
    FrontSearch(const Problem &problem, const std::vector<const Measure *> &by, const SearchOptions &options, Database *database)
        : p_(problem), by_(by), options_(options), database_(database), timer_(in_process_timer(problem, options.jobs, nullptr)) {}

    FrontReport run() {
        if (!p_.hand.empty()) time({p_.hand});
        push({0, false, {}, values(p_.bound->partial({}))}, p_.bound->partial({}));
        State state = State::proved;
        while (!open_.empty()) {
            const bool spent = r_.emulated + r_.hits >= options_.emulations || seconds() >= options_.seconds;
            if (spent || (options_.gap > 0 && !found_.empty() && gap() <= options_.gap)) {
                state = spent ? State::budget_ended : State::gap_reached;
                break;
            }
            time(gather());
        }
        r_.state = found_.empty() ? State::none_legal : state;
        r_.gap = gap();
        return std::move(r_);
    }

private:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    Values values(const Bound &b) const {
        Values v;
        for (const Measure *m : by_) v.push_back(m->bound(b, p_.target));
        return v;
    }

    bool covered(const Values &bound) const {
        return std::any_of(found_.begin(), found_.end(), [&](const Values &f) { return no_worse(f, bound); });
    }

    void push(Node node, const Bound &b) {
        if (options_.limits.broken_by(b)) return void(r_.misfit++);
        if (covered(node.bound)) return void(r_.pruned++);
        node.rank = std::accumulate(node.bound.begin(), node.bound.end(), 0.0, [](double sum, double v) { return sum + std::log(std::max(1.0, v)); });
        open_.push(std::move(node));
    }

    std::vector<Point> gather() {
        std::vector<Point> round;
        while (round.size() < static_cast<size_t>(options_.round) && !open_.empty() && seconds() < options_.seconds) {
            const Node node = open_.top();
            open_.pop();
            r_.nodes++;
            if (covered(node.bound)) r_.pruned++;
            else if (node.refined) round.push_back(node.point);
            else if (node.point.size() == p_.space.depth()) refine(node);
            else expand(node);
        }
        return round;
    }

    void refine(const Node &node) {
        push_child(node, true, node.point, p_.bound->complete(node.point));
    }

    /// What holds for the parent holds for the child.
    void push_child(const Node &parent, bool refined, const Point &point, const Bound &b) {
        Values v = values(b);
        for (size_t k = 0; k < v.size(); k++) v[k] = std::max(v[k], parent.bound[k]);
        push({0, refined, point, v}, b);
    }

    void expand(const Node &node) {
        Point child = node.point;
        child.push_back(0);
        for (size_t k = 0; k < p_.space.parameters()[node.point.size()].values.size(); k++) {
            child.back() = static_cast<int16_t>(k);
            if (p_.space.double_of(child)) continue;
            if (p_.space.misfit(child)) {
                r_.misfit++;
                continue;
            }
            push_child(node, false, child, p_.bound->partial(child));
        }
    }

    void time(const std::vector<Point> &points) {
        std::vector<Point> missing;
        for (const Point &point : points) {
            const auto known = database_ ? database_->find(p_, p_.space.key(point), UINT64_MAX) : std::nullopt;
            if (known) r_.hits++, take(point, *known);
            else missing.push_back(point);
        }
        const std::vector<Outcome> fresh = timer_(missing, UINT64_MAX);
        for (size_t k = 0; k < missing.size(); k++) {
            r_.emulated++;
            if (database_) database_->insert(p_, p_.space.key(missing[k]), fresh[k]);
            take(missing[k], fresh[k]);
        }
    }

    void take(const Point &point, const Outcome &o) {
        check_bound(p_, point, p_.bound->complete(point), o);
        if (o.status != Status::exact || options_.limits.broken_by(o)) return;
        r_.timed.emplace_back(point, o);
        Values v;
        for (const Measure *m : by_) v.push_back(m->of(o));
        if (covered(v)) return;
        std::erase_if(found_, [&](const Values &f) { return no_worse(v, f); });
        found_.push_back(v);
    }

    double gap() const {
        double worst = 1;
        auto open = open_;
        for (; !open.empty(); open.pop()) {
            double least = 1e300;
            for (const Values &f : found_) least = std::min(least, factor(f, open.top().bound));
            worst = std::max(worst, least);
        }
        return worst - 1;
    }

    const Problem &p_;
    const std::vector<const Measure *> &by_;
    const SearchOptions &options_;
    Database *database_;
    Timer timer_;
    std::priority_queue<Node> open_;
    std::vector<Values> found_;  ///< no one dominates another
    FrontReport r_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<size_t> front_of(const std::vector<Values> &rows) {
    std::vector<size_t> order(rows.size()), front;
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows[a] < rows[b]; });
    for (const size_t k : order)  // whatever is no worse than row k in every column stands in front of it
        if (std::none_of(front.begin(), front.end(), [&](size_t f) { return no_worse(rows[f], rows[k]); })) front.push_back(k);
    return front;
}

FrontReport search_front(const Problem &problem, const std::vector<const Measure *> &by, const SearchOptions &options, Database *database) {
    return FrontSearch(problem, by, options, database).run();
}

}  // namespace emulsion::explore
