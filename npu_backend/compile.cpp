#include "npu_backend/compile.h"

#include "npu_backend/emit/emit.h"
#include "npu_backend/instantiate.h"
#include "npu_backend/ir/tile_ir.h"
#include "npu_backend/lower/lower.h"
#include "npu_backend/plan/assign_tokens.h"
#include "npu_backend/plan/place_buffers.h"
#include "npu_backend/tile/build_tiles.h"
#include "npu_backend/tile/fuse_clear.h"
#include "npu_backend/verify/verify.h"
#include "runtime/isa/assembler.h"

#include <chrono>
#include <sstream>

namespace emulsion {
namespace {

struct TilePass {
    const char *name, *stage;  ///< stage: what --emit calls the result, or null
    ir::TileProgram (*run)(ir::TileProgram, const TargetDesc &);
};

constexpr TilePass tile_passes[] = {
    {"fuse_clear", "tile", [](ir::TileProgram p, const TargetDesc &) { return fuse_clear(std::move(p)); }},
    {"place_buffers", nullptr, place_buffers},
    {"assign_tokens", "plan", [](ir::TileProgram p, const TargetDesc &) { return assign_tokens(std::move(p)); }},
};

class Pipeline {
    template<typename F>
    auto timed(const char *pass, F f) {
        const auto start = std::chrono::steady_clock::now();
        auto value = f();
        const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
        result_.times.push_back({pass, spent.count()});
        return value;
    }

public:
    Pipeline(const CompileRequest &request, const TargetDesc &target, const CompileOptions &options)
        : request_(request), target_(target), options_(options) {}

    Compiled run() {
        Instance instance = timed("instantiate", [&] { return instantiate(request_, target_); });
        Lowered lowered = timed("lower", [&] { return lower(instance.outputs, instance.constants, instance.renames); });
        dump("stmt", [&] { std::ostringstream s; s << lowered.stmt; return s.str(); });
        ir::TileProgram tiles = timed("build_tiles", [&] { return build_tiles(lowered, name(), instance.buffers); });
        dump("build_tiles", [&] { return ir::print(tiles); });
        for (const TilePass &pass : tile_passes) {
            tiles = timed(pass.name, [&] { return pass.run(std::move(tiles), target_); });
            dump(pass.name, [&] { return ir::print(tiles); });
            if (pass.stage) dump(pass.stage, [&] { return ir::print(tiles); });
        }
        result_.program = timed("emit", [&] { return emit(tiles, target_); });
        dump("asm", [&] { return disassemble(result_.program); });
        if (options_.verify) timed("verify", [&] { certify(instance); return 0; });
        return std::move(result_);
    }

private:
    std::string name() const { return request_.function_name.empty() ? request_.generator : request_.function_name; }

    template<typename F>
    void dump(const char *stage, F text) {
        if (options_.dump) options_.dump(stage, text());
    }

    // A proof needs argument values: with symbolic shapes or scalar parameters it is made when they are known.
    void certify(const Instance &instance) {
        if (!result_.program.arguments.empty()) return;
        std::vector<RegionExtent> regions;
        for (const Region &r : result_.program.regions) {
            RegionExtent region{0, r.bytes};
            for (const BoundBuffer &b : instance.buffers) {
                if (b.name != r.name) continue;
                const BoundBuffer::Span span = b.span();
                const std::vector<int64_t> steps = b.steps();
                region.lo = span.lo, region.hi = span.hi;
                for (size_t d = 0; d < b.extents.size(); d++) region.elements.push_back({steps[d] * int64_t{info(r.type).bytes}, b.extents[d]});
            }
            regions.push_back(std::move(region));
        }
        result_.program.certificate = verify(result_.program, target_, regions, {});
    }

    const CompileRequest &request_;
    const TargetDesc &target_;
    const CompileOptions &options_;
    Compiled result_;
};

}  // namespace

Compiled compile(const CompileRequest &request, const TargetDesc &target, const CompileOptions &options) {
    return Pipeline(request, target, options).run();
}

}  // namespace emulsion
