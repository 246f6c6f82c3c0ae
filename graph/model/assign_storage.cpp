#include "graph/model/assign_storage.h"

#include "graph/kernel/tensors.h"
#include "graph/plan/arena.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::graph {
namespace {

/// Values that share memory, by representative.
class Aliases {
public:
    Aliases(const Graph &graph, const std::vector<Kernel> &kernels) : root_(graph.values.size()) {
        for (size_t v = 0; v < root_.size(); v++) root_[v] = static_cast<ValueId>(v);
        std::vector<bool> computed(graph.values.size(), false);
        for (const Kernel &k : kernels)
            for (const KernelArgument &a : k.arguments)
                if (a.output) computed[a.value] = true;
        for (const Node &n : graph.nodes)
            if (n.outputs.size() == 1 && !computed[n.outputs[0]] && !inside_a_group(kernels, graph, n)) root_[n.outputs[0]] = root_[n.inputs.at(0)];
    }
    ValueId root(ValueId v) const { return root_[v]; }

private:
    std::vector<ValueId> root_;

    /// A value between the parts of a group is never in memory.
    static bool inside_a_group(const std::vector<Kernel> &kernels, const Graph &graph, const Node &n) {
        return std::any_of(kernels.begin(), kernels.end(), [&](const Kernel &k) {
            return k.nodes.size() > 1 && std::any_of(k.nodes.begin(), k.nodes.end() - 1, [&](NodeId id) { return &graph.nodes[id] == &n; });
        });
    }
};

/// As generator parameters spell it.
std::string halide_type_name(ElementType t) {
    const ElementTypeInfo &i = info(t);
    if (t == ElementType::bf16) return "bfloat16";
    return fmt::format("{}{}", i.is_float ? "float" : i.is_signed ? "int" : "uint", 8 * i.bytes);
}

/// out = in, element by element, as bytes of the value's type.
Kernel copy_kernel(const Graph &graph, ValueId from, ValueId to) {
    const Value &v = graph.value(to);
    const ElementType type = info(v.type).element.value_or(ElementType::u8);
    const int count = static_cast<int>(byte_size(v) / info(type).bytes);
    const KernelArgument in{.name = "in", .value = from, .type = type, .extents = {count}}, out{.name = "out", .value = to, .type = type, .extents = {count}, .output = true};
    Kernel k{.name = v.name + ".copy", .request = {.generator = "copy", .params = {{"type", halide_type_name(type)}, {"rank", "1"}}}, .arguments = {in, out}};
    k.request.function_name = k.name;
    for (const KernelArgument &a : k.arguments) k.request.shapes[a.name] = a.extents;
    return k;
}

}  // namespace

StoragePlan assign_storage(const Graph &graph, std::vector<Kernel> &kernels) {
    const Aliases aliases(graph, kernels);
    StoragePlan plan;
    const auto place = [&](const std::vector<ValueId> &values, RegionKind kind) {
        for (size_t k = 0; k < values.size(); k++) {
            const bool free = plan.storage.try_emplace(aliases.root(values[k]), Storage{kind, static_cast<int>(k), 0}).second &&
                              !graph.value(aliases.root(values[k])).is_constant();
            if (kind != RegionKind::output || free) continue;
            kernels.push_back(copy_kernel(graph, aliases.root(values[k]), values[k]));
            plan.storage[values[k]] = {kind, static_cast<int>(k), 0};
        }
    };
    place(graph.inputs, RegionKind::input);
    place(graph.outputs, RegionKind::output);

    std::map<ValueId, Lifetime> lives;
    for (size_t step = 0; step < kernels.size(); step++)
        for (const KernelArgument &a : kernels[step].arguments) {
            if (a.value == no_value) continue;
            const ValueId root = aliases.root(a.value);
            if (graph.value(root).is_constant()) plan.storage[root].kind = RegionKind::constants;
            if (plan.storage.contains(root)) continue;
            auto [it, fresh] = lives.try_emplace(root, Lifetime{byte_size(graph.value(root)), static_cast<int>(step), static_cast<int>(step), 64});
            it->second.last = static_cast<int>(step);
        }
    std::vector<Lifetime> list;
    for (const auto &[value, life] : lives) list.push_back(life);
    const ArenaPlan arena = plan_arena(list);
    plan.arena = {arena.peak, arena.lower_bound};
    size_t next = 0;
    for (const auto &[value, life] : lives) plan.storage[value] = {RegionKind::arena, 0, arena.offsets[next++]};
    for (size_t v = 0; v < graph.values.size(); v++) {
        const ValueId id = static_cast<ValueId>(v);
        if (auto it = plan.storage.find(aliases.root(id)); it != plan.storage.end()) plan.storage.try_emplace(id, it->second);
    }
    return plan;
}

}  // namespace emulsion::graph
