#include "graph/model/link_segment.h"

#include "graph/kernel/tensors.h"
#include "npu_backend/link/link.h"
#include "npu_backend/verify/verify.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <bit>

namespace emulsion::graph {
namespace {

constexpr int64_t alignment = 64;

/// Constants of all kernels, equal ones once.
class ConstantPool {
public:
    int64_t add(const std::vector<uint8_t> &bytes) {
        auto [it, fresh] = known_.try_emplace(std::string(bytes.begin(), bytes.end()), static_cast<int64_t>(pool_.size()));
        if (fresh) {
            pool_.insert(pool_.end(), bytes.begin(), bytes.end());
            pool_.resize((pool_.size() + alignment - 1) / alignment * alignment, 0);
        }
        return it->second;
    }
    std::vector<uint8_t> take() { return std::move(pool_); }

private:
    std::map<std::string, int64_t> known_;
    std::vector<uint8_t> pool_;
};

Region region_of(const Value &v, RegionKind kind) {
    Region r{.name = v.name, .kind = kind, .type = *info(v.type).element, .dimensions = 0};
    std::vector<int64_t> extents = extents_of(v.shape, v.name);
    if (extents.empty()) extents = {1};
    std::reverse(extents.begin(), extents.end());
    r.dimensions = static_cast<uint8_t>(extents.size());
    r.extents = std::move(extents);
    if (v.quantization.scale.size() == 1) {
        r.scale_bits = std::bit_cast<uint32_t>(v.quantization.scale[0]);
        r.zero_point = v.quantization.zero_point.at(0);
    }
    return r;
}

/// Regions of the whole: inputs, outputs, constants, arena, in this order.
class Layout {
public:
    Layout(const CompiledModel &model) : inputs_(static_cast<int>(model.graph.inputs.size())), outputs_(static_cast<int>(model.graph.outputs.size())) {
        for (ValueId v : model.graph.inputs) regions.push_back(region_of(model.graph.value(v), RegionKind::input));
        for (ValueId v : model.graph.outputs) regions.push_back(region_of(model.graph.value(v), RegionKind::output));
        regions.push_back({.name = "constants", .kind = RegionKind::constants, .type = ElementType::u8, .dimensions = 1});
        regions.push_back({.name = "arena", .kind = RegionKind::arena, .type = ElementType::u8, .dimensions = 1, .bytes = model.arena.bytes});
    }
    int constants() const { return inputs_ + outputs_; }
    LinkedRegion of(const Storage &s) const {
        switch (s.kind) {
        case RegionKind::input: return {.region = s.index, .offset = s.offset};
        case RegionKind::output: return {.region = inputs_ + s.index, .offset = s.offset};
        case RegionKind::constants: break;
        case RegionKind::arena: return {.region = constants() + 1, .offset = s.offset};
        }
        return {.region = constants(), .offset = s.offset};
    }
    std::vector<Region> regions;

    /// What the regions hold when `segment` starts, for the verifier: what the segments before have written. An output that a later
    /// segment writes is empty.
    std::vector<RegionExtent> extents(const CompiledModel &model, const Segment &segment) const {
        std::vector<RegionExtent> all;
        for (const Region &r : regions) {
            int64_t bytes = info(r.type).bytes;
            for (int64_t e : r.extents) bytes *= e;
            all.push_back({.lo = 0, .hi = r.kind == RegionKind::output ? 0 : r.extents.empty() ? r.bytes : bytes});
        }
        const auto here = static_cast<size_t>(&segment - model.segments.data());
        for (size_t s = 0; s <= here; s++)
            for (int k : model.segments[s].kernels)
                for (const KernelArgument &a : model.kernels[k].arguments) {
                    if (!a.output) continue;
                    const LinkedRegion at = of(model.storage.at(a.value));
                    const int64_t end = at.offset + byte_size(model.graph.value(a.value));
                    RegionExtent &region = all[at.region];
                    region.hi = std::max(region.hi, end);
                    if (s < here) region.held.push_back({at.offset, end});
                }
        return all;
    }

private:
    int inputs_, outputs_;
};

}  // namespace

Program link_segment(const CompiledModel &model, const Segment &segment, const KernelCompiler &kernels, bool prefetch) {
    Layout layout(model);
    ConstantPool pool;
    std::vector<LinkUnit> units;
    for (int index : segment.kernels) {
        const Kernel &k = model.kernels[index];
        LinkUnit unit{k.name, &kernels.program(k), {}};
        for (const Region &r : unit.program->regions) {
            const auto a = std::find_if(k.arguments.begin(), k.arguments.end(), [&](const KernelArgument &arg) { return arg.name == r.name; });
            if (a == k.arguments.end() && r.kind == RegionKind::constants) {
                unit.regions.push_back({.region = layout.constants(), .offset = pool.add(unit.program->constants)});
                continue;
            }
            if (a == k.arguments.end()) raise(Diag::internal_error, {.stage = "link", .node = k.name}, "graph/model", "kernel region \"" + r.name + "\" has no argument");
            if (a->value == no_value) {
                const int64_t offset = pool.add(a->data);
                unit.regions.push_back({layout.constants(), offset, offset, std::ssize(a->data)});
                continue;
            }
            const Value &v = model.graph.value(a->value);
            LinkedRegion at;
            if (v.is_constant()) {
                const int64_t offset = pool.add(*v.data);
                at = {layout.constants(), offset, offset, std::ssize(*v.data)};
            } else {
                at = layout.of(model.storage.at(a->value));
            }
            at.offset += a->offset * info(a->type).bytes;
            unit.regions.push_back(at);
        }
        units.push_back(std::move(unit));
    }
    Program whole;
    whole.name = model.graph.name;
    whole.machine = model.target.name;
    whole.machine_hash = model.target.hash;
    whole.constants = pool.take();
    layout.regions[layout.constants()].bytes = static_cast<int64_t>(whole.constants.size());
    whole.regions = layout.regions;
    Program program = link(std::move(whole), units, model.target, {.prefetch = prefetch});

    program.certificate = verify(program, model.target, layout.extents(model, segment), {});
    return program;
}

}  // namespace emulsion::graph
