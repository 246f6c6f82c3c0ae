// Tokens of a linked program. A token has one signalling and one waiting queue for good, so units share tokens of the same queues and
// initial count: each unit leaves them as it found them. Neighbours get different ones, so that they may overlap.
#pragma once
#include "runtime/program/program.h"

#include <map>
#include <tuple>
#include <vector>

namespace emulsion {

class LinkTokens {
public:
    explicit LinkTokens(Program &program) : program_(program) {}

    /// For each token of `unit`, its number in the whole. `parity`: 0 or 1, different for neighbours.
    std::vector<uint8_t> of_unit(const Program &unit, int parity);
    /// The token that `from` signals and `to` waits for between units.
    uint8_t barrier(Queue from, Queue to);

private:
    using Kind = std::tuple<uint8_t, Queue, Queue, int>;  ///< initial, signaller, waiter, parity
    Program &program_;
    std::map<Kind, std::vector<uint8_t>> tokens_;

    uint8_t take(const Kind &kind, size_t number);
};

}  // namespace emulsion
