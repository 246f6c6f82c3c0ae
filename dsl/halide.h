// Stock Halide behind one header: the only place that names its version.
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <Halide.h>
#pragma GCC diagnostic pop

// Another version may change pass names, IR nodes or numerics: run tests/npu_backend/lower before raising this.
static_assert(HALIDE_VERSION_MAJOR == 21 && HALIDE_VERSION_MINOR == 0, "Emulsion is written against Halide 21.0");
