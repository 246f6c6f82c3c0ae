// Why a program takes as long as it does: cycles by queue and stage, what each queue waited for, the roofline, memory
// by buffer, and what would make it faster.
#pragma once
#include "npu_backend/explain/what_if.h"
#include "runtime/emulator/emulator.h"
#include "runtime/emulator/timing_bound.h"

#include <span>
#include <string>
#include <vector>

namespace emulsion {

/// Work of one resource; the program cannot take less than the largest.
struct Roof {
    std::string resource;  ///< "MX", "EXT bandwidth"
    uint64_t cycles = 0;
};

/// One stage on one unit.
struct StageTime {
    std::string stage;
    Queue queue{};
    uint64_t instructions = 0, busy = 0;
};

struct Explanation {
    std::string program, machine;
    TimingReport timing;               ///< without its events
    std::vector<Roof> roofs;           ///< largest first; the first one is the roofline
    std::vector<StageTime> stages;     ///< longest first
    std::vector<BufferEntry> buffers;  ///< largest first
    uint64_t spm_peak = 0, spm_bytes = 0, acc_peak = 0, acc_bytes = 0;
    std::vector<WhatIf> what_if;  ///< most helpful first

    double roofline_fraction() const;  ///< roofline / cycles, 0 to 1
    double array_utilisation() const;  ///< MAC cycles / cycles, 0 to 1
};

/// arguments: one per Program::arguments. Raises as simulate() does.
Explanation explain(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments);

/// Lines for people.
std::string to_text(const Explanation &explanation);

/// One JSON object with the same numbers.
std::string to_json(const Explanation &explanation);

}  // namespace emulsion
