// Shadow memory: for every byte the last write and the reads since, as an interval map.
//
// Only the latest access of each queue needs to be kept: queues are in order, so whoever is ordered after the latest is
// ordered after all; and an access that is ordered after the last write is ordered after everything before that write,
// because the write itself was checked against it.
#pragma once
#include "npu_backend/verify/runs.h"
#include "runtime/isa/element_type.h"
#include "runtime/isa/instruction.h"

#include <array>
#include <optional>

namespace emulsion::verifier {

/// Per queue, how many of its instructions are known to be complete. Sequence numbers start at 1.
using Clock = std::array<uint32_t, queue_count>;

/// One access of instruction `sequence` of `queue`, which starts after everything in `before`.
struct Access {
    Queue queue{};
    uint32_t sequence = 0;
    Clock before{};
};

struct ByteState {
    uint32_t writer = 0;  ///< sequence of the last write; 0: none
    Queue writer_queue{};
    bool written = false;                        ///< certainly holds a value
    ElementType format{};                        ///< of the last write
    std::array<uint32_t, queue_count> reader{};  ///< per queue, the last read since that write; 0: none
    bool operator==(const ByteState &) const = default;
};

/// Why an access is not allowed.
struct Conflict {
    enum class Kind : uint8_t { unordered_write, unordered_read, written_twice, format } kind{};
    ByteRange bytes;
    Queue queue{};          ///< of the other access
    uint32_t sequence = 0;  ///< of the other access
    ElementType format{};   ///< kind format: what the bytes hold
};

/// What a write does to a byte: a predicated or data-indexed store orders like a write but may leave the byte as it
/// was.
enum class Certainty : uint8_t { always, maybe };

class Shadow {
public:
    /// Bytes [lo, hi), nothing written. `once`: a second write is a conflict. `typed`: reads must use the written
    /// format.
    Shadow(int64_t lo, int64_t hi, bool once, bool typed);

    /// Runs lie inside the shadow. Bytes that nobody wrote are appended to `unwritten`.
    std::optional<Conflict> read(const Runs &runs, const Access &access, ElementType format, Runs &unwritten);
    std::optional<Conflict> write(const Runs &runs, const Access &access, ElementType format, Certainty certainty);

    /// `runs` hold values before the program starts.
    void hold(const Runs &runs);

    /// The bytes that were certainly written.
    Runs written() const;

private:
    struct Segment {
        int64_t lo;  ///< up to the next segment's lo, or hi_
        ByteState state;
    };

    int64_t end(size_t s) const { return s + 1 < segments_.size() ? segments_[s + 1].lo : hi_; }
    void emit(int64_t lo, const ByteState &state);
    size_t copy_up_to(size_t s, int64_t at, int64_t to);
    void splice(size_t first, size_t last);
    template<typename Update>
    void sweep(const Runs &runs, Update update);

    int64_t hi_;
    bool once_, typed_;
    std::vector<Segment> segments_, scratch_;
};

}  // namespace emulsion::verifier
