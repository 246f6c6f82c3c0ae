#include "runtime/diag/diag.h"

#include <cstdio>
#include <iterator>

namespace emulsion {

const DiagInfo diagnostics[] = {
#define DIAG(id, code, kind, text, advice) {Diag::id, #id, DiagKind::kind, text, advice},
#include "runtime/diag/diagnostics.def"
#undef DIAG
};
const int diagnostic_count = std::size(diagnostics);

namespace {
std::function<void(const Diagnostic &)> warning_sink;

std::string_view kind_word(DiagKind k) {
    constexpr std::string_view words[] = {"error", "internal error", "runtime error", "warning"};
    return words[static_cast<int>(k)];
}
}  // namespace

const DiagInfo &info(Diag id) {
    for (const DiagInfo &d : diagnostics) {
        if (d.id == id) return d;
    }
    return info(Diag::internal_error);
}

std::string Diagnostic::code() const { return fmt::format("EM{}", static_cast<int>(id)); }

std::string Diagnostic::text() const {
    std::string s = fmt::format("{} {}: {}", code(), kind_word(info(id).kind), message);
    if (!place.file.empty()) s += fmt::format("   {}:{}", place.file, place.line);
    if (!place.file.empty() && place.column) s += fmt::format(":{}", place.column);
    if (!place.stage.empty()) s += fmt::format("\n  stage \"{}\"", place.stage);
    if (!place.node.empty()) s += fmt::format("\n  at {}", place.node);
    if (!advice.empty()) s += fmt::format("\n  what to do: {}", advice);
    return s;
}

Error::Error(Diagnostic d) : diagnostic_(std::move(d)), text_(diagnostic_.text()) {}

Diagnostic make_diagnostic(Diag id, Place place, fmt::format_args args) {
    const DiagInfo &row = info(id);
    return {id, std::move(place), fmt::vformat(row.text, args), fmt::vformat(row.advice, args)};
}

void set_warning_sink(std::function<void(const Diagnostic &)> sink) { warning_sink = std::move(sink); }

void emit_warning(Diagnostic d) {
    if (warning_sink) return warning_sink(d);
    fmt::print(stderr, "{}\n", d.text());
}

}  // namespace emulsion
