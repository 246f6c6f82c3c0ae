#include "apps/emulsion/verb.h"

#include <fmt/ranges.h>
#include <map>

namespace emulsion::command {

namespace {

std::map<std::string, Verb> &table() {
    static std::map<std::string, Verb> rows;
    return rows;
}

}  // namespace

std::vector<Verb> verbs() {
    std::vector<Verb> rows;
    for (const auto &[name, verb] : table()) rows.push_back(verb);
    return rows;
}

RegisterVerb::RegisterVerb(Verb verb) { table()[verb.name] = std::move(verb); }

std::string one_of(const std::vector<std::string> &values) { return fmt::format("one of {}", fmt::join(values, " ")); }

}  // namespace emulsion::command
