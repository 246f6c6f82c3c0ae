// Options of one operator: a FlatBuffers table whose fields are read by their number in the format's schema.
#pragma once
#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <span>
#include <vector>

namespace emulsion::graph::tflite {

class OptionReader {
public:
    /// table null: every field has its default.
    OptionReader(const flatbuffers::Table *table, std::span<const uint8_t> file) : table_(table), file_(file) {}

    int64_t integer8(int field, int64_t otherwise = 0) const { return read<int8_t>(field, static_cast<int8_t>(otherwise)); }
    int64_t integer32(int field, int64_t otherwise = 0) const { return read<int32_t>(field, static_cast<int32_t>(otherwise)); }
    bool boolean(int field) const { return read<uint8_t>(field, 0) != 0; }
    float real(int field, float otherwise = 0) const { return read<float>(field, otherwise); }
    /// A vector of int32. Raises EM701 when it lies outside the file.
    std::vector<int64_t> integers(int field) const;

private:
    const flatbuffers::Table *table_;
    std::span<const uint8_t> file_;

    /// Address of the field if it is there; raises EM701 when `bytes` from it leave the file.
    const uint8_t *field(int number, size_t bytes) const;
    template<typename T>
    T read(int number, T otherwise) const {
        const uint8_t *at = field(number, sizeof(T));
        return at ? flatbuffers::ReadScalar<T>(at) : otherwise;
    }
};

}  // namespace emulsion::graph::tflite
