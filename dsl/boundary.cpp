#include "dsl/boundary.h"

#include <limits>

namespace emulsion::boundary {

namespace {

/// The marker form: `mapped` reads the source at the rule's coordinates; the marker adds mode, value and box, so that the
/// backend need not recognise the rule in simplified index arithmetic.
Halide::Func fill(const char *mode, const Halide::Func &mapped, const Halide::Expr &value, const Region &box) {
    std::vector<Halide::Expr> args{value, mapped.value()};
    for (int d = 0; d < mapped.dimensions(); d++) {
        const bool bound = d < static_cast<int>(box.size()) && box[d].min.defined();
        args.push_back(mapped.args()[d]);
        args.push_back(bound ? box[d].min : Halide::Expr(std::numeric_limits<int32_t>::min()));
        args.push_back(bound ? box[d].min + box[d].extent : Halide::Expr(std::numeric_limits<int32_t>::max()));
    }
    Halide::Func filled(mode);
    filled(mapped.args()) = Halide::Internal::Call::make(mapped.type(), std::string("emulsion.fill.") + mode, args,
                                                         Halide::Internal::Call::PureExtern);
    return filled;
}

Halide::Func choose(const char *mode, const Halide::Func &mapped, const Region &box, Form form) {
    return form == Form::plain ? mapped : fill(mode, mapped, Halide::Internal::make_zero(mapped.type()), box);
}

}  // namespace

Halide::Func constant_exterior(Halide::Func source, Halide::Expr value, const Region &box, Form form) {
    value = Halide::cast(source.type(), value);
    if (form == Form::plain) return Halide::BoundaryConditions::constant_exterior(source, value, box);
    // repeat_edge keeps the coordinates that the load really reads inside the box.
    return fill("constant_exterior", Halide::BoundaryConditions::repeat_edge(source, box), value, box);
}

Halide::Func repeat_edge(Halide::Func source, const Region &box, Form form) {
    return choose("repeat_edge", Halide::BoundaryConditions::repeat_edge(source, box), box, form);
}

Halide::Func repeat_image(Halide::Func source, const Region &box, Form form) {
    return choose("repeat_image", Halide::BoundaryConditions::repeat_image(source, box), box, form);
}

Halide::Func mirror_image(Halide::Func source, const Region &box, Form form) {
    return choose("mirror_image", Halide::BoundaryConditions::mirror_image(source, box), box, form);
}

Halide::Func mirror_interior(Halide::Func source, const Region &box, Form form) {
    return choose("mirror_interior", Halide::BoundaryConditions::mirror_interior(source, box), box, form);
}

}  // namespace emulsion::boundary
