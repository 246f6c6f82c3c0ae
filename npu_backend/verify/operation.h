// Small additions to the control walker's view of a dispatched instruction.
#pragma once
#include "runtime/emulator/control.h"

namespace emulsion::verifier {

using Registers = std::array<int64_t, register_count>;
using Index = std::array<int64_t, max_rank>;

/// "12 (load, stage a_tile)", for the other instruction of a message.
std::string describe(const Program &program, uint32_t pc);

/// Address of `stream` at point `index`, whose addresses are known to fit.
inline int64_t address_at(const ResolvedStream &stream, int rank, const Index &index) {
    int64_t at = stream.base;
    for (int d = 0; d < rank; d++) at += index[d] * stream.stride[d];
    return at;
}

/// Sum of products in 64 bits that knows whether it overflowed.
struct CheckedSum {
    int64_t value = 0;
    bool overflow = false;

    CheckedSum &add(int64_t a) {
        overflow |= __builtin_add_overflow(value, a, &value);
        return *this;
    }
    CheckedSum &add_product(int64_t a, int64_t b) {
        int64_t product = 0;
        overflow |= __builtin_mul_overflow(a, b, &product);
        return add(product);
    }
};

}  // namespace emulsion::verifier
