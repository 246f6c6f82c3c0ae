// Names of buffers and stages without the numbers that Halide counts over the whole process, so that a program does not depend on what was
// compiled before it.
//
//   before   acc$7   out$13.tile   weights_im$9_in_acc$7$0
//   after    acc     out.tile      weights_im_in_acc
#pragma once
#include "runtime/program/program.h"

namespace emulsion {

/// Functions whose names differ in the numbers alone stay apart: "out", "out$1" in the order in which they first appear.
void make_names_canonical(Program &program);

}  // namespace emulsion
