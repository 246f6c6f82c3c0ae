// Rule 3, the dynamic half: counters, the pairing of the k-th signal with the k-th wait, and what it orders.
#pragma once
#include "npu_backend/verify/operation.h"
#include "npu_backend/verify/shadow.h"

#include <vector>

namespace emulsion::verifier {

class TokenCounters {
public:
    explicit TokenCounters(const Program &program);

    /// Every token that `insn` waits for is there.
    bool ready(const Instruction &insn) const;
    /// The first token that is not.
    uint8_t missing(const Instruction &insn) const;
    int64_t value(size_t token) const;

    /// Takes the tokens of the instruction that access.queue starts, and adds the orders they bring to access.before.
    void take(const Instruction &insn, Access &access);
    /// Gives the tokens of the completed instruction. Raises EM4xx when a counter could pass 255.
    void give(uint32_t pc, const Access &access);

    /// Raises EM4xx for a counter that does not end where it began.
    void finish() const;

private:
    struct Token {
        int64_t initial = 0;
        std::vector<Clock> signals;   ///< completion of the k-th signal
        std::vector<uint32_t> waits;  ///< sequence number of the k-th wait in its queue
        Queue waiter{};
        size_t known_waits = 0;  ///< waits that are complete before the latest signal, whatever the timing
    };
    int needed(const Instruction &insn, uint8_t token) const;

    const Program &program_;
    std::vector<Token> tokens_;
};

}  // namespace emulsion::verifier
