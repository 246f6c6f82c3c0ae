// Program: everything a machine needs to run one kernel. The container (container.h) stores it; nothing else is hidden.
#pragma once
#include "runtime/isa/instruction.h"
#include "runtime/isa/micro_op.h"
#include "runtime/isa/stream.h"

#include <string>
#include <vector>

namespace emulsion {

enum class RegionKind : uint8_t { input, output, constants, arena };

/// One EXT region. Inputs and outputs are bound to a halide_buffer_t at launch; its base is the address of the element at
/// the buffer's min in every dimension.
struct Region {
    std::string name;
    RegionKind kind = RegionKind::input;
    ElementType type = ElementType::u8;
    uint8_t dimensions = 0;
    int64_t bytes = 0;  ///< constants, arena: size; inputs and outputs: 0 (known at launch)
    /// Inputs and outputs of a model: what they hold. Extents innermost first, empty: known at launch. The real value of element q is
    /// scale * (q - zero_point); scale as the bits of a float32, 0: not quantised.
    std::vector<int64_t> extents{};
    uint32_t scale_bits = 0;
    int32_t zero_point = 0;
    bool operator==(const Region &) const = default;
};

/// What kernel argument k means. Buffer fields are read from the buffer bound to `region`; scalars come by name.
enum class ArgumentKind : uint8_t { buffer_min, buffer_extent, buffer_stride, scalar };

struct Argument {
    ArgumentKind kind = ArgumentKind::scalar;
    uint8_t region = 0, dimension = 0;  ///< buffer kinds. Strides are in elements.
    std::string name;                   ///< scalar kind
    ElementType type = ElementType::i32;  ///< scalar kind; f32 travels as its bits
    bool operator==(const Argument &) const = default;
};

struct TokenInit {
    uint8_t initial = 0;
    bool operator==(const TokenInit &) const = default;
};

/// Where instruction `pc` came from.
struct DebugEntry {
    uint32_t pc = 0;
    std::string stage, file;
    uint32_t line = 0;
    bool operator==(const DebugEntry &) const = default;
};

/// Named range of the scratchpad, the accumulator or (space ext) the constants: for reports, and the borders that the verifier keeps
/// operands inside. Slots lie `bytes` apart.
struct BufferEntry {
    std::string name;
    Space space = Space::spm;
    uint64_t offset = 0, bytes = 0;
    uint32_t slots = 1;
    uint64_t used = 0;  ///< bytes of a slot that hold elements, the rest is padding; 0: all
    uint32_t first = 0, last = 0;  ///< instructions [first, last) use it; last 0: all. Kernels of a linked program share bytes
    bool operator==(const BufferEntry &) const = default;
};

/// Proof left by the verifier; see npu_backend/verify.
struct Certificate {
    uint64_t program_hash = 0, machine_hash = 0;
    uint32_t checker_version = 0;  ///< 0: not verified
    std::vector<int64_t> arguments;  ///< the argument values it holds for
    bool operator==(const Certificate &) const = default;
};

struct Program {
    std::string name, machine;
    uint64_t machine_hash = 0;
    std::vector<Instruction> code;
    std::vector<Domain> domains;
    std::vector<Stream> streams;
    std::vector<Fill> fills;
    std::vector<MicroProgram> micro_programs;
    std::vector<TokenInit> tokens;
    std::vector<Region> regions;      ///< at most 16
    std::vector<Argument> arguments;
    std::vector<uint8_t> constants;
    std::vector<BufferEntry> buffers;
    std::vector<DebugEntry> debug;
    Certificate certificate;
    bool operator==(const Program &) const = default;
};

}  // namespace emulsion
