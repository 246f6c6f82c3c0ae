#include "npu_backend/verify/output_coverage.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <optional>

namespace emulsion::verifier {
namespace {

std::optional<int64_t> argument(const Program &program, std::span<const int64_t> values, ArgumentKind kind, int region,
                                int dimension) {
    for (size_t k = 0; k < program.arguments.size(); k++) {
        const Argument &a = program.arguments[k];
        if (a.kind == kind && a.region == region && a.dimension == dimension) return values[k];
    }
    return {};
}

// Bytes of the elements, or nothing when some size is not an argument (then the buffer is dense).
std::optional<Runs> element_bytes(const Program &program, int region, std::span<const int64_t> values) {
    const Region &r = program.regions[region];
    const int64_t bytes = info(r.type).bytes;
    std::vector<Step> steps;
    for (int d = 0; d < r.dimensions; d++) {
        const auto extent = argument(program, values, ArgumentKind::buffer_extent, region, d);
        auto stride = argument(program, values, ArgumentKind::buffer_stride, region, d);
        if (!stride && d == 0) stride = 1;
        if (!extent || !stride) return {};
        if (*extent <= 0) return Runs{};
        steps.push_back({*stride * bytes, *extent});
    }
    const auto lattice = Lattice::make(0, {{0, bytes}}, std::move(steps));
    if (!lattice) return {};
    return lattice->runs();
}

std::optional<Runs> given_bytes(const Region &region, const RegionExtent &memory) {
    if (memory.elements.empty()) return {};
    std::vector<Step> steps;
    for (const RegionStep &s : memory.elements) steps.push_back({s.stride, s.count});
    const auto lattice = Lattice::make(0, {{0, info(region.type).bytes}}, std::move(steps));
    if (!lattice) return {};
    return lattice->runs();
}

// First bytes of `a` that are not in `b`.
std::optional<ByteRange> first_outside(const Runs &a, const Runs &b) {
    size_t k = 0;
    for (const ByteRange &r : a) {
        while (k < b.size() && b[k].hi <= r.lo) k++;
        if (k == b.size() || b[k].lo > r.lo) return ByteRange{r.lo, k == b.size() ? r.hi : std::min(r.hi, b[k].lo)};
        if (b[k].hi < r.hi) return ByteRange{b[k].hi, r.hi};
    }
    return {};
}

}  // namespace

void check_coverage(const Program &program, int region, const RegionExtent &memory, std::span<const int64_t> arguments,
                    const Runs &written) {
    const std::string &name = program.regions[region].name;
    Runs expected;
    if (auto elements = given_bytes(program.regions[region], memory))
        expected = std::move(*elements);
    else if (auto from_arguments = element_bytes(program, region, arguments))
        expected = std::move(*from_arguments);
    else if (memory.lo < memory.hi)
        expected = {{memory.lo, memory.hi}};
    if (auto missing = first_outside(expected, written))
        raise(Diag::verify_output_missing, {program.name}, name, missing->lo, missing->hi);
    if (auto extra = first_outside(written, expected))
        raise(Diag::verify_output_padding, {program.name}, name, extra->lo, extra->hi);
}

}  // namespace emulsion::verifier
