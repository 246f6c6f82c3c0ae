// Lane arithmetic: what one micro-op does to a block of lanes. Integers are int64 normalised to their type, floats are f32.
#pragma once
#include "runtime/isa/micro_op.h"

#include <array>
#include <cstdint>
#include <vector>

namespace emulsion {

inline constexpr int block_lanes = 256;

/// One SSA value over a block of lanes. Which member is live follows from the type of the micro-op.
struct Lanes {
    std::array<int64_t, block_lanes> i;
    std::array<float, block_lanes> f;
};

/// Wraps `v` to integer type `t`.
int64_t normalise(ElementType t, int64_t v);
/// Rounds `v` to float type `t`.
float round_to(ElementType t, float v);
/// The bits of a lane as stored, and back.
int64_t to_bits(ElementType t, int64_t i, float f);
void from_bits(ElementType t, int64_t bits, int64_t &i, float &f);

/// Computes op over lanes [0, n) from the values it names. Load, store, index and scalar are the unit's own business.
void compute(const MicroOp &op, std::vector<Lanes> &values, Lanes &out, int n);

/// The type of the value that micro-op `op` defines (u8 for compares).
ElementType value_type(const MicroOp &op);

}  // namespace emulsion
