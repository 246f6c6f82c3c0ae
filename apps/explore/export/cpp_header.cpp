#include "apps/explore/export/schedule_file.h"

#include <cctype>
#include <fmt/format.h>

namespace emulsion::explore {
namespace {

std::string identifier(std::string text) {
    for (char &c : text)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return std::isdigit(static_cast<unsigned char>(text.front())) ? "_" + text : text;
}

std::string rows(const std::map<std::string, std::string> &params) {
    std::string text;
    for (const auto &[name, value] : params) text += fmt::format("    {{{}, {}}},\n", nlohmann::json(name).dump(), nlohmann::json(value).dump());
    return text;
}

}  // namespace

std::string cpp_header(const ScheduleFile &f, const std::string &name) {
    std::map<std::string, std::string> params = f.request.params;
    params.insert(f.schedule.begin(), f.schedule.end());
    return fmt::format(R"(// {generator} on {target}: {cycles} cycles, search gap {gap:.2f} %, roofline gap {roof:.2f} %.
// {key}
// Made by {command}
#pragma once
#include <cstdint>

namespace emulsion::schedules::{name} {{

inline constexpr const char *generator = "{generator}", *target = "{target}";
inline constexpr uint64_t target_hash = 0x{hash}, cycles = {cycles}, bound_cycles = {bound};

struct Param {{
    const char *name, *value;
}};

/// Every parameter that the generator must be given, the schedule's among them.
inline constexpr Param params[] = {{
{rows}}};

}}  // namespace emulsion::schedules::{name}
)",
                       fmt::arg("generator", f.request.generator), fmt::arg("target", f.target_name), fmt::arg("cycles", f.outcome.cycles), fmt::arg("gap", 100 * f.search_gap),
                       fmt::arg("roof", 100 * f.roofline_gap), fmt::arg("key", f.key), fmt::arg("command", f.command), fmt::arg("name", identifier(name)), fmt::arg("hash", f.target_hash),
                       fmt::arg("bound", f.bound.cycles), fmt::arg("rows", rows(params)));
}

}  // namespace emulsion::explore
