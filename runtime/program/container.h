// The program file (.npu): a FlatBuffers container, schema in program.fbs. The reader trusts nothing.
#pragma once
#include "runtime/program/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace emulsion {

/// Version of the format that this build writes and reads.
inline constexpr uint32_t container_version = 2;

/// Deterministic: equal programs give equal bytes.
std::vector<uint8_t> write_container(const Program &program);

/// The program in `bytes`, checked by validate(). Raises EM120 for bytes that are no container, EM113 for reserved bits,
/// EM121 for a program that breaks a rule. Never crashes, whatever the bytes.
Program read_container(std::span<const uint8_t> bytes);

}  // namespace emulsion
