#include "dsl/space.h"

#include <algorithm>
#include <fmt/format.h>

namespace emulsion {

namespace {

std::map<std::string, SpaceFactory> &factories() {
    static std::map<std::string, SpaceFactory> table;
    return table;
}

int64_t turns(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

}  // namespace

int64_t Choices::operator[](size_t parameter) const {
    const SpaceParameter &p = space_.parameters_.at(parameter);
    return p.values[open(parameter) ? 0 : static_cast<size_t>(point_[parameter])].number;
}

const std::string &Choices::text(size_t parameter) const {
    const SpaceParameter &p = space_.parameters_.at(parameter);
    return p.values[open(parameter) ? 0 : static_cast<size_t>(point_[parameter])].text;
}

size_t ScheduleSpace::choice(const std::string &name, const std::vector<std::string> &values, const std::string &says) {
    SpaceParameter p{name, says, false, {}, values.size()};
    for (size_t k = 0; k < values.size(); k++) p.values.push_back({values[k], static_cast<int64_t>(k)});
    parameters_.push_back(std::move(p));
    return parameters_.size() - 1;
}

size_t ScheduleSpace::number(const std::string &name, const std::vector<int64_t> &values, const std::string &says) {
    SpaceParameter p{name, says, false, {}, values.size()};
    for (int64_t v : values) p.values.push_back({std::to_string(v), v});
    parameters_.push_back(std::move(p));
    return parameters_.size() - 1;
}

size_t ScheduleSpace::tile(const std::string &name, int64_t extent, int64_t granule, const std::string &says) {
    SpaceParameter p{name, says, true, {}, static_cast<uint64_t>(extent)};
    for (int64_t size = std::min(granule, extent), last = 0; size <= extent; size = std::min(size + granule, extent)) {
        if (const int64_t n = turns(extent, size); n != last) p.values.push_back({std::to_string(size), size}), last = n;
        if (size == extent) break;
    }
    parameters_.push_back(std::move(p));
    return parameters_.size() - 1;
}

void ScheduleSpace::skip(const std::string &says, std::function<bool(const Choices &)> skip, int last) {
    rules_.push_back({says, last < 0 ? parameters_.size() : static_cast<size_t>(last) + 1, std::move(skip)});
}

void ScheduleSpace::fits(const std::string &name, uint64_t limit, std::function<uint64_t(const Choices &)> bytes) {
    const auto first_tile = std::find_if(parameters_.begin(), parameters_.end(), [](const SpaceParameter &p) { return p.is_tile; });
    const auto choices = static_cast<size_t>(first_tile - parameters_.begin());
    limits_.push_back({name, limit, std::move(bytes), choices});
}

const SpaceRule *ScheduleSpace::double_of(const Point &point) const {
    const Choices c(*this, point);
    for (const SpaceRule &r : rules_)
        if (r.needs == point.size() && r.skip(c)) return &r;
    return nullptr;
}

const SpaceLimit *ScheduleSpace::misfit(const Point &point) const {
    const Choices c(*this, point);
    for (const SpaceLimit &l : limits_)
        if (point.size() >= l.needs && l.bytes(c) > l.limit) return &l;
    return nullptr;
}

bool ScheduleSpace::legal(const Point &point) const {
    if (point.size() != depth()) return false;
    for (size_t k = 1; k <= point.size(); k++)
        if (double_of(Point(point.begin(), point.begin() + static_cast<long>(k)))) return false;
    return !misfit(point);
}

std::map<std::string, std::string> ScheduleSpace::values(const Point &point) const {
    std::map<std::string, std::string> v;
    for (size_t k = 0; k < point.size(); k++) v[parameters_[k].name] = parameters_[k].values[static_cast<size_t>(point[k])].text;
    return v;
}

std::string ScheduleSpace::key(const Point &point) const {
    std::string text;
    for (size_t k = 0; k < point.size(); k++)
        text += fmt::format("{}{}={}", k ? " " : "", parameters_[k].name, parameters_[k].values[static_cast<size_t>(point[k])].text);
    return text;
}

Point ScheduleSpace::point(const std::string &key) const {
    Point point;
    size_t at = 0;
    for (const SpaceParameter &p : parameters_) {
        const size_t end = std::min(key.find(' ', at), key.size());
        const std::string word = key.substr(at, end - at);
        const auto it = std::find_if(p.values.begin(), p.values.end(), [&](const SpaceValue &v) { return word == p.name + "=" + v.text; });
        if (it == p.values.end()) return {};
        point.push_back(static_cast<int16_t>(it - p.values.begin()));
        at = std::min(end + 1, key.size());
    }
    return at >= key.size() ? point : Point{};
}

Point ScheduleSpace::nearest(const std::map<std::string, std::string> &params) const {
    Point best;
    // Depth first, the wanted value first, then smaller tiles, then larger ones.
    const std::function<bool(Point &)> complete = [&](Point &point) {
        if (double_of(point) || misfit(point)) return false;
        if (point.size() == depth()) return best = point, true;
        const SpaceParameter &p = parameters_[point.size()];
        std::vector<int16_t> order;
        const auto wanted = params.find(p.name);
        int first = p.is_tile ? static_cast<int>(p.values.size()) - 1 : 0;
        if (wanted != params.end())
            for (size_t k = 0; k < p.values.size(); k++) {
                const bool same = p.values[k].text == wanted->second;
                if (k == 0) first = 0;
                if (same || (p.is_tile && p.values[k].number <= std::atoll(wanted->second.c_str()))) first = static_cast<int>(k);
                if (same) break;
            }
        for (int k = first; k >= 0; k--) order.push_back(static_cast<int16_t>(k));
        for (int k = first + 1; k < static_cast<int>(p.values.size()); k++) order.push_back(static_cast<int16_t>(k));
        for (int16_t k : order) {
            point.push_back(k);
            if (complete(point)) return true;
            point.pop_back();
        }
        return false;
    };
    Point point;
    complete(point);
    return best;
}

bool ScheduleSpace::visit(Point &point, const std::function<void(const Point &)> &f, SpaceCounts &counts) const {
    counts.visited++;
    if (point.size() == depth()) {
        f(point);
        return true;
    }
    for (size_t k = 0; k < parameters_[point.size()].values.size(); k++) {
        point.push_back(static_cast<int16_t>(k));
        if (!double_of(point)) visit(point, f, counts);
        point.pop_back();
    }
    return true;
}

SpaceCounts ScheduleSpace::count() const {
    SpaceCounts counts;
    counts.raw = 1;
    for (const SpaceParameter &p : parameters_) counts.raw *= static_cast<double>(p.raw);
    Point point;
    visit(point, [&](const Point &p) { counts.canonical++, counts.fitting += !misfit(p); }, counts);
    return counts;
}

void ScheduleSpace::each(const std::function<void(const Point &)> &f) const {
    SpaceCounts counts;
    Point point;
    visit(point, [&](const Point &p) { if (!misfit(p)) f(p); }, counts);
}

std::string ScheduleSpace::text() const {
    std::string text = fmt::format("{} {}", name_, version_);
    for (const SpaceParameter &p : parameters_) {
        text += "\n" + p.name;
        for (const SpaceValue &v : p.values) text += " " + v.text;
    }
    for (const SpaceRule &r : rules_) text += "\nskip " + r.says;
    for (const SpaceLimit &l : limits_) text += fmt::format("\nfits {} {}", l.name, l.limit);
    return text;
}

int64_t SpaceRequest::number(const std::string &param, int64_t otherwise) const {
    const auto it = params.find(param);
    return it == params.end() ? otherwise : std::atoll(it->second.c_str());
}

std::string SpaceRequest::word(const std::string &param, const std::string &otherwise) const {
    const auto it = params.find(param);
    return it == params.end() ? otherwise : it->second;
}

std::vector<int> SpaceRequest::shape(const std::string &buffer) const {
    const auto it = shapes.find(buffer);
    return it == shapes.end() ? std::vector<int>{} : it->second;
}

int64_t SpaceRequest::bytes(const std::string &param, const std::string &otherwise) const {
    const std::string type = word(param, otherwise);
    const size_t digit = type.find_first_of("123456789");
    return digit == std::string::npos ? 1 : std::max<int64_t>(1, std::atoll(type.c_str() + digit) / 8);
}

RegisteredSpace::RegisteredSpace(const char *generator, SpaceFactory factory) { factories()[generator] = std::move(factory); }

std::vector<std::string> generators_with_spaces() {
    std::vector<std::string> names;
    for (const auto &[name, factory] : factories()) names.push_back(name);
    return names;
}

const SpaceFactory *find_space(const std::string &generator) {
    const auto it = factories().find(generator);
    return it == factories().end() ? nullptr : &it->second;
}

}  // namespace emulsion
