#include "runtime/emulator/trace.h"

#include <map>
#include <nlohmann/json.hpp>

namespace emulsion {
namespace {

using Json = nlohmann::ordered_json;

Json thread_name(int queue) {
    return {{"name", "thread_name"}, {"ph", "M"}, {"pid", 0}, {"tid", queue}, {"args", {{"name", queue_names[queue]}}}};
}

}  // namespace

std::string chrome_trace(const Program &program, const TimingReport &report) {
    std::map<uint32_t, const DebugEntry *> stages;
    for (const DebugEntry &e : program.debug) stages[e.pc] = &e;
    Json events = Json::array();
    for (int q = 1; q < queue_count; q++) events.push_back(thread_name(q));
    for (const TimingReport::Event &e : report.events) {
        const std::string_view mnemonic = find_instruction(program.code[e.pc].op)->name;
        const auto stage = stages.find(e.pc);
        Json args = {{"instruction", e.pc}, {"mnemonic", mnemonic}};
        if (stage != stages.end() && stage->second->line)
            args["source"] = stage->second->file + ":" + std::to_string(stage->second->line);
        const std::string name = stage == stages.end() ? std::string(mnemonic) : stage->second->stage;
        events.push_back({{"name", name},
                          {"ph", "X"},
                          {"pid", 0},
                          {"tid", e.queue},
                          {"ts", e.start},
                          {"dur", e.end - e.start},
                          {"args", std::move(args)}});
    }
    const Json document = {{"displayTimeUnit", "ns"},
                           {"otherData", {{"program", program.name}, {"machine", program.machine}, {"unit", "cycles"}}},
                           {"traceEvents", std::move(events)}};
    // Names come from program files, which may hold any bytes.
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace emulsion
