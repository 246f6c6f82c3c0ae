// emulsion targets: the preset machines.
#include "apps/emulsion/verb.h"
#include "runtime/isa/target_desc.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace emulsion::command {
namespace {

std::string array_text(const ArrayDesc &a) {
    if (a.kind == "systolic") return fmt::format("{}x{} systolic", a.rows, a.columns);
    return fmt::format("{}x{}x{}x{} dot product", a.pixels_x, a.pixels_y, a.rows, a.columns);
}

int targets(bool json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    if (!json) fmt::print("{:<12}{:>8}  {:<24}{:>12}{:>12}{:>14}{:>8}\n", "name", "MHz", "MAC array", "scratchpad", "accumulator", "EXT B/cycle", "lanes");
    for (const std::string &name : list_targets()) {
        const TargetDesc t = load_target(name);
        const double bandwidth = t.ext.bytes_per_cycle_x10 / 10.0;
        if (json)
            rows.push_back({{"name", name}, {"clock_mhz", t.clock_mhz}, {"cores", t.cores}, {"array", t.array.kind},
                            {"rows", t.array.rows}, {"columns", t.array.columns}, {"spm_bytes", t.spm_bytes},
                            {"acc_bytes", t.acc_bytes}, {"ext_bytes_per_cycle", bandwidth}, {"vector_lanes", t.vector_lanes}});
        else
            fmt::print("{:<12}{:>8.0f}  {:<24}{:>12}{:>12}{:>14.1f}{:>8}\n", name, t.clock_mhz, array_text(t.array), t.spm_bytes,
                       t.acc_bytes, bandwidth, t.vector_lanes);
    }
    if (json) fmt::print("{}\n", rows.dump(2));
    return 0;
}

const RegisterVerb verb{{"targets", "Lists the preset machines.", {"emulsion targets"}, [](CLI::App &app) {
                             auto json = std::make_shared<bool>(false);
                             app.add_flag("--json", *json, "print JSON");
                             return [json] { return targets(*json); };
                         }}};

}  // namespace
}  // namespace emulsion::command
