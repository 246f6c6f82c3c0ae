#include "npu_backend/verify/shadow.h"

#include <algorithm>

namespace emulsion::verifier {

Shadow::Shadow(int64_t lo, int64_t hi, bool once, bool typed) : hi_(hi), once_(once), typed_(typed) {
    if (lo < hi) segments_.push_back({lo, {}});
}

void Shadow::emit(int64_t lo, const ByteState &state) {
    if (scratch_.empty() || scratch_.back().state != state) scratch_.push_back({lo, state});
}

// Replaces segments [first, last) by scratch_; in the steady state of a loop the count does not change.
void Shadow::splice(size_t first, size_t last) {
    const size_t common = std::min(last - first, scratch_.size());
    std::copy_n(scratch_.begin(), common, segments_.begin() + first);
    if (common < scratch_.size())
        segments_.insert(segments_.begin() + first + common, scratch_.begin() + common, scratch_.end());
    else
        segments_.erase(segments_.begin() + first + common, segments_.begin() + last);
}

// Copies bytes [at, to) to scratch_ as they are; `at` lies in segment s. Returns the segment that `to` lies in. Many
// short runs far apart leave most segments of their hull alone, so whole segments are copied in one piece.
size_t Shadow::copy_up_to(size_t s, int64_t at, int64_t to) {
    emit(at, segments_[s].state);
    const auto after = std::lower_bound(segments_.begin() + s + 1, segments_.end(), to,
                                        [](const Segment &segment, int64_t address) { return segment.lo < address; });
    const size_t next = after - segments_.begin();
    if (next > s + 1) {
        emit(segments_[s + 1].lo, segments_[s + 1].state);
        scratch_.insert(scratch_.end(), segments_.begin() + s + 2, after);
    }
    return next < segments_.size() && segments_[next].lo == to ? next : next - 1;
}

// Calls update(bytes, state) for every piece of `runs` and stores the state it leaves. One pass over the segments that
// the hull of `runs` touches, whatever the number of runs.
template<typename Update>
void Shadow::sweep(const Runs &runs, Update update) {
    if (runs.empty()) return;
    const auto above = std::upper_bound(segments_.begin(), segments_.end(), runs.front().lo,
                                        [](int64_t at, const Segment &s) { return at < s.lo; });
    const size_t first = above - segments_.begin() - 1;
    size_t s = first;
    int64_t at = segments_[s].lo;
    scratch_.clear();
    const auto advance = [&](int64_t to) {
        at = to;
        if (at == end(s)) s++;
    };
    for (const ByteRange &r : runs) {
        if (at < r.lo) {
            s = copy_up_to(s, at, r.lo);
            at = r.lo;
        }
        while (at < r.hi) {
            ByteState state = segments_[s].state;
            const int64_t hi = std::min(end(s), r.hi);
            update(ByteRange{at, hi}, state);
            emit(at, state);
            advance(hi);
        }
    }
    if (s < segments_.size() && at > segments_[s].lo) emit(at, segments_[s++].state);
    splice(first, s);
}

namespace {

// In-order queues: an earlier instruction of the same queue is always complete.
bool ordered(Queue queue, uint32_t sequence, const Access &access) {
    return sequence == 0 || queue == access.queue || access.before[static_cast<int>(queue)] >= sequence;
}

std::optional<Conflict> against_write(const ByteState &state, const ByteRange &bytes, const Access &access) {
    if (ordered(state.writer_queue, state.writer, access)) return {};
    return Conflict{Conflict::Kind::unordered_write, bytes, state.writer_queue, state.writer, state.format};
}

std::optional<Conflict> against_reads(const ByteState &state, const ByteRange &bytes, const Access &access) {
    for (int q = 0; q < queue_count; q++)
        if (!ordered(static_cast<Queue>(q), state.reader[q], access))
            return Conflict{Conflict::Kind::unordered_read, bytes, static_cast<Queue>(q), state.reader[q],
                            state.format};
    return {};
}

}  // namespace

std::optional<Conflict> Shadow::read(const Runs &runs, const Access &access, ElementType format, Runs &unwritten) {
    std::optional<Conflict> found;
    sweep(runs, [&](const ByteRange &bytes, ByteState &state) {
        if (found) return;
        found = against_write(state, bytes, access);
        if (!state.written)
            unwritten.push_back(bytes);
        else if (!found && typed_ && state.format != format)
            found = Conflict{Conflict::Kind::format, bytes, state.writer_queue, state.writer, state.format};
        state.reader[static_cast<int>(access.queue)] = access.sequence;
    });
    return found;
}

std::optional<Conflict> Shadow::write(const Runs &runs, const Access &access, ElementType format, Certainty certainty) {
    std::optional<Conflict> found;
    sweep(runs, [&](const ByteRange &bytes, ByteState &state) {
        if (found) return;
        found = against_write(state, bytes, access);
        if (!found) found = against_reads(state, bytes, access);
        if (!found && once_ && state.written)
            found = Conflict{Conflict::Kind::written_twice, bytes, state.writer_queue, state.writer, state.format};
        const bool written = state.written || certainty == Certainty::always;
        state = {access.sequence, access.queue, written, format, {}};
    });
    return found;
}

void Shadow::hold(const Runs &runs) {
    sweep(runs, [](const ByteRange &, ByteState &state) { state.written = true; });
}

Runs Shadow::written() const {
    Runs runs;
    for (size_t s = 0; s < segments_.size(); s++)
        if (segments_[s].state.written) runs.push_back({segments_[s].lo, end(s)});
    make_canonical(runs);
    return runs;
}

}  // namespace emulsion::verifier
