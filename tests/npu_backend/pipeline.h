// Small pipelines lowered to Tile IR, for tests of the backend's passes.
#pragma once
#include "dsl/emulsion.h"
#include "npu_backend/ir/tile_ir.h"
#include "npu_backend/lower/lower.h"
#include "npu_backend/tile/build_tiles.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace emulsion {

/// Tile IR of `out` with fixed shapes, before any tile pass.
inline ir::TileProgram tiles_of(Halide::Func out, const std::vector<int> &out_shape,
                                const std::vector<std::pair<Halide::ImageParam, std::vector<int>>> &inputs) {
    std::map<std::string, Halide::Expr> constants;
    auto fix = [&](const std::string &name, const std::vector<int> &shape) {
        for (size_t d = 0, stride = 1; d < shape.size(); stride *= shape[d++]) {
            constants[name + ".min." + std::to_string(d)] = 0;
            constants[name + ".extent." + std::to_string(d)] = shape[d];
            constants[name + ".stride." + std::to_string(d)] = static_cast<int>(stride);
        }
    };
    std::vector<BoundBuffer> buffers;
    for (const auto &[param, shape] : inputs) {
        buffers.push_back({param.name(), param.name(), param.type(), param.dimensions(), false, shape});
        fix(param.name(), shape);
    }
    buffers.push_back({"out", out.name(), out.types()[0], out.dimensions(), true, out_shape});
    fix(out.name(), out_shape);
    return build_tiles(lower({out.function()}, constants, {{out.name(), "out"}}), "test", buffers);
}

inline void for_each_op(const ir::Node &n, const std::function<void(const ir::TileOp &)> &f) {
    if (n.kind == ir::NodeKind::op) f(n.tile);
    for (const ir::NodePtr &c : n.children) for_each_op(*c, f);
}

inline std::vector<ir::TileOp> ops_of(const ir::TileProgram &p) {
    std::vector<ir::TileOp> ops;
    for_each_op(*p.body, [&](const ir::TileOp &t) { ops.push_back(t); });
    return ops;
}

/// The operations in program order, as "load run store".
inline std::string mnemonics(const ir::TileProgram &p) {
    std::string text;
    for (const ir::TileOp &t : ops_of(p)) text += (text.empty() ? "" : " ") + std::string(find_instruction(t.op)->name);
    return text;
}

/// Runs `f` and returns the diagnostic it raises; fails the test if it raises none.
inline Diagnostic diagnostic_of(const std::function<void()> &f) {
    try {
        f();
    } catch (const Error &e) {
        return e.diagnostic();
    }
    ADD_FAILURE() << "no diagnostic was raised";
    return {};
}

}  // namespace emulsion
