// The fields of every record of a Program by name, once. Text writer, text reader and byte layout are visitors:
//
//   Fields<Domain>::each(visitor, domain)              calls visitor("rank", domain.rank), ...
//   Fields<Domain>::each(visitor, domain, initial)     calls visitor("rank", domain.rank, initial.rank), ...
#pragma once
#include "runtime/isa/micro_op.h"
#include "runtime/isa/stream.h"
#include "runtime/program/program.h"

namespace emulsion {

template<typename Record>
struct Fields;

#define EMULSION_FIELDS(Record, ...) \
    template<> \
    struct Fields<Record> { \
        template<typename Visitor, typename... R> \
        static void each(Visitor &&v, R &...r) { __VA_ARGS__ } \
    };
#define F(name) v(#name, r.name...);
EMULSION_FIELDS(Domain, F(rank) F(extent) F(role))
EMULSION_FIELDS(Stream, F(space) F(region) F(type) F(base) F(terms) F(stride) F(window_lo) F(window_hi))
EMULSION_FIELDS(Fill, F(mode) F(value) F(boxed) F(origin) F(lo) F(hi))
EMULSION_FIELDS(MicroOp, F(type) F(from) F(stream) F(mode) F(a) F(b) F(c) F(imm))  // op is written before them
EMULSION_FIELDS(TokenInit, F(initial))
EMULSION_FIELDS(Region, F(name) F(kind) F(type) F(dimensions) F(bytes) F(extents) F(scale_bits) F(zero_point))
EMULSION_FIELDS(Argument, F(kind) F(region) F(dimension) F(name) F(type))
EMULSION_FIELDS(BufferEntry, F(name) F(space) F(offset) F(bytes) F(slots) F(used) F(first) F(last))
EMULSION_FIELDS(DebugEntry, F(pc) F(stage) F(file) F(line))
EMULSION_FIELDS(Certificate, F(program_hash) F(machine_hash) F(checker_version) F(arguments))
EMULSION_FIELDS(Program, F(name) F(machine) F(machine_hash))  // the header; the tables are sections of their own
#undef F
#undef EMULSION_FIELDS

}  // namespace emulsion
