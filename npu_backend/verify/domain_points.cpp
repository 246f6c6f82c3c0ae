#include "npu_backend/verify/domain_points.h"

namespace emulsion::verifier {

void check_point_count(const Program &program, uint32_t pc, const Resolved &resolved) {
    int64_t points = 1;
    for (int d = 0; d < resolved.rank; d++) points *= resolved.extent[d];
    if (points > visited_point_limit) raise(Diag::verify_point_budget, place_of(program, pc), points, visited_point_limit);
}

}  // namespace emulsion::verifier
