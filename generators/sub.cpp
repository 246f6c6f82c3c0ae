// Difference of two tensors: out = a - b. Shapes and broadcasting: elementwise.h; quantised numerics: sum.h.
#include "generators/sum.h"

namespace emulsion::generators {

class Sub : public Sum<Sub, -1> {
public:
    static constexpr const char *says = "Difference of two tensors, plain or quantised.";
};

}  // namespace emulsion::generators

EMULSION_REGISTER_GENERATOR(emulsion::generators::Sub, sub)
