#include "apps/explore/db/jsonl.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

namespace emulsion::explore {

std::string to_jsonl(const StoredResult &r) {
    const Outcome &o = r.outcome;
    nlohmann::ordered_json j = {{"problem", r.problem}, {"machine", r.machine}, {"build", r.build}, {"space", r.space}, {"schedule", r.schedule},
                                {"status", status_names[static_cast<int>(o.status)]}, {"cycles", o.cycles}, {"limit", o.limit}, {"energy_pj", o.energy_pj},
                                {"spm_bytes", o.spm_bytes}, {"ext_bytes", o.ext_bytes}, {"program", o.program}, {"error", o.error}, {"ms", o.milliseconds}};
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

StoredResult from_jsonl(const std::string &line) {
    const auto j = nlohmann::json::parse(line);
    StoredResult r{j.at("problem"), j.at("machine"), j.at("build"), j.at("space"), j.at("schedule"), {}};
    const std::string status = j.at("status");
    const auto name = std::find(std::begin(status_names), std::end(status_names), status);
    if (name == std::end(status_names)) throw std::invalid_argument("status \"" + status + "\"");
    Outcome &o = r.outcome;
    o.status = static_cast<Status>(name - std::begin(status_names));
    o.cycles = j.at("cycles"), o.limit = j.at("limit"), o.energy_pj = j.at("energy_pj"), o.spm_bytes = j.at("spm_bytes"), o.ext_bytes = j.at("ext_bytes");
    o.program = j.at("program"), o.error = j.at("error"), o.milliseconds = j.at("ms");
    return r;
}

void write_jsonl(const Database &database, std::ostream &out) {
    database.each([&](const StoredResult &r) { out << to_jsonl(r) << '\n'; });
}

uint64_t read_jsonl(Database &database, std::istream &in, const std::string &name) {
    std::vector<StoredResult> rows;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        number++;
        if (line.empty()) continue;
        try {
            rows.push_back(from_jsonl(line));
        } catch (const std::exception &e) {
            raise(Diag::jsonl_broken, {}, number, name, std::string(e.what()));
        }
    }
    uint64_t added = 0;
    for (const StoredResult &r : rows) added += database.insert(r);
    return added;
}

}  // namespace emulsion::explore
