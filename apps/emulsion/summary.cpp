#include "apps/emulsion/summary.h"

#include "runtime/device/report.h"

#include <fmt/format.h>

namespace emulsion::command {

void print_summary(const Program &program, const TargetDesc &target, const std::optional<TimingReport> &timing) {
    fmt::print("{}", timing ? summary_text(program, target, *timing) : fmt::format("{} on {}\n", program.name, target.name));
    fmt::print("  program     {} instructions, {} B of constants, {}\n", program.code.size(), program.constants.size(),
               program.certificate.checker_version ? "verified" : "not verified: its sizes are known at launch");
}

nlohmann::ordered_json summary(const Program &program, const TargetDesc &target, const std::optional<TimingReport> &timing) {
    nlohmann::ordered_json j = timing ? nlohmann::ordered_json::parse(summary_json(program, target, *timing))
                                      : nlohmann::ordered_json{{"program", program.name}, {"target", target.name}};
    j["instructions"] = program.code.size();
    j["constant_bytes"] = program.constants.size();
    j["verified"] = program.certificate.checker_version != 0;
    return j;
}

}  // namespace emulsion::command
