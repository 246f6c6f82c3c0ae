// Machine files: presets, every key required and checked, bad bytes refused with a code.
#include "runtime/isa/target_desc.h"
#include "tests/runtime/raises.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>

namespace emulsion {
namespace {

using Json = nlohmann::json;

std::string preset_text(const std::string &name) {
    std::ifstream in(std::string(TARGETS_FOLDER) + "/" + name + ".json");
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string error_in(const Json &machine) {
    return error_of([&] { parse_target(machine.dump(), "my.json"); });
}

TEST(Presets, AreListedAndLoad) {
    EXPECT_EQ(list_targets(), (std::vector<std::string>{"edge-128", "edge-256", "edge-32", "edge-64", "mobile", "server"}));
    for (const std::string &name : list_targets()) {
        const TargetDesc t = load_target(name);
        EXPECT_EQ(t.name, name);
        EXPECT_EQ(t.origin, name);
        EXPECT_NE(t.hash, 0u);
        EXPECT_TRUE(Json::parse(preset_text(name)).contains("sources")) << name;
    }
}

/// Whether `sources` has a row for number `name`: under the name itself, or under one that it continues with . or _.
bool has_source(const Json &sources, const std::string &name) {
    for (const auto &[row, ignored] : sources.items())
        if (name == row || name.starts_with(row + ".") || name.starts_with(row + "_")) return true;
    return false;
}

/// Dotted names of the numbers of `object`, those of inner objects included.
std::vector<std::string> numbers_of(const Json &object, const std::string &prefix = "") {
    std::vector<std::string> names;
    for (const auto &[key, value] : object.items()) {
        if (value.is_number()) names.push_back(prefix + key);
        if (!value.is_object() || key == "sources") continue;
        for (const std::string &inner : numbers_of(value, prefix + key + ".")) names.push_back(inner);
    }
    return names;
}

TEST(Presets, EveryNumberHasASource) {
    for (const std::string &preset : list_targets()) {
        const Json machine = Json::parse(preset_text(preset));
        const std::vector<std::string> names = numbers_of(machine);
        EXPECT_GT(names.size(), 30u);
        for (const std::string &name : names) EXPECT_TRUE(has_source(machine["sources"], name)) << preset << " " << name;
    }
}

TEST(Presets, MacRatesAreTheirNames) {
    for (const int macs : {32, 64, 128, 256}) {
        const ArrayDesc a = load_target("edge-" + std::to_string(macs)).array;
        EXPECT_EQ(a.rows * a.columns * a.pixels_x * a.pixels_y, static_cast<uint32_t>(macs));
    }
    const TargetDesc mobile = load_target("mobile");
    EXPECT_EQ(mobile.array.kind, "systolic");
    EXPECT_EQ(mobile.acc_bytes, mobile.array.columns * 4096u * 4);
    EXPECT_EQ(mobile.array.slowdown.at(ElementType::f32), 16u);
}

TEST(Targets, HashIgnoresSpacingOrderAndSourcesOnly) {
    Json machine = Json::parse(preset_text("mobile"));
    const uint64_t hash = load_target("mobile").hash;
    EXPECT_EQ(parse_target(machine.dump(8), "x").hash, hash);
    machine["sources"] = "none";
    EXPECT_EQ(parse_target(machine.dump(), "x").hash, hash);
    machine["ext"]["latency"] = 201;
    EXPECT_NE(parse_target(machine.dump(), "x").hash, hash);
}

TEST(Targets, LoadFromPath) {
    const auto path = std::filesystem::temp_directory_path() / ("target" + std::to_string(getpid()) + ".json");
    std::ofstream(path) << preset_text("mobile");
    EXPECT_EQ(load_target(path.string()).origin, path.string());
    std::filesystem::remove(path);
    const std::string error = error_of([&] { load_target(path.string()); });
    EXPECT_NE(error.find("EM101 error"), std::string::npos) << error;
    EXPECT_NE(error.find("edge-128 edge-256 edge-32"), std::string::npos) << error;
    EXPECT_NE(error_of([] { load_target(TARGETS_FOLDER); }).find("EM101"), std::string::npos);
}

TEST(Targets, FolderComesFromTheEnvironment) {
    setenv("EMULSION_TARGETS", "/nonexistent", 1);
    EXPECT_TRUE(list_targets().empty());
    EXPECT_NE(error_of([] { load_target("mobile"); }).find("EM101"), std::string::npos);
    unsetenv("EMULSION_TARGETS");
}

TEST(Targets, EveryMissingKeyIsNamed) {
    const Json machine = Json::parse(preset_text("mobile"));
    const auto check = [](Json without, Json::json_pointer object, const std::string &key, const std::string &name) {
        without[object].erase(key);
        EXPECT_NE(error_in(without).find("EM103 error: target file has no key \"" + name + "\""), std::string::npos) << error_in(without);
    };
    for (const auto &[key, value] : machine.items()) {
        if (key == "sources") continue;
        check(machine, Json::json_pointer(""), key, key);
        if (!value.is_object()) continue;
        for (const auto &[inner, ignored] : value.items())
            if (inner != "slowdown") check(machine, Json::json_pointer("/" + key), inner, key + "." + inner);
    }
}

TEST(Targets, UnknownKeysAreNamed) {
    Json machine = Json::parse(preset_text("mobile"));
    machine["array"]["colums"] = 3;
    const std::string error = error_in(machine);
    EXPECT_NE(error.find("EM104 error: target file has an unknown key \"array.colums\""), std::string::npos) << error;
    EXPECT_NE(error.find("columns"), std::string::npos) << error;
}

TEST(Targets, AKeyThatComesTwiceIsRefused) {
    std::string text = preset_text("mobile");
    text.insert(text.find("\"cores\""), "\"cores\": 7, ");
    const std::string error = error_of([&] { parse_target(text, "my.json"); });
    EXPECT_TRUE(error.starts_with("EM102 error")) << error;
    EXPECT_NE(error.find("\"cores\" comes twice"), std::string::npos) << error;
    EXPECT_EQ(error_of([&] { parse_target(preset_text("mobile"), "my.json"); }), "");
}

TEST(Targets, WrongValuesAreNamed) {
    const struct { const char *pointer; Json value; const char *name, *wanted; } rows[] = {
        {"/spm_bytes", -1, "spm_bytes", "an integer in [1, "}, {"/cores", 1.5, "cores", "an integer"},
        {"/cores", 1ull << 33, "cores", "4294967295"},         {"/array/kind", "ring", "array.kind", "systolic dot_product"},
        {"/array", 3, "array", "an object"},                   {"/clock_mhz", "fast", "clock_mhz", "a number >= 1"},
        {"/energy/issue", -2, "energy.issue", "a number >= 0"}, {"/name", "", "name", "a non-empty string"},
        {"/array/slowdown/i8", 0, "array.slowdown.i8", "an integer in [1, 65536]"},
        {"/array/slowdown/i7", 1, "array.slowdown.i7", "no element type"}};
    for (const auto &row : rows) {
        Json machine = Json::parse(preset_text("mobile"));
        machine[Json::json_pointer(row.pointer)] = row.value;
        const std::string error = error_in(machine);
        EXPECT_NE(error.find(std::string("EM105 error: key \"") + row.name + "\""), std::string::npos) << error;
        EXPECT_NE(error.find(row.wanted), std::string::npos) << error;
        EXPECT_NE(error.find("my.json"), std::string::npos) << error;
    }
}

TEST(Targets, AnyBytesGiveACodedErrorOrAMachine) {
    const std::string text = preset_text("edge-32");
    for (size_t size = 0; size + 2 < text.size(); size++)
        EXPECT_NE(error_of([&] { parse_target(text.substr(0, size), "x"); }).find("EM102"), std::string::npos) << size;
    std::mt19937 random(5);
    for (int k = 0; k < 5000; k++) {
        std::string damaged = text;
        for (int flips = 1 + k % 3; flips > 0; flips--) damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
        const std::string error = error_of([&] { parse_target(damaged, "x"); });
        EXPECT_TRUE(error.empty() || error.starts_with("EM10")) << error;
    }
    EXPECT_NE(error_of([] { parse_target(std::string(1 << 20, '['), "x"); }).find("EM102"), std::string::npos);
}

}  // namespace
}  // namespace emulsion
