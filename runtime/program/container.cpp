#include "runtime/program/container.h"

#include "program_generated.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/encode.h"
#include "runtime/program/record_bytes.h"
#include "runtime/program/validate.h"

namespace emulsion {
namespace {

namespace fb = flatbuffers;
namespace fbs = emulsion::container;

constexpr size_t max_bytes = size_t{1} << 30;
constexpr fb::uoffset_t max_depth = 8, max_tables = 1 << 22;

[[noreturn]] void malformed(const std::string &why) { raise(Diag::container_malformed, {}, why); }

// ---- writing

using Bytes = std::vector<uint8_t>;

template<typename Record>
Bytes packed(const std::vector<Record> &records) {
    ByteWriter out;
    for (const Record &r : records) append_record(out, r);
    return out.bytes;
}

Bytes packed_code(const std::vector<Instruction> &code) {
    Bytes out;
    for (const Instruction &i : code) {
        const InstructionBytes b = encode(i);
        out.insert(out.end(), b.begin(), b.end());
    }
    return out;
}

/// Tables of `records`, each made by `make(record)`.
template<typename Record, typename Make>
auto tables(fb::FlatBufferBuilder &b, const std::vector<Record> &records, Make make) {
    std::vector<decltype(make(records[0]))> offsets;
    for (const Record &r : records) offsets.push_back(make(r));
    return b.CreateVector(offsets);
}

fb::Offset<fbs::Certificate> certificate(fb::FlatBufferBuilder &b, const Certificate &c) {
    return fbs::CreateCertificate(b, c.program_hash, c.machine_hash, c.checker_version, b.CreateVector(c.arguments));
}

Bytes token_bytes(const Program &p) {
    Bytes out;
    for (const TokenInit &t : p.tokens) out.push_back(t.initial);
    return out;
}

struct MicroTables {
    std::vector<uint16_t> lengths;
    Bytes ops;
};

MicroTables micro_tables(const Program &p) {
    MicroTables t;
    ByteWriter out;
    for (const MicroProgram &m : p.micro_programs) {
        if (m.size() > max_micro_ops) raise(Diag::program_invalid, {}, "a micro-program", "it has more than 1024 micro-ops");
        t.lengths.push_back(static_cast<uint16_t>(m.size()));
        for (const MicroOp &op : m) append_record(out, op);
    }
    t.ops = std::move(out.bytes);
    return t;
}

// ---- reading

/// Bytes of all names in a file. Offsets may share a string, so copies of it could need far more memory than the file has
/// bytes; the writer shares none.
class NameBudget {
public:
    explicit NameBudget(size_t file_bytes) : left_(file_bytes) {}

    std::string take(const fb::String &s) {
        if (s.size() > left_) malformed("names share their bytes");
        left_ -= s.size();
        return s.str();
    }

private:
    size_t left_;
};

std::span<const uint8_t> span_of(const fb::Vector<uint8_t> &v) { return {v.data(), v.size()}; }

template<typename Record>
std::vector<Record> unpacked(const fb::Vector<uint8_t> &v, const char *what) {
    const size_t size = record_bytes<Record>();
    if (v.size() % size) malformed(fmt::format("{} are {} B, a record is {} B", what, v.size(), size));
    std::vector<Record> records;
    records.reserve(v.size() / size);
    for (size_t at = 0; at < v.size(); at += size) records.push_back(read_record<Record>(span_of(v).subspan(at, size), what));
    return records;
}

std::vector<Instruction> unpacked_code(const fb::Vector<uint8_t> &v) {
    if (v.size() % instruction_bytes) malformed("the code does not end with a whole instruction");
    std::vector<Instruction> code;
    code.reserve(v.size() / instruction_bytes);
    for (size_t at = 0; at < v.size(); at += instruction_bytes)
        code.push_back(decode(span_of(v).subspan(at).first<instruction_bytes>()));
    return code;
}

std::vector<MicroProgram> unpacked_micro(const fbs::Container &c) {
    const std::vector<MicroOp> ops = unpacked<MicroOp>(*c.micro_ops(), "micro-ops");
    std::vector<MicroProgram> programs;
    size_t at = 0;
    for (const uint16_t length : *c.micro_lengths()) {
        if (length > ops.size() - at) malformed("micro-programs are longer than their micro-ops");
        programs.emplace_back(ops.begin() + at, ops.begin() + at + length);
        at += length;
    }
    if (at != ops.size()) malformed("micro-ops are left over");
    return programs;
}

/// Records of `tables`, each made by `make(table, names)`.
template<typename Table, typename Make>
auto records(const fb::Vector<fb::Offset<Table>> &tables, Make make, NameBudget &names) {
    std::vector<decltype(make(*tables[0], names))> out;
    out.reserve(tables.size());
    for (const Table *t : tables) out.push_back(make(*t, names));
    return out;
}

/// The verifier of FlatBuffers checks the alignment of a vector's length only, so 8-byte elements are taken byte by byte.
std::vector<int64_t> integers(const fb::Vector<int64_t> &v) {
    std::vector<int64_t> out(v.size());
    ByteReader in({v.Data(), v.size() * sizeof(int64_t)});
    for (int64_t &x : out) in.take(x);
    return out;
}

Region region(const fbs::Region &r, NameBudget &names) {
    return {names.take(*r.name()), static_cast<RegionKind>(r.kind()), static_cast<ElementType>(r.type()), r.dimensions(), r.bytes(),
            integers(*r.extents()), r.scale_bits(), r.zero_point()};
}

Argument argument(const fbs::Argument &a, NameBudget &names) {
    return {static_cast<ArgumentKind>(a.kind()), a.region(), a.dimension(), names.take(*a.name()), static_cast<ElementType>(a.type())};
}

BufferEntry buffer(const fbs::Buffer &b, NameBudget &names) {
    return {names.take(*b.name()), static_cast<Space>(b.space()), b.offset(), b.bytes(), b.slots(), b.used(), b.first(), b.last()};
}

DebugEntry debug(const fbs::Debug &d, NameBudget &names) { return {d.pc(), names.take(*d.stage()), names.take(*d.file()), d.line()}; }

Certificate certificate(const fbs::Certificate &c) {
    return {c.program_hash(), c.machine_hash(), c.checker_version(), integers(*c.arguments())};
}

const fbs::Container &verified(const Bytes &bytes) {
    if (bytes.size() < 16 || !fbs::ContainerBufferHasIdentifier(bytes.data())) malformed("the signature ENPU is missing");
    fb::Verifier verifier(bytes.data(), bytes.size(), max_depth, max_tables);
    if (!fbs::VerifyContainerBuffer(verifier)) malformed("an offset or size is wrong");
    const fbs::Container &c = *fbs::GetContainer(bytes.data());
    if (c.version() != container_version) malformed(fmt::format("its version is {}, this build reads {}", c.version(), container_version));
    return c;
}

Program unpack(const fbs::Container &c, NameBudget names) {
    Program p;
    p.name = c.name()->str();
    p.machine = c.machine()->str();
    p.machine_hash = c.machine_hash();
    p.code = unpacked_code(*c.code());
    p.domains = unpacked<Domain>(*c.domains(), "domains");
    p.streams = unpacked<Stream>(*c.streams(), "streams");
    p.fills = unpacked<Fill>(*c.fills(), "fills");
    p.micro_programs = unpacked_micro(c);
    for (const uint8_t initial : *c.tokens()) p.tokens.push_back({initial});
    p.regions = records(*c.regions(), region, names);
    p.arguments = records(*c.arguments(), argument, names);
    p.constants.assign(c.constants()->begin(), c.constants()->end());
    p.buffers = records(*c.buffers(), buffer, names);
    p.debug = records(*c.debug(), debug, names);
    p.certificate = certificate(*c.certificate());
    return p;
}

}  // namespace

std::vector<uint8_t> write_container(const Program &p) {
    fb::FlatBufferBuilder b(4096);
    b.ForceDefaults(true);  // equal programs give equal bytes, and every field is there to be damaged by the tests
    if (p.constants.size() > max_bytes / 2) raise(Diag::program_invalid, {}, "the program", "its constants exceed 512 MiB");
    const MicroTables micro = micro_tables(p);
    const auto name = b.CreateString(p.name), machine = b.CreateString(p.machine);
    const auto code = b.CreateVector(packed_code(p.code)), domains = b.CreateVector(packed(p.domains)),
               streams = b.CreateVector(packed(p.streams)), fills = b.CreateVector(packed(p.fills)), micro_ops = b.CreateVector(micro.ops),
               tokens = b.CreateVector(token_bytes(p)), constants = b.CreateVector(p.constants);
    const auto micro_lengths = b.CreateVector(micro.lengths);
    const auto regions = tables(b, p.regions, [&](const Region &r) {
        return fbs::CreateRegion(b, b.CreateString(r.name), static_cast<uint8_t>(r.kind), static_cast<uint8_t>(r.type), r.dimensions, r.bytes,
                                 b.CreateVector(r.extents), r.scale_bits, r.zero_point);
    });
    const auto arguments = tables(b, p.arguments, [&](const Argument &a) {
        return fbs::CreateArgument(b, static_cast<uint8_t>(a.kind), a.region, a.dimension, b.CreateString(a.name), static_cast<uint8_t>(a.type));
    });
    const auto buffers = tables(b, p.buffers, [&](const BufferEntry &e) {
        return fbs::CreateBuffer(b, b.CreateString(e.name), static_cast<uint8_t>(e.space), e.offset, e.bytes, e.slots, e.used, e.first, e.last);
    });
    const auto debug_map = tables(b, p.debug, [&](const DebugEntry &d) {
        const auto stage = b.CreateSharedString(d.stage), file = b.CreateSharedString(d.file);
        return fbs::CreateDebug(b, d.pc, stage, file, d.line);
    });
    b.Finish(fbs::CreateContainer(b, container_version, name, machine, p.machine_hash, code, domains, streams, fills, micro_lengths, micro_ops, tokens,
                                  regions, arguments, constants, buffers, debug_map, certificate(b, p.certificate)),
             fbs::ContainerIdentifier());
    return {b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()};
}

Program read_container(std::span<const uint8_t> bytes) {
    if (bytes.size() > max_bytes) malformed("it is larger than 1 GiB");
    const Bytes aligned(bytes.begin(), bytes.end());  // the caller's bytes may start at any address
    Program p = unpack(verified(aligned), NameBudget(aligned.size()));
    validate(p);
    return p;
}

}  // namespace emulsion
