// Comparisons give u8 lanes of 0 or 1; select reads such a lane.
#include "runtime/emulator/micro_ops/block.h"

#include <cmath>

namespace emulsion::micro {
namespace {

struct Equal {
    template<typename T> uint8_t operator()(T a, T b) const { return a == b; }
};
struct NotEqual {
    template<typename T> uint8_t operator()(T a, T b) const { return a != b; }
};
struct Less {
    template<typename T> uint8_t operator()(T a, T b) const { return a < b; }
};
struct LessEqual {
    template<typename T> uint8_t operator()(T a, T b) const { return a <= b; }
};
struct IsNan {
    template<std::floating_point T> uint8_t operator()(T a) const { return std::isnan(a); }
};

template<ElementType E>
void select_loop(const Block &x, Lanes &out) {
    using T = Lane<E>;
    const uint8_t *a = x.a<uint8_t>();
    const T *b = x.b<T>(), *c = x.c<T>();
    T *__restrict r = out.as<T>();
    for (int k = 0; k < x.lanes(); k++) r[k] = a[k] ? b[k] : c[k];
}

}  // namespace

EMULSION_BIND_BY_TYPE(eq, Equal)
EMULSION_BIND_BY_TYPE(ne, NotEqual)
EMULSION_BIND_BY_TYPE(lt, Less)
EMULSION_BIND_BY_TYPE(le, LessEqual)
EMULSION_BIND_BY_TYPE(is_nan, IsNan)

LaneFunction bind_select(const MicroOp &op) {
    static constexpr LaneFunction loops[] = {
#define X(name, bytes, is_signed, is_float) select_loop<ElementType::name>,
        EMULSION_ELEMENT_TYPES(X)
#undef X
    };
    return loops[static_cast<int>(op.type)];
}

}  // namespace emulsion::micro
