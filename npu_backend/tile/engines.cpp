#include "npu_backend/tile/engines.h"

namespace emulsion {

Attempt refuse(Diag reason, std::string detail, bool retry_smaller) { return {{}, reason, std::move(detail), retry_smaller}; }

std::vector<std::string> names_of(const CutLeaf &leaf) {
    std::vector<std::string> names;
    for (const LeafLoop &l : leaf.domain) names.push_back(l.name);
    return names;
}

std::vector<ir::Dimension> dimensions_of(const CutLeaf &leaf) {
    std::vector<ir::Dimension> dims;
    for (const LeafLoop &l : leaf.domain) dims.push_back({l.name, l.extent, Role::streamed});
    return dims;
}

}  // namespace emulsion
