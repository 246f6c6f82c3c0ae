// TargetDesc: every number of a machine, read from a preset file (runtime/targets/*.json) or a user's file.
#pragma once
#include "runtime/isa/element_type.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

struct ArrayDesc {
    std::string kind;                ///< "systolic" (weight stationary) or "dot_product" (pixels x columns x rows per cycle)
    uint32_t rows = 0;               ///< reduced elements per pass (systolic) or per cycle (dot_product)
    uint32_t columns = 0;            ///< output channels
    uint32_t pixels_x = 1, pixels_y = 1;  ///< dot_product: streamed elements per cycle, innermost two streamed indices
    uint32_t depthwise_macs = 0;     ///< MAC/cycle for group contractions without columns
    uint32_t weight_bytes_per_cycle = 0;
    uint32_t step_overhead = 0;      ///< dot_product: cycles per one-micro-block step
    std::map<ElementType, uint32_t> slowdown;  ///< operand type -> divisor of MAC rate (i8 1, i16 2, bf16 4, ...); absent: illegal
};

struct MemoryDesc {
    uint32_t bytes_per_cycle_x10 = 0;  ///< bandwidth [bytes per 10 cycles], so 25.6 B/cycle is 256
    uint32_t latency = 0;              ///< [cycles]
    uint32_t outstanding = 1;          ///< requests in flight
    uint32_t burst_bytes = 64;         ///< smallest transfer: shorter runs cost as much
    uint32_t request_bytes = 4096;     ///< most contiguous bytes that one request covers, in bursts (AXI: up to a 4 KiB page)
};

/// pJ per event; static_per_cycle for the whole chip. `sources` in the file says where each comes from.
struct EnergyDesc {
    double mac_i8 = 0, mac_f16 = 0, mac_f32 = 0, spm_byte = 0, acc_byte = 0, ext_byte = 0, vector_op = 0, lookup = 0, issue = 0,
           static_per_cycle = 0;
};

struct TargetDesc {
    std::string name;
    double clock_mhz = 0;
    uint32_t cores = 1;
    uint64_t spm_bytes = 0;
    uint32_t spm_banks = 1;
    uint32_t spm_bytes_per_cycle = 0;  ///< all banks together
    uint64_t acc_bytes = 0;
    ArrayDesc array;
    MemoryDesc ext;
    uint32_t output_elements_per_cycle = 0;  ///< OU: 8-bit results
    uint32_t output_latency = 0;
    uint32_t vector_lanes = 0;               ///< VX: 8-bit lanes; 16-bit: half, 32-bit: a quarter, 64-bit: an eighth
    uint32_t vector_latency = 0;
    uint32_t queue_depth = 8;                ///< instructions per queue
    EnergyDesc energy;
    uint64_t hash = 0;                       ///< XXH64 of the canonical file text: key order and spacing do not count
    std::string text;                        ///< canonical file text: parse_target reads the same machine from it
    std::string origin;                      ///< the name or path that load_target was given
};

/// Reads a preset by name ("mobile") or a file by path. Presets lie in the folder named by the environment variable
/// EMULSION_TARGETS, else in the source tree, else in the installed package. Raises EM101 for unknown names, EM102 to EM105 for bad files.
TargetDesc load_target(const std::string &name_or_path);

/// The machine in `text`, a JSON object with the keys of TargetDesc. `origin` is where it came from, for messages.
/// Every key must be there, except `sources`. Raises EM102 to EM105.
TargetDesc parse_target(const std::string &text, const std::string &origin);

/// Names of the presets, sorted.
std::vector<std::string> list_targets();

}  // namespace emulsion
