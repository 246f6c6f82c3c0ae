// Diagnostics: one catalogue (diagnostics.def), three kinds, one exception type.
//
//   raise(Diag::target_unknown, {.stage = "…"}, name, legal_names);
//
// prints as
//   EM101 error: target "x" is neither a preset nor a file                 file.cpp:12
//     stage "…"
//     what to do: one of …
#pragma once
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace emulsion {

/// user: schedule, model or file is wrong. internal: our bug. runtime: loader, device or emulator. warning: work goes on.
enum class DiagKind : uint8_t { user, internal, runtime, warning };

enum class Diag : uint16_t {
#define DIAG(id, code, kind, text, advice) id = code,
#include "runtime/diag/diagnostics.def"
#undef DIAG
};

struct DiagInfo {
    Diag id;
    std::string_view name;
    DiagKind kind;
    std::string_view text, advice;
};

/// The catalogue, in file order.
extern const DiagInfo diagnostics[];
extern const int diagnostic_count;
const DiagInfo &info(Diag id);

/// Where a diagnostic points; empty fields are left out of the text.
struct Place {
    std::string stage{}, file{};
    uint32_t line = 0;
    std::string node{};  ///< loop, instruction, graph node, byte offset: free text
    uint32_t column = 0; ///< from 1; 0: the line alone
};

struct Diagnostic {
    Diag id{};
    Place place;
    std::string message, advice;
    std::string text() const;  ///< as printed: "EM101 error: …"
    std::string code() const;  ///< "EM101"
};

class Error : public std::exception {
public:
    explicit Error(Diagnostic d);
    const char *what() const noexcept override { return text_.c_str(); }
    const Diagnostic &diagnostic() const { return diagnostic_; }

private:
    Diagnostic diagnostic_;
    std::string text_;
};

Diagnostic make_diagnostic(Diag id, Place place, fmt::format_args args);

template<typename... Args>
[[noreturn]] void raise(Diag id, Place place, const Args &...args) {
    throw Error(make_diagnostic(id, std::move(place), fmt::make_format_args(args...)));
}

/// Receives warnings; null restores the default, which writes them to standard error.
void set_warning_sink(std::function<void(const Diagnostic &)> sink);
void emit_warning(Diagnostic d);

template<typename... Args>
void warn(Diag id, Place place, const Args &...args) {
    emit_warning(make_diagnostic(id, std::move(place), fmt::make_format_args(args...)));
}

}  // namespace emulsion
