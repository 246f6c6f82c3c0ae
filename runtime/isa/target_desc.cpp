// Reads machine files: one function per object names its keys once; the reader checks types, ranges and leftovers.
#include "runtime/isa/target_desc.h"

#include "runtime/diag/diag.h"
#include "runtime/isa/hash.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace emulsion {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// One JSON object on its way into a struct. `path` is the dotted name of the object, for messages.
class ObjectReader {
public:
    ObjectReader(const Json &object, std::string path, std::string file) : object_(object), path_(std::move(path)), file_(std::move(file)) {
        if (!object.is_object()) wrong("", object, "an object");
    }

    const Json &get(const char *key) {
        known_.insert(key);
        const auto it = object_.find(key);
        if (it == object_.end()) raise(Diag::target_key_missing, {.file = file_}, name(key));
        return *it;
    }

    /// An integer in [lowest, highest of T].
    template<typename T>
    void integer(const char *key, T &out, uint64_t lowest) {
        const Json &v = get(key);
        const uint64_t highest = std::min<uint64_t>(std::numeric_limits<T>::max(), uint64_t{1} << 40);
        if (!v.is_number_unsigned() || v.get<uint64_t>() < lowest || v.get<uint64_t>() > highest)
            wrong(key, v, fmt::format("an integer in [{}, {}]", lowest, highest));
        out = v.get<T>();
    }

    /// A finite number >= lowest.
    void number(const char *key, double &out, double lowest) {
        const Json &v = get(key);
        if (!v.is_number() || !std::isfinite(v.get<double>()) || v.get<double>() < lowest)
            wrong(key, v, fmt::format("a number >= {}", lowest));
        out = v.get<double>();
    }

    void text(const char *key, std::string &out, std::initializer_list<const char *> legal = {}) {
        const Json &v = get(key);
        if (!v.is_string() || v.get<std::string>().empty()) wrong(key, v, "a non-empty string");
        out = v.get<std::string>();
        if (legal.size() && std::find(legal.begin(), legal.end(), out) == legal.end())
            wrong(key, v, fmt::format("one of {}", fmt::join(legal, " ")));
    }

    ObjectReader object(const char *key) { return {get(key), name(key), file_}; }

    void allow(const char *key) { known_.insert(key); }

    void refuse_unknown_keys() const {
        for (const auto &[key, value] : object_.items())
            if (!known_.contains(key))
                raise(Diag::target_key_unknown, {.file = file_}, name(key), fmt::format("{}", fmt::join(known_, " ")));
    }

    const Json &json() const { return object_; }

    [[noreturn]] void wrong(const std::string &key, const Json &value, const std::string &wanted) const {
        const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
        raise(Diag::target_key_wrong, {.file = file_}, name(key), text.substr(0, 80), wanted);
    }

private:
    std::string name(const std::string &key) const {
        return path_.empty() || key.empty() ? path_ + key : path_ + "." + key;
    }

    const Json &object_;
    std::string path_, file_;
    std::set<std::string> known_;
};

void read_slowdown(const ObjectReader &o, std::map<ElementType, uint32_t> &out) {
    for (const auto &[key, value] : o.json().items()) {
        const auto row = std::find_if(std::begin(element_types), std::end(element_types), [&](const auto &t) { return t.name == key; });
        if (row == std::end(element_types)) o.wrong(key, value, "removed: no element type has this name");
        if (!value.is_number_unsigned() || value.get<uint64_t>() < 1 || value.get<uint64_t>() > 65536)
            o.wrong(key, value, "an integer in [1, 65536]");
        out[static_cast<ElementType>(row - std::begin(element_types))] = value.get<uint32_t>();
    }
}

void read_array(ObjectReader o, ArrayDesc &a) {
    o.text("kind", a.kind, {"systolic", "dot_product"});
    o.integer("rows", a.rows, 1);
    o.integer("columns", a.columns, 1);
    o.integer("pixels_x", a.pixels_x, 1);
    o.integer("pixels_y", a.pixels_y, 1);
    o.integer("depthwise_macs", a.depthwise_macs, 1);
    o.integer("weight_bytes_per_cycle", a.weight_bytes_per_cycle, 1);
    o.integer("step_overhead", a.step_overhead, 0);
    read_slowdown(o.object("slowdown"), a.slowdown);
    o.refuse_unknown_keys();
}

void read_memory(ObjectReader o, MemoryDesc &m) {
    o.integer("bytes_per_cycle_x10", m.bytes_per_cycle_x10, 1);
    o.integer("latency", m.latency, 0);
    o.integer("outstanding", m.outstanding, 1);
    o.integer("burst_bytes", m.burst_bytes, 1);
    o.integer("request_bytes", m.request_bytes, 1);
    o.refuse_unknown_keys();
}

void read_energy(ObjectReader o, EnergyDesc &e) {
    const std::pair<const char *, double EnergyDesc::*> keys[] = {
        {"mac_i8", &EnergyDesc::mac_i8},     {"mac_f16", &EnergyDesc::mac_f16},     {"mac_f32", &EnergyDesc::mac_f32},
        {"spm_byte", &EnergyDesc::spm_byte}, {"acc_byte", &EnergyDesc::acc_byte},   {"ext_byte", &EnergyDesc::ext_byte},
        {"lookup", &EnergyDesc::lookup},     {"vector_op", &EnergyDesc::vector_op}, {"issue", &EnergyDesc::issue},
        {"static_per_cycle", &EnergyDesc::static_per_cycle}};
    for (const auto &[key, field] : keys) o.number(key, e.*field, 0);
    o.refuse_unknown_keys();
}

void read_machine(ObjectReader o, TargetDesc &t) {
    o.text("name", t.name);
    o.number("clock_mhz", t.clock_mhz, 1);
    o.integer("cores", t.cores, 1);
    o.integer("spm_bytes", t.spm_bytes, 1);
    o.integer("spm_banks", t.spm_banks, 1);
    o.integer("spm_bytes_per_cycle", t.spm_bytes_per_cycle, 1);
    o.integer("acc_bytes", t.acc_bytes, 1);
    read_array(o.object("array"), t.array);
    read_memory(o.object("ext"), t.ext);
    o.integer("output_elements_per_cycle", t.output_elements_per_cycle, 1);
    o.integer("output_latency", t.output_latency, 0);
    o.integer("vector_lanes", t.vector_lanes, 1);
    o.integer("vector_latency", t.vector_latency, 0);
    o.integer("queue_depth", t.queue_depth, 1);
    read_energy(o.object("energy"), t.energy);
    o.allow("sources");
    o.refuse_unknown_keys();
}

fs::path preset_folder() {
    if (const char *chosen = std::getenv("EMULSION_TARGETS")) return chosen;
    std::error_code ignored;
    // A package that was installed or moved elsewhere than its build said still has bin/ next to share/.
    const fs::path moved = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../share/emulsion/targets";
    for (const fs::path &folder : {fs::path(EMULSION_SOURCE_TARGETS), moved})
        if (fs::is_directory(folder, ignored)) return folder;
    return EMULSION_INSTALLED_TARGETS;
}

/// Parses `text`. Stops hostile nesting long before the stack ends, and keys that come twice: only the last would count.
Json parse_json(const std::string &text) {
    std::vector<std::set<std::string>> keys;
    return Json::parse(text, [&](int depth, Json::parse_event_t event, Json &value) {
        if (depth > 16) throw std::runtime_error("nested deeper than 16 objects");
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            throw std::runtime_error("the key " + value.dump(-1, ' ', false, Json::error_handler_t::replace) + " comes twice in one object");
        return true;
    });
}

}  // namespace

TargetDesc parse_target(const std::string &text, const std::string &origin) {
    Json json;
    try {
        json = parse_json(text);
    } catch (const std::exception &e) {
        raise(Diag::target_syntax, {.file = origin}, std::string(e.what()));
    }
    TargetDesc t;
    read_machine({json, "", origin}, t);
    json.erase("sources");
    t.text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    t.hash = hash_bytes(t.text.data(), t.text.size());
    t.origin = origin;
    return t;
}

std::vector<std::string> list_targets() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(preset_folder(), ignored))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

TargetDesc load_target(const std::string &name_or_path) {
    const std::vector<std::string> names = list_targets();
    const bool preset = std::binary_search(names.begin(), names.end(), name_or_path);
    std::error_code ignored;
    const fs::path path = preset ? preset_folder() / (name_or_path + ".json") : fs::path(name_or_path);
    std::ifstream in(path, std::ios::binary);
    if (!fs::is_regular_file(path, ignored) || !in)
        raise(Diag::target_unknown, {}, name_or_path, fmt::format("{}", fmt::join(names, " ")));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return parse_target(text, name_or_path);
}

}  // namespace emulsion
