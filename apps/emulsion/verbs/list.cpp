// emulsion list: the generators linked into the command.
#include "apps/emulsion/verb.h"
#include "dsl/registry.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace emulsion::command {
namespace {

int list(bool json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const GeneratorInfo &g : registered_generators()) {
        if (json) rows.push_back({{"name", g.name}, {"says", g.says}, {"file", g.file}, {"line", g.line}});
        else fmt::print("{:<24}{}\n", g.name, g.says);
    }
    if (json) fmt::print("{}\n", rows.dump(2));
    return 0;
}

const RegisterVerb verb{{"list", "Lists the generators.", {"emulsion list", "emulsion list --json"}, [](CLI::App &app) {
                             auto json = std::make_shared<bool>(false);
                             app.add_flag("--json", *json, "print JSON");
                             return [json] { return list(*json); };
                         }}};

}  // namespace
}  // namespace emulsion::command
