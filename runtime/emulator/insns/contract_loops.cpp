#include "runtime/emulator/insns/contract_loops.h"

#include "runtime/emulator/micro_ops/blocking.h"
#include "runtime/emulator/micro_ops/lanes.h"

#include <algorithm>
#include <cstdlib>

namespace emulsion {
namespace {

using micro::Element;

/// Integer terms and sums wrap; float terms are rounded to f32, and so is each sum.
template<ElementType E>
struct Operand {
    using Stored = typename Element<E>::Stored;
    static auto value(Stored v, [[maybe_unused]] int16_t zero) {
        if constexpr (info(E).is_float) return Element<E>::from_stored(v);
        else return static_cast<int32_t>(v) - zero;
    }
};

inline uint32_t term(int32_t a, int32_t b) { return static_cast<uint32_t>(a) * static_cast<uint32_t>(b); }
inline float term(float a, float b) { return a * b; }

template<typename T>
T get(const uint8_t *p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// A step that the compiler knows, or one it does not: 0 and one element are what vectorises.
template<int64_t step>
struct Fixed {
    constexpr operator int64_t() const { return step; }
};

template<ElementType A, ElementType B, typename StepC, typename StepA, typename StepB>
void inner_loop(uint8_t *c, const uint8_t *a, const uint8_t *b, int64_t n, StepC sc, StepA sa, StepB sb, int16_t za, int16_t zb) {
    using StoredA = typename Operand<A>::Stored;
    using StoredB = typename Operand<B>::Stored;
    using Sum = decltype(term(Operand<A>::value({}, 0), Operand<B>::value({}, 0)));
    const auto product = [&](int64_t k) {
        return term(Operand<A>::value(get<StoredA>(a + k * sa), za), Operand<B>::value(get<StoredB>(b + k * sb), zb));
    };
    if constexpr (std::is_same_v<StepC, Fixed<0>>) {
        Sum sum = get<Sum>(c);
        for (int64_t k = 0; k < n; k++) sum += product(k);
        std::memcpy(c, &sum, sizeof sum);
    } else {
        for (int64_t k = 0; k < n; k++) {
            const Sum sum = get<Sum>(c + k * sc) + product(k);
            std::memcpy(c + k * sc, &sum, sizeof sum);
        }
    }
}

/// The dimension to run innermost: a dense one that leaves each float sum in order, else index 0.
int inner_dimension(const Dispatched &d, bool any_order) {
    const auto dense = [&](int k, int dim) { return d.stream[k].stride[dim] == 0 || d.stream[k].stride[dim] == info(d.stream[k].type).bytes; };
    int best = 0;
    int64_t best_score = -1;
    for (int dim = 0; dim < d.rank; dim++) {
        if (d.extent[dim] < 2) continue;
        if (dim != 0 && !any_order && !micro::address_tells(d, d.stream[0], 4, dim)) continue;
        const int64_t score = (dense(0, dim) + dense(1, dim) + dense(2, dim)) * 64 + std::min<int64_t>(d.extent[dim], 64);
        if (score > best_score) best = dim, best_score = score;
    }
    return best;
}

/// Sums that wrap may meet their terms in any order, unless sums lie across each other.
bool any_order(const Dispatched &d) {
    if (info(d.stream[0].type).is_float) return false;
    return std::all_of(d.stream[0].stride.begin(), d.stream[0].stride.end(), [](int64_t stride) { return stride % 4 == 0; });
}

template<ElementType A, ElementType B>
void run(const Contraction &c) {
    const Dispatched &d = c.d;
    const bool free = any_order(d);
    if (free && contract_in_panels(c)) return;
    constexpr int64_t bytes_a = info(A).bytes, bytes_b = info(B).bytes;
    const int inner = inner_dimension(d, free);
    const int64_t n = d.extent[inner], sc = d.stream[0].stride[inner], sa = d.stream[1].stride[inner], sb = d.stream[2].stride[inner];
    Dispatched outer = d;
    outer.extent[inner] = 1;
    const auto over_rows = [&](auto step_c, auto step_a, auto step_b) {
        for_each_point(outer, [&](const auto &, const std::vector<int64_t> &at) {
            inner_loop<A, B>(c.acc.data + at[0], c.a.data + at[1], c.b.data + at[2], n, step_c, step_a, step_b, c.za, c.zb);
        });
    };
    if (sc == 4 && sa == 0 && sb == bytes_b) over_rows(Fixed<4>{}, Fixed<0>{}, Fixed<bytes_b>{});
    else if (sc == 4 && sa == bytes_a && sb == 0) over_rows(Fixed<4>{}, Fixed<bytes_a>{}, Fixed<0>{});
    else if (sc == 4 && sa == bytes_a && sb == bytes_b) over_rows(Fixed<4>{}, Fixed<bytes_a>{}, Fixed<bytes_b>{});
    else if (sc == 0 && sa == bytes_a && sb == bytes_b) over_rows(Fixed<0>{}, Fixed<bytes_a>{}, Fixed<bytes_b>{});
    else if (sc == 0) over_rows(Fixed<0>{}, sa, sb);
    else over_rows(sc, sa, sb);
}

struct Row {
    ElementType acc, a, b;
    ContractLoop loop;
};

#define INTEGER_ROWS(a)                                                                                                       \
    {ElementType::i32, ElementType::a, ElementType::i8, run<ElementType::a, ElementType::i8>},                                \
        {ElementType::i32, ElementType::a, ElementType::u8, run<ElementType::a, ElementType::u8>},                            \
        {ElementType::i32, ElementType::a, ElementType::i16, run<ElementType::a, ElementType::i16>},                          \
        {ElementType::i32, ElementType::a, ElementType::u16, run<ElementType::a, ElementType::u16>}
#define FLOAT_ROW(a) {ElementType::f32, ElementType::a, ElementType::a, run<ElementType::a, ElementType::a>}

constexpr Row rows[] = {INTEGER_ROWS(i8), INTEGER_ROWS(u8), INTEGER_ROWS(i16), INTEGER_ROWS(u16),
                        FLOAT_ROW(f32),   FLOAT_ROW(f16),   FLOAT_ROW(bf16)};

}  // namespace

ContractLoop contract_loop(ElementType acc, ElementType a, ElementType b) {
    for (const Row &row : rows)
        if (row.acc == acc && row.a == a && row.b == b) return row.loop;
    return nullptr;
}

}  // namespace emulsion
