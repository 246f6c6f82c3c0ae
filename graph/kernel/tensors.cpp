#include "graph/kernel/tensors.h"

#include "runtime/diag/diag.h"

#include <cstring>

namespace emulsion::graph {
Halide::Type halide_type(ElementType t) {
    const ElementTypeInfo &i = info(t);
    if (t == ElementType::bf16) return Halide::BFloat(16);
    if (i.is_float) return Halide::Float(8 * i.bytes);
    return i.is_signed ? Halide::Int(8 * i.bytes) : Halide::UInt(8 * i.bytes);
}

namespace {

/// Calls copy(offset in the value [elements], offset in the dense box [elements], run [elements]) for every row of the box.
template<typename Copy>
void for_each_row(const KernelArgument &a, Copy copy) {
    std::vector<int64_t> stride = a.strides;
    if (stride.empty()) {
        int64_t s = 1;
        for (int e : a.extents) stride.push_back(s), s *= e;
    }
    int64_t elements = 1;
    for (int e : a.extents) elements *= e;
    const int64_t row = !a.extents.empty() && stride[0] == 1 ? a.extents[0] : 1;
    std::vector<int> at(a.extents.size(), 0);
    for (int64_t done = 0; done < elements; done += row) {
        int64_t from = a.offset;
        for (size_t d = 0; d < at.size(); d++) from += at[d] * stride[d];
        copy(from, done, row);
        for (size_t d = row == 1 ? 0 : 1; d < at.size(); d++) {
            if (++at[d] < a.extents[d]) break;
            at[d] = 0;
        }
    }
}

void check_range(const KernelArgument &a, int64_t first, int64_t run, size_t bytes) {
    const int64_t width = info(a.type).bytes;
    if (first < 0 || (first + run) * width > static_cast<int64_t>(bytes))
        raise(Diag::internal_error, {.stage = "kernel call"}, "graph/model",
              fmt::format("argument \"{}\" reaches element {} of {} B", a.name, first + run - 1, bytes));
}

}  // namespace

int64_t byte_size(const Value &v) { return bytes_of(v.type, element_count(extents_of(v.shape, v.name))); }

Halide::Buffer<> empty_buffer(const KernelArgument &a) {
    Halide::Buffer<> b(halide_type(a.type), a.extents);
    std::memset(b.data(), 0, b.size_in_bytes());
    return b;
}

Halide::Buffer<> gather(const KernelArgument &a, const std::vector<uint8_t> &bytes) {
    Halide::Buffer<> b(halide_type(a.type), a.extents);
    const int64_t width = info(a.type).bytes;
    for_each_row(a, [&](int64_t from, int64_t to, int64_t run) {
        check_range(a, from, run, bytes.size());
        std::memcpy(static_cast<uint8_t *>(b.data()) + to * width, bytes.data() + from * width, run * width);
    });
    return b;
}

void scatter(const KernelArgument &a, const Halide::Buffer<> &b, std::vector<uint8_t> &bytes) {
    const int64_t width = info(a.type).bytes;
    for_each_row(a, [&](int64_t to, int64_t from, int64_t run) {
        check_range(a, to, run, bytes.size());
        std::memcpy(bytes.data() + to * width, static_cast<const uint8_t *>(b.data()) + from * width, run * width);
    });
}

}  // namespace emulsion::graph
