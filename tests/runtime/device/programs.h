// Hand-made programs: small enough to check by eye.
#pragma once
#include "runtime/isa/target_desc.h"
#include "runtime/program/program.h"

namespace emulsion::device_test {

/// out[i] = in[i] for all i: u8, one dimension, extents and strides from the buffers.
///   arguments: extent of out, stride of in, stride of out
Program symbolic_copy();

/// The same for `extent` dense elements, without arguments.
Program fixed_copy(int extent);

/// Target of both.
TargetDesc target();

}  // namespace emulsion::device_test
