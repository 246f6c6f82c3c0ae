#include "npu_backend/verify/domain_points.h"

namespace emulsion::verifier {
namespace {
constexpr int64_t domain_limit = int64_t{1} << 40;
}

void check_domain_size(const Program &program, const Dispatched &op) {
    int64_t points = 1;
    for (int d = 0; d < op.rank && !op.empty; d++) {
        if (op.extent[d] > domain_limit / points)
            raise(Diag::verify_domain_size, place_of(program, op.pc), d, op.extent[d], domain_limit);
        points *= op.extent[d];
    }
}

void check_point_count(const Program &program, const Dispatched &op) {
    int64_t points = 1;
    for (int d = 0; d < op.rank; d++) points *= op.extent[d];
    if (points > visited_point_limit)
        raise(Diag::verify_point_budget, place_of(program, op.pc), points, visited_point_limit);
}

}  // namespace emulsion::verifier
