// Programs written by hand, each with the sizes of its EXT regions: what a good compiler would emit for small kernels.
#pragma once
#include "runtime/program/program.h"

#include <functional>
#include <string_view>
#include <vector>

namespace emulsion::test {

struct HandProgram {
    Program program;
    std::vector<int64_t> region_bytes;  ///< per region
    std::vector<int64_t> arguments;
};

/// out[i] = in[i] + 1, u8, 6 tiles of 64: load | run | store with rings of two.
HandProgram pipelined_add();
/// c = a * b, int8 16 x 48 by 48 x 8 into int32: reduction in 6 blocks of 8, operands in rings of two, then drain and
/// store.
HandProgram blocked_matmul();
/// 3-tap horizontal blur of a 32 x 8 picture with repeated edges, row by row, rows in rings of two.
HandProgram edge_blur();
/// out[i] = table[in[i]], the table a constant, 5 tiles of 32.
HandProgram table_lookup();
/// Sums of the first 0 … 64 bytes: one instruction reads what it wrote a point earlier.
HandProgram running_sum();
/// Intermediate in the EXT arena: load, run, store to the arena, load back, store.
HandProgram through_arena();

struct NamedProgram {
    std::string_view name;
    HandProgram (*make)();
};
inline constexpr NamedProgram hand_programs[] = {
    {"pipelined_add", pipelined_add}, {"blocked_matmul", blocked_matmul}, {"edge_blur", edge_blur},
    {"table_lookup", table_lookup},   {"running_sum", running_sum},       {"through_arena", through_arena},
};

}  // namespace emulsion::test
