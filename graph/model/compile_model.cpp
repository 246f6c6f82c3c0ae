#include "graph/model/compile_model.h"

#include "graph/ir/operator_table.h"
#include "graph/model/assign_storage.h"
#include "graph/model/choose_groups.h"
#include "graph/model/compile_kernels.h"
#include "graph/model/link_segment.h"
#include "graph/model/select_kernels.h"
#include "graph/passes/pipeline.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace emulsion::graph {
namespace {

/// Gives symbolic extents their numbers. Raises EM704 for an input whose symbol is not given.
void bind_symbols(Graph &graph, const std::map<std::string, int64_t> &symbols) {
    for (Value &v : graph.values)
        for (Dimension &d : v.shape)
            if (auto it = symbols.find(d.symbol); it != symbols.end()) d = {.extent = it->second};
    for (ValueId v : graph.inputs) extents_of(graph.value(v).shape, graph.value(v).name);
}

class Compiler {
public:
    Compiler(Graph graph, const TargetDesc &target, const ModelOptions &options) : options_(options) {
        model_.graph = std::move(graph);
        model_.target = target;
    }

    CompiledModel run() {
        timed("passes", [&] { prepare(); });
        timed("kernels", [&] { choose_kernels(); });
        timed("storage", [&] { place_values(); });
        timed("link", [&] { make_segments(); });
        return std::move(model_);
    }

private:
    const ModelOptions &options_;
    CompiledModel model_;
    KernelCompiler kernels_{model_.target};

    template<typename F>
    void timed(const char *pass, F f) {
        const auto start = std::chrono::steady_clock::now();
        f();
        model_.times.push_back({pass, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()});
    }

    void prepare() {
        bind_symbols(model_.graph, options_.symbols);
        if (options_.observe) options_.observe("import", model_.graph);
        run_passes(model_.graph, options_.without_passes, options_.observe);
    }

    void choose_kernels() {
        const Graph &g = model_.graph;
        std::vector<std::vector<Kernel>> by_node(g.nodes.size());
        std::vector<Kernel *> all;
        for (size_t n = 0; n < g.nodes.size(); n++) by_node[n] = node_kernels(g, static_cast<NodeId>(n));
        for (auto &list : by_node)
            for (Kernel &k : list) all.push_back(&k);
        kernels_.compile(all);
        if (options_.fuse) fuse(by_node);
        for (auto &list : by_node)
            for (Kernel &k : list) model_.kernels.push_back(std::move(k));
    }

    /// Replaces the kernels of a chain by one where the timing model says it takes fewer cycles. It stands where the last node stood.
    void fuse(std::vector<std::vector<Kernel>> &by_node) {
        std::set<NodeId> taken;
        for (const std::vector<Chain> &chains : candidate_chains(model_.graph))
            for (const Chain &chain : chains) {
                if (std::any_of(chain.nodes.begin(), chain.nodes.end(), [&](NodeId n) { return taken.contains(n) || !all_on_npu(by_node[n]); })) continue;
                uint64_t apart = 0;
                for (NodeId n : chain.nodes)
                    for (const Kernel &k : by_node[n]) apart += kernels_.cycles(k);
                std::optional<Kernel> group = group_kernel(model_.graph, chain.nodes, chain.anchor);
                if (!group || !kernels_.compile_best(*group, chain.anchor) || kernels_.cycles(*group) >= apart) continue;
                for (NodeId n : chain.nodes) by_node[n].clear();
                by_node[chain.nodes.back()].push_back(std::move(*group));
                taken.insert(chain.nodes.begin(), chain.nodes.end());
                break;
            }
    }

    static bool all_on_npu(const std::vector<Kernel> &list) {
        return !list.empty() && std::all_of(list.begin(), list.end(), [](const Kernel &k) { return k.unit == Unit::npu; });
    }

    void place_values() {
        const size_t before = model_.kernels.size();
        StoragePlan plan = assign_storage(model_.graph, model_.kernels);
        std::vector<Kernel *> added;
        for (size_t k = before; k < model_.kernels.size(); k++) added.push_back(&model_.kernels[k]);
        kernels_.compile(added);
        model_.storage = std::move(plan.storage);
        model_.arena = plan.arena;
    }

    void make_segments() {
        for (size_t k = 0; k < model_.kernels.size(); k++) {
            const Unit unit = model_.kernels[k].unit;
            // Host kernels stand alone: each is a call.
            if (model_.segments.empty() || unit == Unit::host || model_.segments.back().unit != unit) model_.segments.push_back({.unit = unit});
            model_.segments.back().kernels.push_back(static_cast<int>(k));
        }
        for (Segment &s : model_.segments)
            if (s.unit == Unit::npu) s.program = link_segment(model_, s, kernels_, options_.prefetch);
    }
};

}  // namespace

CompiledModel compile_model(Graph graph, const TargetDesc &target, const ModelOptions &options) {
    return Compiler(std::move(graph), target, options).run();
}

}  // namespace emulsion::graph
