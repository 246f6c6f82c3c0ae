#include "runtime/emulator/memory.h"

#include <algorithm>

namespace emulsion {

Memory::Memory(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, bool sanitize, uint64_t seed)
    : program_(program), regions_(regions), sanitize_(sanitize) {
    if (regions.size() < program.regions.size()) raise(Diag::program_malformed, {}, std::string("fewer regions bound than the program has"));
    // Poison, so that a read of something nobody wrote does not look like a tidy zero.
    const auto poison = static_cast<uint8_t>(0xa5 ^ (seed * 31));
    spm_.assign(target.spm_bytes, poison);
    acc_.assign(target.acc_bytes, poison);
    constants_ = program.constants;
    if (!sanitize) return;
    spm_shadow_.assign(target.spm_bytes, 0);
    acc_shadow_.assign(target.acc_bytes, 0);
    for (size_t r = 0; r < program.regions.size(); r++) {
        const RegionKind kind = program.regions[r].kind;
        const bool defined = kind == RegionKind::input || kind == RegionKind::constants;
        const size_t bytes = kind == RegionKind::constants ? constants_.size() : regions[r].bytes.size();
        region_shadow_.emplace_back(bytes, defined ? 1 : 0);
    }
}

Window Memory::space(const ResolvedStream &s) const {
    auto local = [&](std::vector<uint8_t> &bytes, std::vector<uint8_t> &shadow) {
        return Window{bytes.data(), sanitize_ ? shadow.data() : nullptr, 0, static_cast<int64_t>(bytes.size())};
    };
    if (s.space == Space::spm) return local(spm_, spm_shadow_);
    if (s.space == Space::acc) return local(acc_, acc_shadow_);
    if (s.space != Space::ext) return {};
    if (program_.regions[s.region].kind == RegionKind::constants)
        return {constants_.data(), sanitize_ ? region_shadow_[s.region].data() : nullptr, 0, static_cast<int64_t>(constants_.size())};
    const RegionMemory &m = regions_[s.region];
    return {m.bytes.data() + m.origin, sanitize_ ? region_shadow_[s.region].data() + m.origin : nullptr, -m.origin,
            static_cast<int64_t>(m.bytes.size()) - m.origin};
}

Window Memory::window(const Dispatched &d, int k, int64_t low, int64_t high) const {
    const ResolvedStream &s = d.stream[k];
    const Window w = space(s);
    if (d.empty) return w;
    __int128 least = s.base, most = s.base;
    for (int dim = 0; dim < d.rank; dim++) {
        const __int128 reach = static_cast<__int128>(s.stride[dim]) * (d.extent[dim] - 1);
        (reach < 0 ? least : most) += reach;
    }
    least += low;
    most += high + info(s.type).bytes;
    if (least >= w.lo && most <= w.hi) return w;
    constexpr const char *names[] = {"external memory", "the scratchpad", "the accumulator", "a table"};
    std::string name = names[static_cast<int>(s.space)];
    if (s.space == Space::ext) name = fmt::format("region \"{}\"", program_.regions[s.region].name);
    const auto clamp64 = [](__int128 v) { return static_cast<int64_t>(std::clamp<__int128>(v, INT64_MIN, INT64_MAX)); };
    raise(Diag::access_out_of_range, place_of(program_, d.pc), name, clamp64(least), clamp64(most), w.lo, w.hi);
}

void check_written(const Window &w, int64_t offset, int64_t bytes, const Dispatched &d, const Program &program, const char *what) {
    for (int64_t b = offset; b < offset + bytes; b++)
        if (!w.written[b]) raise(Diag::uninitialised_read, place_of(program, d.pc), std::string(what), b);
}

}  // namespace emulsion
