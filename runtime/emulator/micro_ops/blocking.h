// Which points of a micro-program may be computed side by side.
#pragma once
#include "runtime/emulator/control.h"

#include <vector>

namespace emulsion::micro {

/// What a micro-program does with one stream: fixed displacements [low, high], data-indexed accesses.
struct StreamUse {
    bool loads = false, stores = false;
    bool fixed = false, indexed = false;
    int64_t low = 0, high = 0;
    bool used() const { return loads || stores; }
};

std::vector<StreamUse> uses_of(const Dispatched &d);

/// `lanes` points along dimension `inner` at a time; lanes = 1: strictly in order.
struct Blocking {
    int inner = 0;
    int lanes = 1;
};

/// Can index `inner` of a point be read off the addresses of the `bytes` bytes it touches in stream s?
bool address_tells(const Dispatched &d, const ResolvedStream &s, int64_t bytes, int inner);

/// Points are computed in lexicographic order, as far as anybody can tell. Dimension d may run innermost, in lock step, when
/// two points that meet in a byte that one of them writes always have the same index d: then their order stays as it was.
Blocking blocking_of(const Dispatched &d, const std::vector<StreamUse> &uses);

}  // namespace emulsion::micro
