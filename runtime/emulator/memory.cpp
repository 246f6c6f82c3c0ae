#include "runtime/emulator/memory.h"

#include <algorithm>
#include <random>

namespace emulsion {
namespace {

constexpr int local_banks = 4;  // one per Space; Space::ext and Space::lut stay empty

// One random block again and again; its odd length keeps rows of equal pitch different.
std::vector<uint8_t> poisoned(uint64_t bytes, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::array<uint8_t, 4093> block;
    for (uint8_t &b : block) b = static_cast<uint8_t>(random());
    std::vector<uint8_t> v(bytes);
    for (uint64_t at = 0; at < bytes; at += block.size()) std::memcpy(&v[at], block.data(), std::min<uint64_t>(block.size(), bytes - at));
    return v;
}

int64_t to_int64(__int128 v) { return static_cast<int64_t>(std::clamp<__int128>(v, INT64_MIN, INT64_MAX)); }

}  // namespace

Memory::Memory(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions, bool sanitize, uint64_t seed)
    : program_(program), sanitize_(sanitize), scratchpad_(poisoned(target.spm_bytes, seed)),
      accumulator_(poisoned(target.acc_bytes, seed + 1)), constants_(program.constants), banks_(local_banks) {
    if (regions.size() < program.regions.size()) raise(Diag::program_malformed, {}, std::string("fewer regions bound than it has"));
    banks_[static_cast<int>(Space::spm)].bytes = scratchpad_;
    banks_[static_cast<int>(Space::acc)].bytes = accumulator_;
    if (sanitize)
        for (Bank &b : banks_) b.shadow.assign(b.bytes.size(), 0);
    for (size_t r = 0; r < program.regions.size(); r++) add_region(program.regions[r], regions[r]);
}

void Memory::add_region(const Region &region, const RegionMemory &memory) {
    const bool constants = region.kind == RegionKind::constants;
    Bank b = constants ? Bank{constants_} : Bank{memory.bytes, memory.origin};
    if (sanitize_) b.shadow.assign(b.bytes.size(), constants || region.kind == RegionKind::input);
    banks_.push_back(std::move(b));
}

Memory::Bank &Memory::bank(const ResolvedStream &s) {
    return banks_[s.space == Space::ext ? local_banks + s.region : static_cast<int>(s.space)];
}

std::string Memory::name(const ResolvedStream &s) const {
    constexpr const char *names[] = {"external memory", "the scratchpad", "the accumulator", "a table"};
    return s.space == Space::ext ? fmt::format("region \"{}\"", program_.regions[s.region].name) : names[static_cast<int>(s.space)];
}

Reach reach_of(const Dispatched &d, size_t k, int64_t low, int64_t high) {
    const ResolvedStream &s = d.stream[k];
    Reach r{static_cast<__int128>(s.base) + low, static_cast<__int128>(s.base) + high + info(s.type).bytes};
    for (int dim = 0; dim < d.rank; dim++) {
        const __int128 span = static_cast<__int128>(s.stride[dim]) * (d.extent[dim] - 1);
        (span < 0 ? r.first : r.end) += span;
    }
    return r;
}

Reach reach_of_window(const Dispatched &d, size_t k) {
    const ResolvedStream &s = d.stream[k];
    return reach_of(d, k, s.window_lo, s.window_hi - info(s.type).bytes);
}

Window Memory::window_between(const Dispatched &d, size_t k, Touch touch, __int128 first, __int128 end) {
    const ResolvedStream &s = d.stream[k];
    Bank &b = bank(s);
    const auto size = static_cast<int64_t>(b.bytes.size());
    const Window w{b.bytes.data() + b.origin, sanitize_ ? b.shadow.data() + b.origin : nullptr, -b.origin, size - b.origin};
    if (touch == Touch::write && s.space == Space::ext)
        if (const RegionKind kind = program_.regions[s.region].kind; kind == RegionKind::input || kind == RegionKind::constants)
            raise(Diag::write_protected, place_of(program_, d.pc), k, program_.regions[s.region].name);
    if (first < w.lo || end > w.hi) fail_range(d, k, to_int64(first), to_int64(end), w.lo, w.hi);
    return w;
}

Window Memory::window(const Dispatched &d, size_t k, Touch touch, int64_t low, int64_t high, bool indexed) {
    const Reach r = indexed ? reach_of_window(d, k) : reach_of(d, k, low, high);
    return window_between(d, k, touch, r.first, r.end);
}

void Memory::fail_range(const Dispatched &d, size_t k, int64_t first, int64_t end, int64_t lo, int64_t hi) const {
    raise(Diag::access_out_of_range, place_of(program_, d.pc), k, first, end, name(d.stream[k]), lo, hi);
}

void Memory::require_written(const Dispatched &d, size_t k, int64_t first, int64_t step, int64_t count, int64_t bytes) const {
    if (step == bytes) bytes *= count, count = 1;
    const Bank &b = bank(d.stream[k]);
    for (int64_t run = 0; run < count; run++) {
        const uint8_t *shadow = b.shadow.data() + b.origin + first + run * step;
        if (const auto *hole = static_cast<const uint8_t *>(std::memchr(shadow, 0, bytes)))
            raise(Diag::uninitialised_read, place_of(program_, d.pc), k, hole - b.shadow.data() - b.origin, name(d.stream[k]));
    }
}

void Memory::require_written(const Dispatched &d, size_t k) const {
    if (!sanitize_) return;
    for_each_run(d, k, [&](int64_t first, int64_t step, int64_t count) {
        require_written(d, k, first, step, count, info(d.stream[k].type).bytes);
    });
}

void mark_written(const Window &w, int64_t first, int64_t step, int64_t count, int64_t bytes) {
    if (step == bytes) bytes *= count, count = 1;
    for (int64_t run = 0; run < count; run++) std::memset(w.written + first + run * step, 1, bytes);
}

}  // namespace emulsion
