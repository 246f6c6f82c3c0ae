#include "graph/import/onnx/fold.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace emulsion::graph::onnx_import {
namespace {

using Ints = std::vector<int64_t>;
using Result = std::optional<Bytes>;

const Value &in(const Graph &g, const Node &n, size_t k) { return g.value(n.inputs[k]); }
const Value &out(const Graph &g, const Node &n, size_t k = 0) { return g.value(n.outputs[k]); }
Ints extents(const Value &v) { return extents_of(v.shape, v.name); }
int64_t width(const Value &v) { return info(v.type).bits / 8; }

int64_t axis_of(const Node &n, size_t rank, int64_t otherwise = 0) {
    const int64_t axis = n.integer("axis", otherwise);
    return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

Result cast(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    const DataType to = out(g, n).type;
    if (a.type == to) return *a.data;
    if (to == DataType::boolean) {
        std::vector<int64_t> truth;
        for (double x : constant_reals(a)) truth.push_back(x != 0);
        return stored(to, truth);
    }
    if (!info(a.type).is_float) {
        if (!info(to).is_float) return stored(to, constant_integers(a));
        return stored(to, constant_reals(a));
    }
    if (info(to).is_float) return stored(to, constant_reals(a));
    std::vector<int64_t> integers;
    for (double x : constant_reals(a)) {
        if (!(std::abs(x) < 9e18)) return {};  // no integer: what the conversion gives is the machine's business
        integers.push_back(static_cast<int64_t>(x));
    }
    return stored(to, integers);
}

Result transpose(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    const Ints e = extents(a), s = strides_of(e), permutation = n.integers("permutation");
    std::vector<Step> steps;
    for (int64_t d : permutation) steps.push_back({e[d], s[d]});
    return walk(*a.data, width(a), 0, steps);
}

Result slice(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    const Ints s = strides_of(extents(a)), to = extents(out(g, n)), begin = n.integers("begin"), step = n.integers("step");
    std::vector<Step> steps;
    int64_t offset = 0;
    for (size_t d = 0; d < to.size(); d++) {
        offset += begin[d] * s[d];
        steps.push_back({to[d], step[d] * s[d]});
    }
    return walk(*a.data, width(a), offset, steps);
}

Result broadcast_to(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    return walk(*a.data, width(a), 0, broadcast_steps(extents(a), extents(out(g, n))));
}

Result tile(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    const Ints e = extents(a), s = strides_of(e), repeats = n.integers("repeats");
    std::vector<Step> steps;
    for (size_t d = 0; d < e.size(); d++) {
        steps.push_back({repeats[d], 0});
        steps.push_back({e[d], s[d]});
    }
    return walk(*a.data, width(a), 0, steps);
}

Result concat(const Graph &g, const Node &n) {
    const Ints to = extents(out(g, n));
    const size_t axis = static_cast<size_t>(axis_of(n, to.size()));
    int64_t outer = 1;
    for (size_t d = 0; d < axis; d++) outer *= to[d];
    Bytes result;
    for (int64_t o = 0; o < outer; o++)
        for (ValueId id : n.inputs) {
            const Bytes &part = *g.value(id).data;
            const auto run = static_cast<int64_t>(part.size()) / outer;
            result.insert(result.end(), part.begin() + o * run, part.begin() + (o + 1) * run);
        }
    return result;
}

Result gather(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    if (n.integer("batch_dimensions") != 0) return {};
    const Ints e = extents(a);
    const auto axis = static_cast<size_t>(axis_of(n, e.size()));
    int64_t outer = 1, inner = width(a);
    for (size_t d = 0; d < axis; d++) outer *= e[d];
    for (size_t d = axis + 1; d < e.size(); d++) inner *= e[d];
    const Ints indices = constant_integers(in(g, n, 1));
    Bytes result;
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i : indices) {
            const int64_t at = i < 0 ? i + e[axis] : i;
            if (at < 0 || at >= e[axis]) return {};
            const auto from = a.data->begin() + (o * e[axis] + at) * inner;
            result.insert(result.end(), from, from + inner);
        }
    return result;
}

Result pad(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0), &o = out(g, n);
    const Ints from = extents(a), to = extents(o), before = n.integers("before");
    if (n.text("mode", "constant") != "constant" || !a.quantization.empty()) return {};
    const Bytes value = info(o.type).is_float ? stored(o.type, std::vector<double>{n.real("value")}) : stored(o.type, Ints{static_cast<int64_t>(n.real("value"))});
    const int64_t w = width(o), elements = element_count(to);
    const Ints s = strides_of(from);
    Bytes result(static_cast<size_t>(elements * w));
    Ints at(to.size(), 0);
    for (int64_t k = 0; k < elements; k++) {
        int64_t source = 0;
        bool inside = true;
        for (size_t d = 0; d < to.size(); d++) {
            const int64_t i = at[d] - before[d];
            inside = inside && i >= 0 && i < from[d];
            source += i * s[d];
        }
        std::memcpy(result.data() + k * w, inside ? a.data->data() + source * w : value.data(), static_cast<size_t>(w));
        for (size_t d = to.size(); d-- > 0 && ++at[d] == to[d];) at[d] = 0;
    }
    return result;
}

Result dequantize(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    const Quantization &q = a.quantization;
    if (q.empty()) return {};
    const Ints e = extents(a), numbers = constant_integers(a);
    const bool per_axis = q.axis >= 0 && q.scale.size() > 1;
    const int64_t inner = per_axis ? strides_of(e)[q.axis] : 1, count = per_axis ? e[q.axis] : 1;
    std::vector<float> reals;
    for (size_t k = 0; k < numbers.size(); k++) {
        const int64_t c = static_cast<int64_t>(k) / inner % count;
        reals.push_back(static_cast<float>(numbers[k] - q.zero_point[c]) * q.scale[c]);
    }
    return bytes_from(reals);
}

/// Source elements grouped by result; `combine` in order of the source.
template<typename Number>
std::vector<Number> reduced(const std::vector<Number> &from, const Ints &extents, const std::vector<bool> &is_reduced, Number first, Number (*combine)(Number, Number)) {
    int64_t results = 1;
    for (size_t d = 0; d < extents.size(); d++) results *= is_reduced[d] ? 1 : extents[d];
    std::vector<Number> to(static_cast<size_t>(results), first);
    Ints at(extents.size(), 0);
    for (const Number x : from) {
        int64_t k = 0;
        for (size_t d = 0; d < extents.size(); d++)
            if (!is_reduced[d]) k = k * extents[d] + at[d];
        to[k] = combine(to[k], x);
        for (size_t d = extents.size(); d-- > 0 && ++at[d] == extents[d];) at[d] = 0;
    }
    return to;
}

struct Reduction {
    std::string_view function;
    int64_t first;
    int64_t (*combine)(int64_t, int64_t);
};
constexpr Reduction reductions[] = {
    {"sum", 0, [](int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }},
    {"prod", 1, [](int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }},
    {"max", std::numeric_limits<int64_t>::min(), [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"min", std::numeric_limits<int64_t>::max(), [](int64_t a, int64_t b) { return std::min(a, b); }},
};

Result reduce(const Graph &g, const Node &n) {
    const Value &a = in(g, n, 0);
    if (info(a.type).is_float || a.type == DataType::u64) return {};
    const Ints e = extents(a), axes = n.integers("axes");
    std::vector<bool> is_reduced(e.size(), axes.empty());
    for (int64_t x : axes) is_reduced[x < 0 ? x + std::ssize(e) : x] = true;
    for (const Reduction &r : reductions)
        if (n.text("function") == r.function) return stored(out(g, n).type, reduced<int64_t>(constant_integers(a), e, is_reduced, r.first, r.combine));
    return {};
}

struct Rule {
    std::string_view op;
    Result (*compute)(const Graph &, const Node &);
};
constexpr Rule rules[] = {{"cast", cast}, {"transpose", transpose}, {"slice", slice}, {"broadcast_to", broadcast_to}, {"tile", tile}, {"concat", concat},
                          {"gather", gather}, {"pad", pad}, {"dequantize", dequantize}, {"reduce", reduce}};

/// Rules that move elements need whole bytes.
bool is_packed(const Graph &g, const Node &n) {
    const auto packed = [&](ValueId id) { return info(g.value(id).type).bits < 8; };
    return std::any_of(n.inputs.begin(), n.inputs.end(), packed) || std::any_of(n.outputs.begin(), n.outputs.end(), packed);
}

}  // namespace

std::vector<int64_t> strides_of(const std::vector<int64_t> &extents) {
    Ints s(extents.size(), 1);
    for (size_t d = extents.size(); d-- > 1;) s[d - 1] = s[d] * extents[d];
    return s;
}

std::vector<Step> broadcast_steps(const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    const Ints s = strides_of(from);
    std::vector<Step> steps;
    for (size_t d = 0; d < to.size(); d++) {
        const auto k = static_cast<int64_t>(d) - std::ssize(to) + std::ssize(from);
        steps.push_back({to[d], k < 0 || from[k] == 1 ? 0 : s[k]});
    }
    return steps;
}

Bytes walk(const Bytes &source, int64_t width, int64_t offset, const std::vector<Step> &steps) {
    int64_t elements = 1;
    for (const Step &s : steps) elements *= s.extent;
    Bytes result(static_cast<size_t>(elements * width));
    Ints at(steps.size(), 0);
    for (int64_t k = 0; k < elements; k++) {
        std::memcpy(result.data() + k * width, source.data() + offset * width, static_cast<size_t>(width));
        for (size_t d = steps.size(); d-- > 0;) {
            offset += steps[d].stride;
            if (++at[d] < steps[d].extent) break;
            offset -= steps[d].stride * steps[d].extent;
            at[d] = 0;
        }
    }
    return result;
}

std::optional<std::vector<std::shared_ptr<const Bytes>>> fold(const Graph &g, const Node &n) {
    if (n.outputs.size() != 1 || n.inputs.empty()) return {};
    for (ValueId id : n.inputs)
        if (id == no_value || !g.value(id).is_constant()) return {};
    if (n.op == "identity" || n.op == "reshape") return {{in(g, n, 0).data}};
    if (is_packed(g, n) && n.op != "dequantize" && n.op != "cast") return {};
    const auto rule = std::find_if(std::begin(rules), std::end(rules), [&](const Rule &r) { return r.op == n.op; });
    Result bytes = rule != std::end(rules) ? rule->compute(g, n) : fold_elements(g, n);
    if (!bytes) return {};
    return {{std::make_shared<const Bytes>(std::move(*bytes))}};
}

}  // namespace emulsion::graph::onnx_import
