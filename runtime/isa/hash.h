// XXH64, the one hash for machines, programs and constants. Header only, so the installed package needs no further library.
#pragma once
#include <cstddef>
#include <cstdint>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion {

/// XXH64 of `size` bytes with seed 0.
inline uint64_t hash_bytes(const void *data, size_t size) { return XXH64(data, size, 0); }

}  // namespace emulsion
