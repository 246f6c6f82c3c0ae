// Binding: from halide_buffer_t to the regions and kernel arguments of a program.
#pragma once
#include "runtime/emulator/emulator.h"
#include "runtime/program/program.h"

#include "HalideRuntime.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion {

/// What interpret() and simulate() take. `regions` points into the caller's buffers and into `owned`.
struct Binding {
    std::vector<RegionMemory> regions;   ///< one per Program::regions
    std::vector<int64_t> arguments;      ///< one per Program::arguments
    std::vector<std::vector<uint8_t>> owned;  ///< constants, zeroed arena
};

/// buffers: one per input or output region, in region order, any mins and strides (elements, negative ones too).
/// scalars: one per scalar argument, in argument order. Raises EM551..EM555.
Binding bind_buffers(const Program &program, std::span<halide_buffer_t *const> buffers, std::span<const int64_t> scalars);

/// The same by name. Raises EM558 for a name that is missing.
Binding bind_buffers(const Program &program, const std::map<std::string, halide_buffer_t *> &buffers,
             const std::map<std::string, int64_t> &scalars);

/// The element type of a Halide type; raises EM553 for one the machine lacks (`name` is the buffer's).
ElementType element_type(halide_type_t type, const std::string &name);

}  // namespace emulsion
