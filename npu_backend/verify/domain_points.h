// Point by point walk of a domain, for the few checks that need it.
#pragma once
#include "npu_backend/verify/operation.h"

namespace emulsion::verifier {

/// Most points a check may visit for one instruction.
inline constexpr int64_t visited_point_limit = 1 << 22;

/// Raises EM4xx for a domain of more points than any machine gets through.
void check_domain_size(const Program &program, const Dispatched &op);

/// Raises EM4xx when the domain has more than visited_point_limit points.
void check_point_count(const Program &program, const Dispatched &op);

/// Calls visit(index) in lexicographic order, index 0 fastest. The domain is not empty.
template<typename Visit>
void for_each_point(const Program &program, const Dispatched &op, Visit visit) {
    check_point_count(program, op);
    Index index{};
    int d = 0;
    do {
        visit(index);
        for (d = 0; d < op.rank; d++) {
            if (++index[d] < op.extent[d]) break;
            index[d] = 0;
        }
    } while (d < op.rank);
}

}  // namespace emulsion::verifier
