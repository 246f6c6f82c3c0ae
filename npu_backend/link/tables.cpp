#include "npu_backend/link/tables.h"

#include "runtime/diag/diag.h"
#include "runtime/program/record_bytes.h"

namespace emulsion {

template<typename Record>
uint16_t LinkTables::intern(int table, const std::vector<Record> &records, std::vector<Record> &into, const char *name) {
    ByteWriter key;
    for (const Record &r : records) append_record(key, r);
    auto [it, fresh] = known_[table].try_emplace(std::string(key.bytes.begin(), key.bytes.end()), static_cast<uint16_t>(into.size()));
    if (fresh) {
        if (into.size() + records.size() >= no_extra) raise(Diag::link_table_full, {program_.name}, name);
        into.insert(into.end(), records.begin(), records.end());
    }
    return it->second;
}

uint16_t LinkTables::domain(const Domain &d) { return intern(0, std::vector{d}, program_.domains, "domains"); }
uint16_t LinkTables::fill(const Fill &f) { return intern(1, std::vector{f}, program_.fills, "fills"); }
uint16_t LinkTables::streams(const std::vector<Stream> &streams) { return intern(2, streams, program_.streams, "streams"); }

uint16_t LinkTables::micro_program(const MicroProgram &m) {
    ByteWriter key;
    for (const MicroOp &op : m) append_record(key, op);
    auto [it, fresh] = known_[3].try_emplace(std::string(key.bytes.begin(), key.bytes.end()), static_cast<uint16_t>(program_.micro_programs.size()));
    if (fresh) {
        if (program_.micro_programs.size() + 1 >= no_extra) raise(Diag::link_table_full, {program_.name}, "micro-programs");
        program_.micro_programs.push_back(m);
    }
    return it->second;
}

}  // namespace emulsion
