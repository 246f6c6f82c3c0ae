// The larger element of two tensors: out = max(a, b). Shapes and broadcasting: elementwise.h.
//
// Exact. Quantised tensors need equal scale and zero point, as in TFLite's reference MAXIMUM.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Maximum : public Elementwise<Maximum> {
public:
    static constexpr const char *says = "The larger element of two tensors.";

    void generate() { out(index()) = max(a_value(), b_value()); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Maximum, maximum)
