// The reference: the same algorithm with its default schedule, compiled by stock Halide for the CPU and run at once.
#pragma once
#include "dsl/halide.h"
#include "npu_backend/compile.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace emulsion {

/// One parameter of a generator's function. Arrays appear once per element (name_0, name_1), Tuples once per value
/// (name.0, name.1), as in the compiled function.
struct Signature {
    enum class Kind { input, output, scalar };
    std::string name;
    Kind kind = Kind::input;
    Halide::Type type;
    int dimensions = 0;
    std::vector<int> estimate;  ///< extents the generator estimates for a buffer; empty: none
};

using NamedBuffers = std::map<std::string, Halide::Buffer<>>;
/// Values by name; f32 and f64 travel as their bits, as kernel arguments do.
using NamedScalars = std::map<std::string, int64_t>;

/// Built and compiled once, run any number of times on any shapes. Ignores CompileRequest::shapes.
/// Floats: strict order (`strict_float`), no FMA: baseline x86-64.
class Reference {
public:
    /// Raises EM211 for an unknown generator, EM210 when Halide refuses its parameters or algorithm.
    explicit Reference(const CompileRequest &request);
    ~Reference();
    Reference(Reference &&) noexcept;

    const std::vector<Signature> &signature() const;

    /// Extents of every input (mins are 0) by name, for outputs of these extents. `known` holds every output and those
    /// inputs whose extents are given, which matters where an algorithm asks for them (the k of a matmul). Raises EM214
    /// for a missing output.
    std::map<std::string, std::vector<int>> input_extents(const std::map<std::string, std::vector<int>> &known,
                                                          const NamedScalars &scalars = {});

    /// Runs on these buffers (any mins and strides). Raises EM210 for what Halide refuses, EM214 for a missing buffer or scalar.
    void run(const NamedBuffers &inputs, const NamedBuffers &outputs, const NamedScalars &scalars = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reference(request).run(...) for a single use.
void run_reference(const CompileRequest &request, const NamedBuffers &inputs, const NamedBuffers &outputs,
                   const NamedScalars &scalars = {});

}  // namespace emulsion
