// The benchmark's kernels: what is measured, on which machine, against which bound.
#pragma once
#include "npu_backend/compile.h"

#include <string>
#include <vector>

namespace emulsion::bench {

/// What the cycles are held against.
///   mac       multiply-accumulates / the array's peak rate
///   roofline  the larger of mac, vector work of the program, and bytes of all arguments moved once / EXT bandwidth
enum class Bound { mac, roofline };

struct Kernel {
    std::string name, target;
    CompileRequest request;
    Bound bound = Bound::mac;
    double goal = 0;  ///< least bound / cycles asked for
};

const std::vector<Kernel> &kernels();

/// Kernels bound by memory, to be timed with `depth` 1 and 2.
std::vector<Kernel> double_buffer_kernels();

}  // namespace emulsion::bench
