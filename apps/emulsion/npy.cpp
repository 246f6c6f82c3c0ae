#include "apps/emulsion/npy.h"

#include "apps/emulsion/request.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <cstring>
#include <fmt/ranges.h>
#include <regex>

namespace emulsion::command {

namespace {

struct DtypeRow {
    const char *dtype;
    halide_type_t type;
};
const DtypeRow dtypes[] = {
    {"|i1", {halide_type_int, 8}},   {"|u1", {halide_type_uint, 8}},  {"<i2", {halide_type_int, 16}},
    {"<u2", {halide_type_uint, 16}}, {"<i4", {halide_type_int, 32}},  {"<u4", {halide_type_uint, 32}},
    {"<i8", {halide_type_int, 64}},  {"<u8", {halide_type_uint, 64}}, {"<f2", {halide_type_float, 16}},
    {"<f4", {halide_type_float, 32}}, {"<f8", {halide_type_float, 64}}, {"|b1", {halide_type_uint, 1}},
};
constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
constexpr size_t prefix = 10;  ///< magic, then the header's length in two bytes

[[noreturn]] void refuse(const std::string &path, const std::string &reason) {
    raise(Diag::tensor_file_broken, {}, path, reason);
}

halide_type_t type_of_dtype(const std::string &path, const std::string &dtype) {
    for (const DtypeRow &row : dtypes)
        if (row.dtype == dtype) return row.type;
    refuse(path, fmt::format("dtype {} is not supported", dtype));
}

std::string dtype_of_type(const std::string &path, halide_type_t type) {
    for (const DtypeRow &row : dtypes)
        if (row.type == type) return row.dtype;
    refuse(path, "NumPy has no such type");
}

std::vector<int> parse_shape(const std::string &text) {
    std::vector<int> shape;
    const std::regex number("[0-9]+");
    for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
        shape.push_back(static_cast<int>(std::min<int64_t>(std::stoll(it->str().substr(0, 18)), INT32_MAX)));
    std::reverse(shape.begin(), shape.end());
    return shape;
}

std::string field(const std::string &path, const std::string &header, const std::string &pattern) {
    std::smatch match;
    if (!std::regex_search(header, match, std::regex(pattern))) refuse(path, "the header lacks a field");
    return match[1];
}

/// Dimension 0 innermost and no gaps: what the file holds.
Halide::Buffer<> dense_copy(const Halide::Buffer<> &buffer) {
    std::vector<int> extents, mins;
    for (int d = 0; d < buffer.dimensions(); d++) {
        extents.push_back(buffer.dim(d).extent());
        mins.push_back(buffer.dim(d).min());
    }
    Halide::Buffer<> copy(buffer.type(), extents);
    copy.set_min(mins);
    copy.copy_from(buffer);
    return copy;
}

}  // namespace

Halide::Buffer<> read_npy(const std::string &path) { return parse_npy(path, read_file(path)); }

Halide::Buffer<> parse_npy(const std::string &path, std::span<const uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (!text.starts_with(magic) || bytes.size() < prefix) refuse(path, "not a NumPy file of version 1.0");
    const size_t header_bytes = bytes[8] | bytes[9] << 8;
    if (bytes.size() < prefix + header_bytes) refuse(path, "the header is cut off");
    const std::string header(text.substr(prefix, header_bytes));
    if (field(path, header, "'fortran_order': *(True|False)") == "True") refuse(path, "Fortran order is not supported");
    const halide_type_t type = type_of_dtype(path, field(path, header, "'descr': *'([^']*)'"));
    const std::vector<int> shape = parse_shape(field(path, header, "'shape': *\\(([^)]*)\\)"));
    double elements = 1;
    for (int extent : shape) elements *= extent;
    if (elements * type.bytes() != static_cast<double>(bytes.size() - prefix - header_bytes))
        refuse(path, "data and shape differ in size");
    Halide::Buffer<> buffer(type, shape);
    std::memcpy(buffer.data(), bytes.data() + prefix + header_bytes, buffer.size_in_bytes());
    return buffer;
}

void write_npy(const std::string &path, const Halide::Buffer<> &buffer) {
    const Halide::Buffer<> dense = dense_copy(buffer);
    std::string shape;
    for (int d = dense.dimensions() - 1; d >= 0; d--) shape += fmt::format("{}, ", dense.dim(d).extent());
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                     dtype_of_type(path, dense.type()), shape);
    while ((prefix + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string file(magic);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    file.append(static_cast<const char *>(dense.data()), dense.size_in_bytes());
    write_file(path, file);
}

}  // namespace emulsion::command
