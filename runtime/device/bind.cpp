#include "runtime/device/bind.h"

#include "runtime/diag/diag.h"

#include <algorithm>

namespace emulsion {

namespace {

bool is_bound(const Region &r) { return r.kind == RegionKind::input || r.kind == RegionKind::output; }

std::string type_name(halide_type_t t) {
    constexpr const char *codes[] = {"i", "u", "f", "handle", "bf"};
    return fmt::format("{}{}", codes[std::min<int>(t.code, 4)], t.bits);
}

/// Halide's bool is a byte holding 0 or 1: u8 on the machine.
std::string machine_name(halide_type_t t) { return t == halide_type_t(halide_type_uint, 1) ? "u8" : type_name(t); }

void check(const Region &region, const halide_buffer_t *buffer) {
    if (!buffer || !buffer->host) raise(Diag::buffer_null, {}, region.name);
    const std::string_view want = info(region.type).name;
    if (machine_name(buffer->type) != want || buffer->type.lanes != 1)
        raise(Diag::buffer_type, {}, region.name, type_name(buffer->type), want);
    if (buffer->dimensions != region.dimensions)
        raise(Diag::buffer_rank, {}, region.name, buffer->dimensions, region.dimensions);
    if (buffer->device_dirty()) raise(Diag::buffer_device_dirty, {}, region.name);
}

/// The bytes the buffer's elements span; `host` is the element at the mins, which is not the lowest address when a stride
/// is negative.
RegionMemory span_of(const halide_buffer_t &b) {
    int64_t lowest = 0, highest = 0;
    for (int d = 0; d < b.dimensions; d++) {
        if (b.dim[d].extent <= 0) return {};
        const int64_t reach = int64_t{b.dim[d].extent - 1} * b.dim[d].stride;
        (reach < 0 ? lowest : highest) += reach;
    }
    const int64_t bytes = b.type.bytes();
    return {{b.host + lowest * bytes, static_cast<size_t>((highest - lowest + 1) * bytes)}, -lowest * bytes};
}

int64_t buffer_argument(const Argument &a, const halide_buffer_t &b) {
    const halide_dimension_t &dim = b.dim[a.dimension];
    switch (a.kind) {
    case ArgumentKind::buffer_min: return dim.min;
    case ArgumentKind::buffer_extent: return dim.extent;
    default: return dim.stride;
    }
}

RegionMemory own(Binding &binding, std::vector<uint8_t> bytes) {
    binding.owned.push_back(std::move(bytes));  // moving the outer vector keeps the inner ones' storage
    return {binding.owned.back(), 0};
}

RegionMemory memory_of(Binding &binding, const Program &program, const Region &region) {
    if (region.kind == RegionKind::constants) return own(binding, program.constants);
    return own(binding, std::vector<uint8_t>(region.bytes));
}

}  // namespace

ElementType element_type(halide_type_t type, const std::string &name) {
    const std::string wanted = machine_name(type);
    for (int i = 0; i < static_cast<int>(std::size(element_types)); i++)
        if (element_types[i].name == wanted) return static_cast<ElementType>(i);
    raise(Diag::buffer_type, {}, name, type_name(type), "a type of the machine");
}

Binding bind_buffers(const Program &program, std::span<halide_buffer_t *const> buffers, std::span<const int64_t> scalars) {
    const size_t want_buffers = std::count_if(program.regions.begin(), program.regions.end(), is_bound);
    const size_t want_scalars = std::count_if(program.arguments.begin(), program.arguments.end(),
                                              [](const Argument &a) { return a.kind == ArgumentKind::scalar; });
    if (buffers.size() != want_buffers) raise(Diag::buffer_count, {}, program.name, want_buffers, buffers.size(), "buffers");
    if (scalars.size() != want_scalars) raise(Diag::buffer_count, {}, program.name, want_scalars, scalars.size(), "scalars");
    Binding binding;
    std::vector<const halide_buffer_t *> of_region;
    for (size_t r = 0, next = 0; r < program.regions.size(); r++) {
        const Region &region = program.regions[r];
        of_region.push_back(is_bound(region) ? buffers[next++] : nullptr);
        if (of_region[r]) check(region, of_region[r]);
        else if (is_bound(region)) raise(Diag::buffer_null, {}, region.name);
        binding.regions.push_back(of_region[r] ? span_of(*of_region[r]) : memory_of(binding, program, region));
    }
    size_t next_scalar = 0;
    for (const Argument &a : program.arguments)
        binding.arguments.push_back(a.kind == ArgumentKind::scalar ? scalars[next_scalar++]
                                                                   : buffer_argument(a, *of_region[a.region]));
    return binding;
}

Binding bind_buffers(const Program &program, const std::map<std::string, halide_buffer_t *> &buffers,
             const std::map<std::string, int64_t> &scalars) {
    std::vector<halide_buffer_t *> ordered;
    for (const Region &r : program.regions) {
        if (!is_bound(r)) continue;
        auto it = buffers.find(r.name);
        if (it == buffers.end()) raise(Diag::buffer_missing, {}, program.name, r.name, "buffer");
        ordered.push_back(it->second);
    }
    std::vector<int64_t> values;
    for (const Argument &a : program.arguments) {
        if (a.kind != ArgumentKind::scalar) continue;
        auto it = scalars.find(a.name);
        if (it == scalars.end()) raise(Diag::buffer_missing, {}, program.name, a.name, "scalar");
        values.push_back(it->second);
    }
    return bind_buffers(program, ordered, values);
}

}  // namespace emulsion
