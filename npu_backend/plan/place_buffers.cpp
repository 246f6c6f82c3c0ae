#include "npu_backend/plan/place_buffers.h"

#include <algorithm>
#include <set>

namespace emulsion {
namespace {

constexpr int64_t alignment = 64;

void used_buffers(const ir::Node &n, std::set<int> &used) {
    if (n.kind == ir::NodeKind::op)
        for (const ir::Operand &o : n.tile.operands) used.insert(o.buffer);
    for (const ir::NodePtr &c : n.children) used_buffers(*c, used);
}

int64_t place(ir::TileProgram &program, const std::set<int> &used, Space space) {
    int64_t top = 0;
    for (int id : used) {
        ir::Buffer &b = program.buffers[id];
        if (b.space != space) continue;
        b.slot_bytes = (b.elements * info(b.type).bytes + alignment - 1) / alignment * alignment;
        b.offset = top;
        top += b.slot_bytes * b.ring;
    }
    return top;
}

void check(const ir::TileProgram &program, const std::set<int> &used, Space space, int64_t need, uint64_t have, const char *limit) {
    if (need <= static_cast<int64_t>(have)) return;
    std::vector<const ir::Buffer *> largest;
    for (int id : used)
        if (program.buffers[id].space == space) largest.push_back(&program.buffers[id]);
    std::sort(largest.begin(), largest.end(), [](auto *a, auto *b) { return a->slot_bytes * a->ring > b->slot_bytes * b->ring; });
    std::string list;
    for (size_t k = 0; k < largest.size() && k < 4; k++)
        list += fmt::format("{}{} {} B{}", k ? ", " : "", largest[k]->name, largest[k]->slot_bytes * largest[k]->ring,
                            largest[k]->ring > 1 ? fmt::format(" (ring {})", largest[k]->ring) : "");
    raise(Diag::buffers_do_not_fit, largest[0]->place, need, limit, have, list);
}

}  // namespace

ir::TileProgram place_buffers(ir::TileProgram program, const TargetDesc &target) {
    std::set<int> used;
    used_buffers(*program.body, used);
    check(program, used, Space::spm, place(program, used, Space::spm), target.spm_bytes, "spm_bytes");
    check(program, used, Space::acc, place(program, used, Space::acc), target.acc_bytes, "acc_bytes");
    return program;
}

}  // namespace emulsion
