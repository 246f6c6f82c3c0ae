#include "runtime/emulator/insns/contract_loops.h"

#include <algorithm>

namespace emulsion {
namespace {

constexpr int64_t panel_align = 16;  // values; a panel row is padded with zeros, so its dot products have no tail
constexpr int64_t row_chunk = 64;    // rows gathered at a time: a chunk stays in the host's cache

/// What an index does: reduce leaves acc alone; row moves a, column moves b; group moves both.
enum class Part { reduce, row, column, group };

Part part_of(const Dispatched &d, int dim) {
    if (d.stream[0].stride[dim] == 0) return Part::reduce;
    if (d.stream[2].stride[dim] == 0) return Part::row;
    return d.stream[1].stride[dim] == 0 ? Part::column : Part::group;
}

/// Byte offsets of the indices of one part, in each operand.
struct Offsets {
    std::vector<int64_t> acc{0}, a{0}, b{0};

    int64_t size() const { return static_cast<int64_t>(acc.size()); }
    void append(const Dispatched &d, int dim) {
        const auto grow = [&](std::vector<int64_t> &list, int64_t stride) {
            const size_t n = list.size();
            for (int64_t i = 1; i < d.extent[dim]; i++)
                for (size_t k = 0; k < n; k++) list.push_back(list[k] + i * stride);
        };
        grow(acc, d.stream[0].stride[dim]);
        grow(a, d.stream[1].stride[dim]);
        grow(b, d.stream[2].stride[dim]);
    }
};

bool fits_16_bits(ElementType type, int32_t zero) {
    const int bits = 8 * info(type).bytes;
    const int32_t lo = info(type).is_signed ? -(1 << (bits - 1)) : 0, hi = info(type).is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return lo - zero >= INT16_MIN && hi - zero <= INT16_MAX;
}

using Gather = void (*)(int16_t *, const uint8_t *, const std::vector<int64_t> &, int16_t);

template<typename T>
void gather(int16_t *row, const uint8_t *from, const std::vector<int64_t> &offset, int16_t zero) {
    for (size_t k = 0; k < offset.size(); k++) {
        T v;
        std::memcpy(&v, from + offset[k], sizeof v);
        row[k] = static_cast<int16_t>(v - zero);
    }
}

Gather gather_for(ElementType type) {
    constexpr std::pair<ElementType, Gather> rows[] = {
        {ElementType::i8, gather<int8_t>}, {ElementType::u8, gather<uint8_t>}, {ElementType::i16, gather<int16_t>}, {ElementType::u16, gather<uint16_t>}};
    for (const auto &[t, f] : rows)
        if (t == type) return f;
    return nullptr;
}

/// One dot product of each of `columns` panel rows with `a`; sums wrap.
void dot_rows(const int16_t *a, const int16_t *b, int64_t length, uint32_t *sums, int64_t columns) {
    for (int64_t n = 0; n < columns; n++, b += length) {
        uint32_t sum = 0;
        for (int64_t k = 0; k < length; k++) sum += static_cast<uint32_t>(int32_t{a[k]} * int32_t{b[k]});
        sums[n] = sum;
    }
}

class Panels {
public:
    explicit Panels(const Contraction &c) : c_(c) {
        for (int dim = 0; dim < c.d.rank; dim++) parts_[static_cast<int>(part_of(c.d, dim))].append(c.d, dim);
        length_ = (part(Part::reduce).size() + panel_align - 1) / panel_align * panel_align;
        columns_.resize(part(Part::column).size() * length_);
        rows_.resize(std::min(row_chunk, part(Part::row).size()) * length_);
        sums_.resize(part(Part::column).size());
    }

    void run() {
        const Offsets &groups = part(Part::group), &columns = part(Part::column), &rows = part(Part::row);
        for (int64_t g = 0; g < groups.size(); g++) {
            pack(columns_, c_.d.stream[2], c_.b.data + groups.b[g], columns.b, 0, columns.size(), part(Part::reduce).b, c_.zb);
            for (int64_t first = 0; first < rows.size(); first += row_chunk) {
                const int64_t end = std::min(first + row_chunk, rows.size());
                pack(rows_, c_.d.stream[1], c_.a.data + groups.a[g], rows.a, first, end, part(Part::reduce).a, c_.za);
                for (int64_t r = first; r < end; r++) add_row(&rows_[(r - first) * length_], groups.acc[g] + rows.acc[r]);
            }
        }
    }

private:
    const Offsets &part(Part p) const { return parts_[static_cast<int>(p)]; }

    void pack(std::vector<int16_t> &panel, const ResolvedStream &s, const uint8_t *data, const std::vector<int64_t> &starts, int64_t first,
              int64_t end, const std::vector<int64_t> &reduce, int16_t zero) const {
        const Gather gather_row = gather_for(s.type);
        for (int64_t r = first; r < end; r++) gather_row(&panel[(r - first) * length_], data + s.base + starts[r], reduce, zero);
    }

    void add_row(const int16_t *row, int64_t at) {
        const Offsets &columns = part(Part::column);
        dot_rows(row, columns_.data(), length_, sums_.data(), columns.size());
        uint8_t *acc = c_.acc.data + c_.d.stream[0].base + at;
        for (int64_t n = 0; n < columns.size(); n++) {
            uint32_t sum;
            std::memcpy(&sum, acc + columns.acc[n], sizeof sum);
            sum += sums_[n];
            std::memcpy(acc + columns.acc[n], &sum, sizeof sum);
        }
    }

    const Contraction &c_;
    std::array<Offsets, 4> parts_;
    int64_t length_ = 0;
    std::vector<int16_t> columns_, rows_;
    std::vector<uint32_t> sums_;
};

}  // namespace

bool contract_in_panels(const Contraction &c) {
    std::array<int64_t, 4> points{1, 1, 1, 1};
    for (int dim = 0; dim < c.d.rank; dim++) points[static_cast<int>(part_of(c.d, dim))] *= c.d.extent[dim];
    const auto count = [&](Part p) { return points[static_cast<int>(p)]; };
    // Gathering costs about as much as four products, so each gathered value has to serve several.
    if (count(Part::row) < 4 || count(Part::column) < 4 || count(Part::reduce) < 4) return false;
    if (!fits_16_bits(c.d.stream[1].type, c.za) || !fits_16_bits(c.d.stream[2].type, c.zb)) return false;
    Panels(c).run();
    return true;
}

}  // namespace emulsion
