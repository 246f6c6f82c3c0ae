// The closing block of a compile or run, as text or JSON.
#pragma once
#include "npu_backend/compile.h"
#include "runtime/emulator/emulator.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace emulsion::command {

/// Program size and, when timed, cycles by engine, utilisation, scratchpad peak, bytes moved, energy.
void print_summary(const Program &program, const TargetDesc &target, const std::optional<TimingReport> &timing);
nlohmann::ordered_json summary(const Program &program, const TargetDesc &target, const std::optional<TimingReport> &timing);

}  // namespace emulsion::command
