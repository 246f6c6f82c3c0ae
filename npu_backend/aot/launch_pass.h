// Replaces the body of a lowered stock pipeline by one call into the device.
//
//   before   asserts and bounds queries; allocate f; produce f {...}; consume f { produce out {...} }
//   after    asserts and bounds queries; let result = emulsion_launch(ctx, program, machine, {a, b, out}, 3, {}, 0)
//            assert result == 0
//
// Legal because everything before the first allocation or produce node only inspects arguments: header, metadata, argument
// checks and bounds queries stay Halide's own. Runs as a custom lowering pass, after all target-independent passes.
#pragma once
#include "dsl/halide.h"
#include "runtime/isa/element_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emulsion {

struct LaunchCall {
    std::string function;                ///< names the embedded constants
    std::vector<uint8_t> container;      ///< the .npu file
    std::string machine;                 ///< text of the machine file
    std::vector<std::string> buffers;    ///< names in the lowered pipeline, in region order
    struct Scalar { std::string name; Halide::Type type; };
    std::vector<Scalar> scalars;         ///< in argument order
    Halide::Target target;
};

class LaunchPass : public Halide::Internal::IRMutator {
public:
    explicit LaunchPass(LaunchCall call);

private:
    using IRMutator::visit;
    Halide::Internal::Stmt visit(const Halide::Internal::Allocate *op) override;
    Halide::Internal::Stmt visit(const Halide::Internal::ProducerConsumer *op) override;
    Halide::Internal::Stmt replacement();

    LaunchCall call_;
    bool done_ = false;
};

}  // namespace emulsion
