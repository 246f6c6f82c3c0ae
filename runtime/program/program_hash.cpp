#include "runtime/program/program_hash.h"

#include "runtime/isa/hash.h"
#include "runtime/program/container.h"

namespace emulsion {

uint64_t program_hash(const Program &program) {
    Program unsigned_program = program;
    unsigned_program.certificate = {};
    const std::vector<uint8_t> bytes = write_container(unsigned_program);
    return hash_bytes(bytes.data(), bytes.size());
}

}  // namespace emulsion
