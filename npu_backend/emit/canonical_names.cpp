#include "npu_backend/emit/canonical_names.h"

#include <cctype>
#include <map>

namespace emulsion {
namespace {

/// Without each "$<number>".
std::string without_numbers(const std::string &name) {
    std::string plain;
    for (size_t k = 0; k < name.size();) {
        size_t end = k + 1;
        while (name[k] == '$' && end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) end++;
        if (end == k + 1) plain += name[k];
        k = end;
    }
    return plain;
}

class Names {
public:
    /// "function" or "function.part".
    std::string canonical(const std::string &name) {
        const size_t dot = std::min(name.find('.'), name.size());
        const std::string function = name.substr(0, dot), plain = without_numbers(function);
        auto [it, fresh] = known_.try_emplace(function);
        if (fresh) {
            const int number = used_[plain]++;
            it->second = number == 0 ? plain : plain + "$" + std::to_string(number);
        }
        return it->second + name.substr(dot);
    }

private:
    std::map<std::string, std::string> known_;
    std::map<std::string, int> used_;
};

}  // namespace

void make_names_canonical(Program &program) {
    Names names;
    for (BufferEntry &b : program.buffers) b.name = names.canonical(b.name);
    for (DebugEntry &d : program.debug) d.stage = names.canonical(d.stage);
}

}  // namespace emulsion
