// Best-first branch and bound.
#include "apps/explore/search/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

namespace emulsion::explore {
namespace {

struct Node {
    double bound = 0;
    bool refined = false;  ///< a complete point with its own bound
    Point point;
};

struct Later {
    bool operator()(const Node &a, const Node &b) const {
        if (a.bound != b.bound) return a.bound > b.bound;
        if (a.refined != b.refined) return b.refined;
        if (a.point.size() != b.point.size()) return a.point.size() < b.point.size();
        return a.point > b.point;
    }
};

class BranchAndBound {
public:
    explicit BranchAndBound(Session &session) : s_(session), space_(session.problem.space) {}

    SearchReport run() {
        open_.push({root_bound(s_), false, {}});
        if (!s_.time(starts())) return s_.finish(State::interrupted, smallest_open());
        while (true) {
            s_.note(smallest_open(), open_.size(), false);
            if (s_.has_best() && smallest_open() >= s_.best()) return s_.finish(State::proved, s_.best());
            if (open_.empty()) return s_.finish(s_.has_best() ? State::proved : State::none_legal, s_.has_best() ? s_.best() : 0);
            if (s_.has_best() && smallest_open() >= enough()) return s_.finish(State::gap_reached, smallest_open());
            if (s_.stopped()) return s_.finish(State::interrupted, smallest_open());
            if (s_.out_of_budget()) return s_.finish(State::budget_ended, smallest_open());
            const std::vector<Node> round = choose(gather());
            std::vector<Point> points;
            for (const Node &n : round) points.push_back(n.point);
            if (!s_.time(points)) {
                for (const Node &n : round) open_.push(n);
                return s_.finish(State::interrupted, smallest_open());
            }
            if (s_.options.model) s_.rank.train();
        }
    }

private:
    std::vector<Point> starts() const {
        std::vector<Point> points;
        if (!s_.problem.hand.empty()) points.push_back(s_.problem.hand);
        for (const std::string &key : s_.options.warm_start)
            if (const Point p = space_.point(key); !p.empty() && space_.legal(p)) points.push_back(p);
        return points;
    }

    double smallest_open() const { return open_.empty() ? s_.best() : open_.top().bound; }
    /// Bounds from here on are close enough to the incumbent.
    double enough() const { return s_.has_best() ? s_.best() * (1 - s_.options.gap) : std::numeric_limits<double>::infinity(); }

    // Refined leaves with the smallest bounds: a round, or a few when a model is there to choose among them.
    std::vector<Node> gather() {
        const size_t wanted = static_cast<size_t>(s_.options.round) * (s_.rank.trained() ? 4 : 1);
        std::vector<Node> leaves;
        while (leaves.size() < wanted && !open_.empty() && open_.top().bound < enough()) {
            const Node node = open_.top();
            open_.pop();
            s_.report.nodes++;
            if (node.refined) leaves.push_back(node);
            else if (node.point.size() == space_.depth()) refine(node);
            else expand(node);
            if (s_.stopped() || s_.seconds() > s_.options.seconds) break;
        }
        return leaves;
    }

    std::vector<Node> choose(std::vector<Node> leaves) {
        const auto round = static_cast<size_t>(s_.options.round);
        if (leaves.size() <= round) return leaves;
        std::vector<std::vector<float>> rows;
        for (const Node &n : leaves) rows.push_back(features(s_.problem, n.point, s_.problem.bound->complete(n.point)));
        const std::vector<double> ratio = s_.rank.predict(rows);
        std::vector<std::pair<double, size_t>> order;
        for (size_t k = 0; k < leaves.size(); k++) order.emplace_back(std::log(leaves[k].bound) + ratio[k], k);
        std::sort(order.begin(), order.end());
        std::vector<Node> chosen;
        for (size_t k = 0; k < order.size(); k++) {
            if (k < round) chosen.push_back(leaves[order[k].second]);
            else open_.push(leaves[order[k].second]);
        }
        return chosen;
    }

    void refine(const Node &node) {
        if (s_.was_timed(node.point)) return;
        s_.report.refined++;
        const Bound b = s_.problem.bound->complete(node.point);
        keep({std::max(node.bound, s_.score_of(b)), true, node.point}, b);
    }

    void expand(const Node &node) {
        Point child = node.point;
        child.push_back(0);
        for (size_t k = 0; k < space_.parameters()[node.point.size()].values.size(); k++) {
            child.back() = static_cast<int16_t>(k);
            if (space_.double_of(child)) continue;
            if (space_.misfit(child)) {
                s_.report.misfit++;
                continue;
            }
            const Bound b = s_.problem.bound->partial(child);
            keep({std::max(node.bound, s_.score_of(b)), false, child}, b);
        }
    }

    void keep(Node node, const Bound &bound) {
        if (s_.options.limits.broken_by(bound)) s_.report.misfit++;
        else if (node.bound >= s_.best()) s_.report.pruned++;
        else open_.push(std::move(node));
    }

    Session &s_;
    const ScheduleSpace &space_;
    std::priority_queue<Node, std::vector<Node>, Later> open_;
};

}  // namespace

SearchReport certified(Session &session) { return BranchAndBound(session).run(); }

}  // namespace emulsion::explore
