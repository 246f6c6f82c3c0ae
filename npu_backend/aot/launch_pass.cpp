#include "npu_backend/aot/launch_pass.h"

#include <cstring>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// A reference to `bytes` that the object file will hold.
Expr embedded(const std::string &name, const void *bytes, size_t size) {
    Buffer<uint8_t> buffer(std::vector<int>{static_cast<int>(size)}, name);
    std::memcpy(buffer.data(), bytes, size);
    return Variable::make(type_of<halide_buffer_t *>(), name + ".buffer", buffer);
}

Expr array_of(const std::vector<Expr> &elements, Type type) {
    return Call::make(type, Call::make_struct, elements, Call::Intrinsic);
}

/// Scalars travel as 64 bits: integers extended, f32 as its bits.
Expr as_bits(const LaunchCall::Scalar &s) {
    const Expr value = Variable::make(s.type, s.name);
    return s.type.is_float() ? cast<int64_t>(reinterpret(UInt(s.type.bits()), value)) : cast<int64_t>(value);
}

Expr user_context(const Target &target) {
    if (target.has_feature(Target::UserContext)) return Variable::make(type_of<void *>(), "__user_context");
    return make_zero(type_of<void *>());
}

Stmt launch(const LaunchCall &c) {
    std::vector<Expr> buffers, scalars;
    for (const std::string &name : c.buffers)
        buffers.push_back(Variable::make(type_of<halide_buffer_t *>(), name + ".buffer"));
    for (const LaunchCall::Scalar &s : c.scalars) scalars.push_back(as_bits(s));
    const Expr result = Call::make(Int(32), "emulsion_launch",
                                   {user_context(c.target),
                                    embedded(c.function + "_npu_program", c.container.data(), c.container.size()),
                                    embedded(c.function + "_npu_machine", c.machine.data(), c.machine.size()),
                                    array_of(buffers, type_of<halide_buffer_t **>()), static_cast<int>(buffers.size()),
                                    array_of(scalars, type_of<int64_t *>()), static_cast<int>(scalars.size())},
                                   Call::Extern);
    // Without asserts (the user's choice) the message has gone through halide_error and the function returns 0.
    if (c.target.has_feature(Target::NoAsserts)) return Evaluate::make(result);
    const std::string name = "emulsion.result";
    const Expr code = Variable::make(Int(32), name);
    return LetStmt::make(name, result, AssertStmt::make(code == 0, code));
}

}  // namespace

LaunchPass::LaunchPass(LaunchCall call) : call_(std::move(call)) {}

Stmt LaunchPass::replacement() {
    if (done_) return Evaluate::make(0);
    done_ = true;
    return launch(call_);
}

Stmt LaunchPass::visit(const Allocate *) { return replacement(); }
Stmt LaunchPass::visit(const ProducerConsumer *) { return replacement(); }

}  // namespace emulsion
