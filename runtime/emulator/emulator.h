// The emulator: interpreter (bits) and timing model (cycles, energy). Two independent walks over one program.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emulsion {

/// Memory bound to one EXT region for a run. `origin` is where stream offset 0 lies inside `bytes` (buffers with negative
/// strides have it in the middle).
struct RegionMemory {
    std::span<uint8_t> bytes;
    int64_t origin = 0;
};

struct InterpreterOptions {
    uint64_t schedule_seed = 0;  ///< 0: oldest ready instruction first; else a random legal interleaving of the queues
    bool sanitize = false;       ///< shadow memory: reading a byte nobody wrote is an error EM5xx
    uint64_t instruction_budget = 1ull << 32;
};

/// Runs `program` on `regions` (one per Program::regions; constants are copied from the program, arena is zeroed by the
/// caller). arguments: one value per Program::arguments. Every access is range checked. Raises EM5xx.
void interpret(const Program &program, const TargetDesc &target, std::span<const RegionMemory> regions,
               std::span<const int64_t> arguments, const InterpreterOptions &options = {});

struct QueueReport {
    uint64_t instructions = 0;
    uint64_t busy = 0;            ///< cycles an instruction occupied the unit
    uint64_t wait_token = 0;      ///< cycles its head waited for a token
    uint64_t wait_issue = 0;      ///< cycles it had nothing dispatched; CTL: cycles a full queue stopped it
    uint64_t stretched = 0;       ///< cycles lost to shared bandwidth, part of busy
    std::array<uint64_t, 6> wait_for{};  ///< wait_token by the queue that gives the token
};

struct TimingReport {
    uint64_t cycles = 0;
    std::array<QueueReport, 6> queue;  ///< indexed by Queue
    uint64_t macs = 0;                 ///< multiply-accumulates done
    uint64_t mac_cycles = 0;           ///< macs / peak rate of the array for their type, rounded up: utilisation = mac_cycles / cycles
    uint64_t ext_read = 0, ext_written = 0;  ///< bytes of elements moved; timing and energy count whole bursts
    double energy_pj = 0;
    struct Event { uint32_t pc; uint8_t queue; uint64_t start, end; };
    std::vector<Event> events;         ///< filled when asked for: the trace
};

struct TimingOptions {
    bool trace = false;
    uint64_t cycle_limit = UINT64_MAX;  ///< stop early; cycles is then > limit
};

/// Event-driven timing; needs no data. Deterministic. Raises EM5xx on deadlock (prints the wait-for graph).
TimingReport simulate(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments,
                      const TimingOptions &options = {});

}  // namespace emulsion
