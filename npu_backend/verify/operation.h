// A dispatched instruction with its registers, and its operands once the registers are put in.
#pragma once
#include "runtime/diag/diag.h"
#include "runtime/program/program.h"

#include <array>
#include <cstdint>
#include <vector>

namespace emulsion::verifier {

using Registers = std::array<int64_t, register_count>;

/// Instruction `pc` as CTL dispatched it: scalars are sampled at that moment.
struct Operation {
    uint32_t pc = 0;
    Registers registers{};
};

/// Where instruction `pc` came from: stage, file and line of the debug map, and "instruction 12 (load)".
Place place_of(const Program &program, uint32_t pc);

/// "12 (load, stage a_tile)", for the other instruction of a message.
std::string describe(const Program &program, uint32_t pc);

/// A stream with its registers put in.
struct Operand {
    const Stream *stream = nullptr;
    int64_t base = 0;
    std::array<int64_t, max_rank> stride{};
};

struct Resolved {
    int rank = 0;
    std::array<int64_t, max_rank> extent{};
    bool empty = false;  ///< some extent is <= 0: no access at all
    std::vector<Operand> operands;
};

/// Raises EM4xx when an address or the size of the domain does not fit 64 bits.
void resolve(const Program &program, const Operation &operation, Resolved &out);

/// imm + register.
int64_t value_of(const Scalar &scalar, const Registers &registers);

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
