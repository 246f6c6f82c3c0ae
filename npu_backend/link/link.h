// Linker: many compiled kernels become one program. Kernels run in order; what one stores the next may load.
//
//   before   conv: load …, contract, drain, store, halt        pool: load …, run, store, halt
//   after    conv's code   barrier   pool's code   halt        streams of EXT moved into the regions of the whole
//   prefetch conv's code   pool's first loads of constants   barrier   the rest of pool's code
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <string>
#include <vector>

namespace emulsion {

/// Where one region of a unit lies in the whole.
struct LinkedRegion {
    int region = 0;      ///< index into the regions of the whole
    int64_t offset = 0;  ///< of the unit's byte 0 [bytes]
    /// Constants: the bytes of the whole that are this constant, the borders that the verifier keeps the unit's loads inside.
    int64_t first = 0, bytes = 0;
};

struct LinkUnit {
    std::string name;                  ///< prefix of its stages and buffers
    const Program *program = nullptr;  ///< without arguments; one program may serve many units
    std::vector<LinkedRegion> regions; ///< one per region of `program`
};

struct LinkOptions {
    bool prefetch = true;  ///< issue leading loads of constants while the unit before still runs, where both fit the scratchpad
};

/// `whole` gives name, machine, regions and constants; its code and tables are made here. Not verified. Raises EM760 for a unit with
/// arguments or of another machine, EM761 when all units together need more than 255 tokens, EM762 when a table is full.
Program link(Program whole, const std::vector<LinkUnit> &units, const TargetDesc &target, const LinkOptions &options = {});

}  // namespace emulsion
