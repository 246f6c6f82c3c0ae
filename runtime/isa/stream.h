// The one addressing model: a tile operation walks one Domain; each operand is a Stream over that domain.
//
//   address(i) = base + sum over d of i[d] * stride[d]          0 <= i[d] < extent[d], index 0 innermost
//
// Base, strides and extents may add scalar registers; these are sampled when CTL dispatches the instruction.
#pragma once
#include "runtime/isa/element_type.h"

#include <array>
#include <cstdint>

namespace emulsion {

inline constexpr int max_rank = 6;
inline constexpr int max_base_terms = 4;
inline constexpr int register_count = 32;
inline constexpr uint8_t no_register = 0xff;

enum class Space : uint8_t { ext, spm, acc, lut };

/// imm + R[reg]; no register: imm alone.
struct Scalar {
    int64_t imm = 0;
    uint8_t reg = no_register;
    bool operator==(const Scalar &) const = default;
};

struct BaseTerm {
    uint8_t reg = no_register;  ///< no_register: the term is unused
    int64_t scale = 0;          ///< bytes per unit of the register
    bool operator==(const BaseTerm &) const = default;
};

/// All offsets and strides are bytes. Unused dimensions have stride 0.
struct Stream {
    Space space = Space::spm;
    uint8_t region = 0;  ///< EXT only: index into Program::regions
    ElementType type = ElementType::i8;
    int64_t base = 0;
    std::array<BaseTerm, max_base_terms> terms{};
    std::array<Scalar, max_rank> stride{};
    /// Bytes around each point's address that data-indexed micro-ops may touch: [window_lo, window_hi). Both 0: no indexed access.
    int64_t window_lo = 0, window_hi = 0;
    bool operator==(const Stream &) const = default;
};

/// What an index of a contraction, or of a vector operation, does.
///   contract: row = reduced and spread over array rows; tap = reduced, one array pass each; column = output channel
///             (in weights and acc); streamed = in input and acc; group = in all three operands (depthwise, batch).
///   run, drain: streamed = independent; reduce = carries an associative integer reduction; serial = carries a
///             dependence whose order matters (float sums, scans, histograms).
enum class Role : uint8_t { streamed, column, row, tap, group, reduce, serial };

/// Extents <= 0 make the domain empty: the operation does nothing, its tokens still act.
struct Domain {
    uint8_t rank = 0;
    std::array<Scalar, max_rank> extent{};
    std::array<Role, max_rank> role{};
    bool operator==(const Domain &) const = default;
};

enum class FillMode : uint8_t { constant, repeat_edge, repeat_image, mirror_image, mirror_interior };

/// Boundary of a load: dimension d with `boxed[d]` has source coordinate c = origin[d] + i[d]; outside [lo, hi) the mode
/// decides. The source address uses the mapped coordinate times the source stride, so the source base is coordinate 0.
/// Dimensions that are not boxed behave as in any stream.
struct Fill {
    FillMode mode = FillMode::constant;
    uint64_t value = 0;  ///< constant mode: the element's bits
    std::array<bool, max_rank> boxed{};
    std::array<Scalar, max_rank> origin{}, lo{}, hi{};
    bool operator==(const Fill &) const = default;
};

}  // namespace emulsion
