#include "dsl/mark.h"

#include "dsl/memory.h"
#include "dsl/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace emulsion {

namespace {

std::vector<std::string> names(const std::vector<Halide::VarOrRVar> &vars) {
    std::vector<std::string> result;
    for (const auto &v : vars) result.push_back(v.name());
    return result;
}

}  // namespace

void mark(Halide::Func f, const std::string &key, const std::string &value) {
    f.add_trace_tag(fmt::format("emulsion.{}={}", key, value));
}

void mark_place(Halide::Func f, const std::source_location &at) {
    if (find_mark(f, "at").empty()) mark(f, "at", fmt::format("{}:{}", source_file(at), at.line()));
}

std::string find_mark(const Halide::Func &f, const std::string &key) {
    const std::string start = fmt::format("emulsion.{}=", key);
    for (const std::string &tag : f.function().get_trace_tags())
        if (tag.starts_with(start)) return tag.substr(start.size());
    return "";
}

void tile_matmul(Halide::Func acc, const std::vector<Halide::VarOrRVar> &columns,
                 const std::vector<Halide::VarOrRVar> &streamed, const std::vector<Halide::VarOrRVar> &rows,
                 std::source_location at) {
    std::vector<Halide::VarOrRVar> order = rows;
    order.insert(order.end(), columns.begin(), columns.end());
    order.insert(order.end(), streamed.begin(), streamed.end());
    // reorder permutes only the loops it names; naming all of them keeps the others outside.
    const std::vector<std::string> inner = names(order);
    for (const Halide::Internal::Dim &d : acc.function().update(0).schedule().dims()) {
        const std::string name = d.var.substr(d.var.rfind('.') + 1);
        if (name == Halide::Var::outermost().name() || std::find(inner.begin(), inner.end(), name) != inner.end()) continue;
        order.push_back(d.is_rvar() ? Halide::VarOrRVar(Halide::RVar(name)) : Halide::VarOrRVar(Halide::Var(name)));
    }
    acc.update(0).reorder(order).atomic();
    acc.store_in(accumulator);
    mark(acc, "engine", "mx");
    mark(acc, "columns", fmt::format("{}", fmt::join(names(columns), ",")));
    mark_place(acc, at);
}

void drain(Halide::Func f, std::source_location at) {
    mark(f, "engine", "ou");
    mark_place(f, at);
}

}  // namespace emulsion
