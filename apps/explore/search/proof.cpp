#include "apps/explore/search/proof.h"

#include <cmath>

namespace emulsion::explore {
namespace {

class Descent {
public:
    Descent(const Problem &problem, Objective objective, const Limits &limits, double claimed) : p_(problem), objective_(objective), limits_(limits), claimed_(claimed) {}

    ProofCheck run() {
        Point root;
        look(root);
        return check_;
    }

private:
    double score_of(const Bound &b) const { return score(objective_, b); }

    /// The claim says nothing about what breaks a limit.
    bool covered(const Bound &b) const { return limits_.broken_by(b) || score_of(b) >= claimed_; }

    // True: go on. A schedule below the claim ends the descent.
    bool look(Point &point) {
        check_.nodes++;
        if (covered(p_.bound->partial(point))) return check_.pruned++, true;
        if (point.size() == p_.space.depth()) return time(point);
        point.push_back(0);
        for (size_t k = 0; k < p_.space.parameters()[point.size() - 1].values.size(); k++) {
            point.back() = static_cast<int16_t>(k);
            if (p_.space.double_of(point)) continue;
            if (p_.space.misfit(point)) check_.misfit++;
            else if (!look(point)) return false;
        }
        point.pop_back();
        return true;
    }

    bool time(const Point &point) {
        const Bound bound = p_.bound->complete(point);
        if (covered(bound)) return check_.pruned++, true;
        const uint64_t limit = objective_ == Objective::cycles ? static_cast<uint64_t>(std::ceil(claimed_)) : UINT64_MAX;
        const Outcome o = evaluate(p_, point, limit);
        check_bound(p_, point, bound, o);
        check_.timed++;
        if (o.status != Status::exact || limits_.broken_by(o)) return true;
        const double s = score(objective_, o);
        if (s >= claimed_) return true;
        check_.below = point, check_.score = s;
        return false;
    }

    const Problem &p_;
    Objective objective_;
    Limits limits_;
    double claimed_;
    ProofCheck check_;
};

}  // namespace

ProofCheck check_proof(const Problem &problem, Objective objective, const Limits &limits, double smallest_open) { return Descent(problem, objective, limits, smallest_open).run(); }

}  // namespace emulsion::explore
