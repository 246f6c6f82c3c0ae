// acc (+)= (a - za) * (b - zb), points in order. Loops may be exchanged as long as each accumulator element meets its terms in
// domain order, so a dense output dimension runs innermost.
#include "runtime/emulator/semantics.h"
#include "runtime/isa/float16.h"

namespace emulsion {
namespace {

struct Half { uint16_t bits; };
struct Brain { uint16_t bits; };

template<typename T> auto widen(T v) { return static_cast<int32_t>(v); }
inline float widen(float v) { return v; }
inline float widen(Half v) { return f16_to_f32(v.bits); }
inline float widen(Brain v) { return bf16_to_f32(v.bits); }

/// The dimension to run innermost: one that moves the accumulator densely, else 0, which keeps domain order as it is.
int inner_dimension(const Dispatched &d) {
    for (int k = 0; k < d.rank; k++)
        if (d.stream[0].stride[k] == 4 && d.extent[k] > 1) return k;
    return 0;
}

template<typename A, typename B, typename Acc>
void run(const Dispatched &d, const Window &acc, const Window &a, const Window &b, Acc za, Acc zb) {
    const int inner = inner_dimension(d);
    Dispatched outer = d;
    outer.extent[inner] = 1;
    const int64_t n = d.extent[inner], sc = d.stream[0].stride[inner], sa = d.stream[1].stride[inner], sb = d.stream[2].stride[inner];
    for_each_point(outer, [&](const auto &, const std::vector<int64_t> &at) {
        uint8_t *c = acc.data + at[0];
        const uint8_t *pa = a.data + at[1], *pb = b.data + at[2];
        auto term = [&](int64_t k) {
            A x;
            B y;
            std::memcpy(&x, pa + k * sa, sizeof x);
            std::memcpy(&y, pb + k * sb, sizeof y);
            const Acc p = static_cast<Acc>(widen(x)) - za, q = static_cast<Acc>(widen(y)) - zb;
            if constexpr (std::is_integral_v<Acc>) return static_cast<uint32_t>(p) * static_cast<uint32_t>(q);
            else return p * q;
        };
        using Sum = std::conditional_t<std::is_integral_v<Acc>, uint32_t, Acc>;
        if (sc == 0) {
            Sum sum;
            std::memcpy(&sum, c, 4);
            for (int64_t k = 0; k < n; k++) sum += term(k);
            std::memcpy(c, &sum, 4);
            return;
        }
        for (int64_t k = 0; k < n; k++) {
            Sum sum;
            std::memcpy(&sum, c + k * sc, 4);
            sum += term(k);
            std::memcpy(c + k * sc, &sum, 4);
        }
    });
}

template<typename A>
bool run_integer(const Dispatched &d, const Window &c, const Window &a, const Window &b, int32_t za, int32_t zb) {
    switch (d.stream[2].type) {
    case ElementType::i8: return run<A, int8_t, int32_t>(d, c, a, b, za, zb), true;
    case ElementType::u8: return run<A, uint8_t, int32_t>(d, c, a, b, za, zb), true;
    case ElementType::i16: return run<A, int16_t, int32_t>(d, c, a, b, za, zb), true;
    case ElementType::u16: return run<A, uint16_t, int32_t>(d, c, a, b, za, zb), true;
    default: return false;
    }
}

bool run_typed(const Dispatched &d, const Window &c, const Window &a, const Window &b, int32_t za, int32_t zb) {
    const ElementType ta = d.stream[1].type, tb = d.stream[2].type;
    if (info(ta).is_float) {
        if (ta != tb || d.stream[0].type != ElementType::f32) return false;
        if (ta == ElementType::f32) return run<float, float, float>(d, c, a, b, 0, 0), true;
        if (ta == ElementType::f16) return run<Half, Half, float>(d, c, a, b, 0, 0), true;
        return run<Brain, Brain, float>(d, c, a, b, 0, 0), true;
    }
    if (d.stream[0].type != ElementType::i32) return false;
    switch (ta) {
    case ElementType::i8: return run_integer<int8_t>(d, c, a, b, za, zb);
    case ElementType::u8: return run_integer<uint8_t>(d, c, a, b, za, zb);
    case ElementType::i16: return run_integer<int16_t>(d, c, a, b, za, zb);
    case ElementType::u16: return run_integer<uint16_t>(d, c, a, b, za, zb);
    default: return false;
    }
}

// Every accumulator element of the operation, once: reduced dimensions do not move it.
template<typename F>
void for_each_accumulator(const Dispatched &d, F f) {
    Dispatched once = d;
    for (int k = 0; k < d.rank; k++)
        if (d.stream[0].stride[k] == 0) once.extent[k] = 1;
    for_each_point(once, [&](const auto &, const std::vector<int64_t> &at) { f(at[0]); });
}

}  // namespace

void execute_contract(const Dispatched &d, Memory &m) {
    require_operands(d, m, 3);
    if (d.empty) return;
    const Window acc = m.window(d, 0), a = m.window(d, 1), b = m.window(d, 2);
    if (m.sanitizing()) {
        for_each_point(d, [&](const auto &, const std::vector<int64_t> &at) {
            check_written(a, at[1], info(d.stream[1].type).bytes, d, m.program(), "operand a");
            check_written(b, at[2], info(d.stream[2].type).bytes, d, m.program(), "operand b");
        });
    }
    for_each_accumulator(d, [&](int64_t at) {
        if (d.overwrite) write<int32_t>(acc, at, 0);
        else if (acc.written) check_written(acc, at, 4, d, m.program(), "the accumulator");
    });
    const auto za = static_cast<int16_t>(d.insn->imm & 0xffff), zb = static_cast<int16_t>(d.insn->imm >> 16);
    if (!run_typed(d, acc, a, b, za, zb))
        raise(Diag::types_illegal, place_of(m.program(), d.pc), std::string("contract"),
              fmt::format("{} x {} into {}", info(d.stream[1].type).name, info(d.stream[2].type).name, info(d.stream[0].type).name));
}

}  // namespace emulsion
