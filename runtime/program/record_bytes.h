// Byte layout of the fixed-size records: fields in the order of record_fields.h, little endian, packed; enumerations and
// booleans are one byte, Scalar is imm (8 bytes) then reg, BaseTerm is scale (8) then reg. A record is padded with zeros to
// a multiple of 16 bytes; the padding is reserved. A micro-op starts with its opcode.
#pragma once
#include "runtime/diag/diag.h"
#include "runtime/program/record_fields.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace emulsion {

class ByteWriter {
public:
    template<typename T>
    void operator()(const char *, const T &value) { put(value); }

    template<typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
    void put(T value) {
        for (size_t k = 0; k < sizeof(T); k++) bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * k)));
    }
    void put(const Scalar &s) { put(s.imm), put(s.reg); }
    void put(const BaseTerm &t) { put(t.scale), put(t.reg); }
    template<typename T, size_t N>
    void put(const std::array<T, N> &values) {
        for (const T &v : values) put(v);
    }
    void pad() { bytes.resize((bytes.size() + 15) / 16 * 16); }

    std::vector<uint8_t> bytes;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    template<typename T>
    void operator()(const char *, T &value) { take(value); }

    template<typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
    void take(T &value) {
        uint64_t v = 0;
        for (size_t k = 0; k < sizeof(T); k++) v |= uint64_t{bytes_[at_++]} << (8 * k);
        value = static_cast<T>(v);
    }
    void take(bool &value) {
        uint8_t v = 0;
        take(v);
        value = v != 0;
    }
    void take(Scalar &s) { take(s.imm), take(s.reg); }
    void take(BaseTerm &t) { take(t.scale), take(t.reg); }
    template<typename T, size_t N>
    void take(std::array<T, N> &values) {
        for (T &v : values) take(v);
    }

private:
    std::span<const uint8_t> bytes_;
    size_t at_ = 0;
};

template<typename Record, typename Codec>
void visit_record(Codec &codec, Record &record) {
    if constexpr (std::is_same_v<std::remove_const_t<Record>, MicroOp>) codec("op", record.op);
    Fields<std::remove_const_t<Record>>::each(codec, record);
}

template<typename Record>
void append_record(ByteWriter &out, const Record &record) {
    visit_record(out, record);
    out.pad();
}

/// Size of one record [bytes].
template<typename Record>
size_t record_bytes() {
    ByteWriter w;
    append_record(w, Record{});
    return w.bytes.size();
}

/// The record in exactly record_bytes<Record>() bytes. Raises EM113 for reserved bits that are set; `what` names the table.
template<typename Record>
Record read_record(std::span<const uint8_t> bytes, const char *what) {
    Record record;
    ByteReader in(bytes);
    visit_record(in, record);
    ByteWriter again;
    append_record(again, record);
    if (!std::equal(again.bytes.begin(), again.bytes.end(), bytes.begin(), bytes.end())) raise(Diag::encoding_reserved, {}, what);
    return record;
}

}  // namespace emulsion
