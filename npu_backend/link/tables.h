// The tables of a linked program: equal entries of different units are one entry.
#pragma once
#include "runtime/program/program.h"

#include <map>
#include <string>

namespace emulsion {

class LinkTables {
public:
    explicit LinkTables(Program &program) : program_(program) {}

    // Index of an equal entry, added when there is none. Raise EM762 for a full table.
    uint16_t domain(const Domain &d);
    uint16_t fill(const Fill &f);
    uint16_t micro_program(const MicroProgram &m);
    /// Of `streams`, which an instruction takes as consecutive operands, the first.
    uint16_t streams(const std::vector<Stream> &streams);

private:
    Program &program_;
    std::map<std::string, uint16_t> known_[4];

    template<typename Record>
    uint16_t intern(int table, const std::vector<Record> &records, std::vector<Record> &into, const char *name);
};

}  // namespace emulsion
