#include "apps/explore/export/schedule_file.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/hash.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion::explore {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format = 1;

std::string seal_of(Json j) {
    j.erase("seal");
    const std::string text = j.dump();
    return fmt::format("{:016x}", hash_bytes(text.data(), text.size()));
}

template<typename E, size_t n>
E named(const char *const (&names)[n], const std::string &name) {
    const auto it = std::find(std::begin(names), std::end(names), name);
    if (it == std::end(names)) throw std::invalid_argument("\"" + name + "\"");
    return static_cast<E>(it - std::begin(names));
}

/// All that a problem says of itself.
ScheduleFile about(const Problem &p, const SearchOptions &o, const Point &point, const Outcome &outcome) {
    ScheduleFile f;
    f.request = p.request;
    f.target_name = p.target.name, f.target_origin = p.target.origin, f.target_hash = p.machine_hash, f.target_text = p.target.text;
    f.space_name = p.space.name(), f.space_version = p.space.version(), f.space_hash = p.space_hash;
    f.problem_hash = p.hash, f.build = build_hash();
    f.key = p.space.key(point), f.schedule = p.space.values(point);
    f.outcome = outcome;
    f.bound = p.bound->complete(point);
    f.objective = o.objective, f.limits = o.limits;
    f.roofline_cycles = p.bound->roofline().cycles();
    f.roofline_gap = static_cast<double>(outcome.cycles) / static_cast<double>(f.roofline_cycles) - 1;
    f.search = {{"options", Json::parse(o.text())}};
    f.command = "emulsion explore run " + words_of(p);
    return f;
}

}  // namespace

ScheduleFile schedule_file(const Problem &p, const SearchOptions &o, const SearchReport &r) {
    ScheduleFile f = about(p, o, r.best, r.outcome);
    f.state = r.state, f.smallest_open = r.smallest_open, f.search_gap = r.search_gap();
    f.search["counts"] = {{"nodes", r.nodes}, {"misfit", r.misfit}, {"pruned", r.pruned}, {"refined", r.refined}, {"timed", r.emulated + r.hits}, {"failed", r.failed}};
    if (!r.model_hash.empty()) f.search["model"] = r.model_hash;
    return f;
}

ScheduleFile schedule_file(const Problem &p, const SearchOptions &o, const Point &point, const Outcome &outcome) {
    ScheduleFile f = about(p, o, point, outcome);
    const Bound root = p.bound->partial({});
    const double best = score(o.objective, outcome);
    f.smallest_open = std::min(best, score(o.objective, root)), f.search_gap = search_gap(best, f.smallest_open);
    return f;
}

Json to_json(const ScheduleFile &f) {
    Json params = Json::object(), shapes = Json::object(), schedule = Json::object();
    for (const auto &[name, value] : f.request.params) params[name] = value;
    for (const auto &[name, extents] : f.request.shapes) shapes[name] = extents;
    for (const auto &[name, value] : f.schedule) schedule[name] = value;
    const Outcome &o = f.outcome;
    Json j = {{"emulsion_schedule", format}, {"generator", f.request.generator}, {"params", params}, {"shapes", shapes}};
    j["target"] = {{"name", f.target_name}, {"origin", f.target_origin}, {"hash", f.target_hash}, {"machine", Json::parse(f.target_text)}};
    j["space"] = {{"name", f.space_name}, {"version", f.space_version}, {"hash", f.space_hash}};
    j["schedule"] = {{"key", f.key}, {"params", schedule}};
    j["result"] = {{"cycles", o.cycles}, {"energy_pj", o.energy_pj}, {"spm_bytes", o.spm_bytes}, {"ext_bytes", o.ext_bytes}, {"program", o.program}};
    j["bound"] = {{"cycles", f.bound.cycles}, {"energy_pj", f.bound.energy_pj}, {"spm_bytes", f.bound.spm_bytes}, {"ext_bytes", f.bound.ext_bytes}};
    j["proof"] = {{"state", state_names[static_cast<int>(f.state)]}, {"objective", objective_names[static_cast<int>(f.objective)]},
                  {"limits", {{"spm_bytes", f.limits.spm_bytes}, {"cycles", f.limits.cycles}, {"energy_pj", f.limits.energy_pj}}},
                  {"smallest_open", f.smallest_open}, {"search_gap", f.search_gap}, {"roofline_cycles", f.roofline_cycles}, {"roofline_gap", f.roofline_gap}};
    j["versions"] = {{"problem", f.problem_hash}, {"build", f.build}};
    j["search"] = f.search;
    j["command"] = f.command;
    j["seal"] = seal_of(j);
    return j;
}

ScheduleFile schedule_file_from(const std::string &text, const std::string &name) {
    ScheduleFile f;
    try {
        const Json j = Json::parse(text);
        if (j.at("emulsion_schedule") != format) throw std::invalid_argument("\"emulsion_schedule\" is not 1");
        f.request.generator = j.at("generator");
        for (const auto &[key, value] : j.at("params").items()) f.request.params[key] = value;
        for (const auto &[key, value] : j.at("shapes").items()) f.request.shapes[key] = value.get<std::vector<int>>();
        const Json &t = j.at("target"), &s = j.at("space"), &r = j.at("result"), &b = j.at("bound"), &p = j.at("proof"), &l = p.at("limits");
        f.target_name = t.at("name"), f.target_origin = t.at("origin"), f.target_hash = t.at("hash"), f.target_text = t.at("machine").dump();
        f.space_name = s.at("name"), f.space_version = s.at("version"), f.space_hash = s.at("hash");
        f.key = j.at("schedule").at("key");
        for (const auto &[key, value] : j.at("schedule").at("params").items()) f.schedule[key] = value;
        f.outcome.status = Status::exact;
        f.outcome.cycles = r.at("cycles"), f.outcome.energy_pj = r.at("energy_pj"), f.outcome.spm_bytes = r.at("spm_bytes"), f.outcome.ext_bytes = r.at("ext_bytes");
        f.outcome.program = r.at("program");
        f.bound = {b.at("cycles"), b.at("energy_pj"), b.at("spm_bytes"), b.at("ext_bytes")};
        f.state = named<State>(state_names, p.at("state"));
        f.objective = named<Objective>(objective_names, p.at("objective"));
        f.limits = {l.at("spm_bytes"), l.at("cycles"), l.at("energy_pj")};
        f.smallest_open = p.at("smallest_open"), f.search_gap = p.at("search_gap"), f.roofline_cycles = p.at("roofline_cycles"), f.roofline_gap = p.at("roofline_gap");
        f.problem_hash = j.at("versions").at("problem"), f.build = j.at("versions").at("build");
        f.search = j.at("search"), f.command = j.at("command");
        f.sealed = j.at("seal") == seal_of(j);
    } catch (const std::exception &e) {
        raise(Diag::certificate_refused, {.file = name}, fmt::format("\"{}\" is no schedule file: {}", name, e.what()));
    }
    return f;
}

}  // namespace emulsion::explore
