#include "apps/explore/layers/layers.h"

#include "runtime/diag/diag.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace emulsion::explore {
namespace {

const std::filesystem::path folder = EMULSION_LAYERS;

CompileRequest request_of(const nlohmann::json &j) {
    CompileRequest r;
    r.generator = j.at("generator");
    const auto number = [&](const char *name) { return j.at(name).get<int>(); };
    for (const char *axis : {"x", "y"}) {
        r.params[std::string("kernel_") + axis] = std::to_string(number("kernel"));
        r.params[std::string("stride_") + axis] = std::to_string(number("stride"));
        r.params[std::string("pad_") + axis] = std::to_string(number("pad"));
    }
    const int ci = number("in_c"), co = number("out_c"), k = number("kernel");
    r.shapes["in"] = {ci, number("in_x"), number("in_y"), 1};
    r.shapes["out"] = {co, number("out_x"), number("out_y"), 1};
    r.shapes["weights"] = r.generator == "conv2d" ? std::vector<int>{co, ci, k, k} : std::vector<int>{co, k, k};
    for (const char *parameter : {"bias", "multiplier", "shift"}) r.shapes[parameter] = {co};
    return r;
}

}  // namespace

std::vector<std::string> networks() {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<Layer> layers_of(const std::string &network) {
    std::ifstream in(folder / (network + ".json"));
    if (!in) raise(Diag::file_unreadable, {}, (folder / (network + ".json")).string());
    std::vector<Layer> layers;
    const auto file = nlohmann::json::parse(in);
    for (const auto &j : file.at("layers")) layers.push_back({j.at("name"), request_of(j)});
    return layers;
}

}  // namespace emulsion::explore
