// The smaller element of two tensors: out = min(a, b). Shapes and broadcasting: elementwise.h.
//
// Exact. Quantised tensors need equal scale and zero point, as in TFLite's reference MINIMUM.
#include "generators/elementwise.h"

namespace emulsion::generators {

class Minimum : public Elementwise<Minimum> {
public:
    static constexpr const char *says = "The smaller element of two tensors.";

    void generate() { out(index()) = min(a_value(), b_value()); }
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Minimum, minimum)
