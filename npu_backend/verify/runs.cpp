#include "npu_backend/verify/runs.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

void append(Runs &runs, ByteRange r) {
    if (!runs.empty() && runs.back().hi >= r.lo)
        runs.back().hi = std::max(runs.back().hi, r.hi);
    else
        runs.push_back(r);
}

// Positive strides in increasing order, without loops that do not move. Returns the shift of the origin.
int64_t orient(std::vector<Step> &steps) {
    int64_t shift = 0;
    for (Step &s : steps)
        if (s.stride < 0) {
            shift += s.stride * (s.count - 1);
            s.stride = -s.stride;
        }
    std::erase_if(steps, [](const Step &s) { return s.stride == 0 || s.count == 1; });
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.stride < b.stride; });
    return shift;
}

// Two loops whose positions together are one arithmetic progression: {4, 16} and {8, 3} visit 0, 4 … 76.
bool join(Step &inner, const Step &outer) {
    if (outer.stride % inner.stride || outer.stride / inner.stride > inner.count) return false;
    inner.count += outer.stride / inner.stride * (outer.count - 1);
    return true;
}

}  // namespace

void make_canonical(Runs &runs) {
    std::sort(runs.begin(), runs.end(), [](const ByteRange &a, const ByteRange &b) { return a.lo < b.lo; });
    Runs joined;
    joined.reserve(runs.size());
    for (const ByteRange &r : runs) append(joined, r);
    runs.swap(joined);
}

Runs common_bytes(const Runs &a, const Runs &b) {
    Runs both;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size(); a[i].hi < b[j].hi ? i++ : j++) {
        const ByteRange r{std::max(a[i].lo, b[j].lo), std::min(a[i].hi, b[j].hi)};
        if (r.lo < r.hi) append(both, r);
    }
    return both;
}

std::optional<Lattice> Lattice::make(int64_t origin, Runs pattern, std::vector<Step> steps) {
    Lattice l;
    l.origin_ = origin + orient(steps);
    l.pattern_ = std::move(pattern);
    if (!l.fold(std::move(steps)) || l.run_count() > run_limit) return {};
    return l;
}

bool Lattice::fold(std::vector<Step> steps) {
    int64_t inside = 0;  // bytes spanned by pattern and steps so far
    for (const Step &s : steps) {
        inside = span();
        for (const Step &k : steps_) inside += k.stride * (k.count - 1);
        if (!steps_.empty() && join(steps_.back(), s)) continue;
        if (s.stride > inside || (s.stride == inside && pattern_.size() > 1)) {
            steps_.push_back(s);
            continue;
        }
        // The loop interleaves with what lies inside it: fold everything so far into the pattern.
        std::vector<Step> nested;
        nested.swap(steps_);
        nested.push_back(s);
        for (const Step &k : nested)
            if (!expand(k)) return false;
    }
    return true;
}

bool Lattice::expand(const Step &step) {
    const auto shortest =
        std::min_element(pattern_.begin(), pattern_.end(),
                         [](const ByteRange &a, const ByteRange &b) { return a.hi - a.lo < b.hi - b.lo; });
    if (step.stride <= shortest->hi - shortest->lo) {
        for (ByteRange &r : pattern_) r.hi += step.stride * (step.count - 1);
    } else {
        if (step.count > run_limit / static_cast<int64_t>(pattern_.size())) return false;
        const Runs once = pattern_;
        for (int64_t k = 1; k < step.count; k++)
            for (const ByteRange &r : once) pattern_.push_back({r.lo + k * step.stride, r.hi + k * step.stride});
    }
    make_canonical(pattern_);
    return true;
}

ByteRange Lattice::hull() const {
    ByteRange h{origin_ + pattern_.front().lo, origin_ + pattern_.back().hi};
    for (const Step &s : steps_) h.hi += s.stride * (s.count - 1);
    return h;
}

int64_t Lattice::run_count() const {
    int64_t n = static_cast<int64_t>(pattern_.size());
    for (const Step &s : steps_) {
        if (s.count > run_limit / n) return run_limit + 1;
        n *= s.count;
    }
    return n;
}

void Lattice::enumerate(size_t step, int64_t at, Runs &out) const {
    if (step == 0) {
        for (const ByteRange &r : pattern_) append(out, {at + r.lo, at + r.hi});
        return;
    }
    const Step &s = steps_[step - 1];
    for (int64_t k = 0; k < s.count; k++) enumerate(step - 1, at + k * s.stride, out);
}

Runs Lattice::runs() const {
    Runs out;
    out.reserve(static_cast<size_t>(run_count()));
    enumerate(steps_.size(), origin_, out);
    return out;
}

}  // namespace emulsion::verifier
