// Point by point walk of a domain, for the few checks that need it.
#pragma once
#include "npu_backend/verify/operation.h"

namespace emulsion::verifier {

/// Most points a check may visit for one instruction.
inline constexpr int64_t visited_point_limit = 1 << 22;

/// Raises EM4xx when the domain has more than visited_point_limit points.
void check_point_count(const Program &program, uint32_t pc, const Resolved &resolved);

inline int64_t address_at(const Operand &o, int rank, const std::array<int64_t, max_rank> &index) {
    int64_t at = o.base;
    for (int d = 0; d < rank; d++) at += index[d] * o.stride[d];
    return at;
}

/// Calls visit(index) in lexicographic order, index 0 fastest. The domain is not empty.
template<typename Visit>
void for_each_point(const Program &program, uint32_t pc, const Resolved &resolved, Visit visit) {
    check_point_count(program, pc, resolved);
    std::array<int64_t, max_rank> index{};
    int d = 0;
    do {
        visit(index);
        for (d = 0; d < resolved.rank; d++) {
            if (++index[d] < resolved.extent[d]) break;
            index[d] = 0;
        }
    } while (d < resolved.rank);
}

}  // namespace emulsion::verifier
