// Reads the values that text_writer.h writes, and says where in the text a mistake is.
#pragma once
#include "runtime/diag/diag.h"
#include "runtime/program/enum_names.h"
#include "runtime/program/record_fields.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace emulsion {

/// A position in a text. Spaces and comments (from # to the end of the line) are skipped; ends of lines are not.
class TextReader {
public:
    TextReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    bool at_end();                 ///< of the text
    bool at_line_end();
    void end_line();               ///< takes the end of the line
    bool accept(char c);
    void expect(char c);
    std::string_view word();       ///< letters, digits, _
    std::string quoted();
    std::vector<uint8_t> hex_bytes();
    bool next_is(char c);

    /// Decimal or 0x hexadecimal, with a sign where T has one. Raises EM112 outside the range of T and of [lowest, highest].
    template<typename T>
    T number(T lowest = std::numeric_limits<T>::min(), T highest = std::numeric_limits<T>::max()) {
        const size_t start = skip();
        const Magnitude m = magnitude();
        const __int128 value = m.negative ? -static_cast<__int128>(m.value) : static_cast<__int128>(m.value);
        if (m.overflow || value < lowest || value > highest)
            raise(Diag::asm_number_range, at(start), "the number", text_.substr(start, std::min<size_t>(at_ - start, 40)), +lowest, +highest);
        return static_cast<T>(value);
    }

    void value(Scalar &s);
    void value(BaseTerm &t);
    void value(std::string &s) { s = quoted(); }
    void value(bool &b) { b = number<uint8_t>(0, 1); }
    template<typename T>
    requires(std::is_integral_v<T>)
    void value(T &v) { v = number<T>(); }
    template<typename E>
    requires(std::is_enum_v<E>)
    void value(E &e) {
        const size_t start = skip();
        const std::string_view name = word();
        const auto &names = enum_names<E>;
        const auto it = std::find(names.begin(), names.end(), name);
        if (it == names.end()) raise(Diag::asm_name_unknown, at(start), "name", name, fmt::format("{}", fmt::join(names, " ")));
        e = static_cast<E>(it - names.begin());
    }
    template<typename T, size_t N>
    void value(std::array<T, N> &values) {
        size_t count = 0;
        list([&] {
            if (count == N) fail("at most " + std::to_string(N) + " elements");
            value(values[count++]);
        });
    }
    template<typename T>
    void value(std::vector<T> &values) {
        list([&] { value(values.emplace_back()); });
    }

    uint8_t register_number();     ///< r0 .. r254, or none

    /// Start of the next token.
    size_t skip();
    Place at(size_t position) const;
    /// Raises EM110 at the next token.
    [[noreturn]] void fail(std::string_view wanted);

private:
    struct Magnitude {
        uint64_t value = 0;
        bool negative = false, overflow = false;
    };
    Magnitude magnitude();

    template<typename Element>
    void list(Element element) {
        expect('[');
        if (accept(']')) return;
        do element();
        while (accept(','));
        expect(']');
    }

    std::string_view text_;
    std::string file_;
    size_t at_ = 0;
};

/// Reads ` name=value` until the end of the line. `set(name)` reads the value into that field, or returns false.
template<typename Set>
void read_fields(TextReader &in, const std::vector<std::string_view> &names, Set set) {
    std::set<std::string, std::less<>> seen;
    while (!in.at_line_end()) {
        const size_t start = in.skip();
        const std::string_view name = in.word();
        if (std::find(names.begin(), names.end(), name) == names.end())
            raise(Diag::asm_name_unknown, in.at(start), "field", name, names.empty() ? "(none)" : fmt::format("{}", fmt::join(names, " ")));
        if (!seen.emplace(name).second) raise(Diag::asm_syntax, in.at(start), name, "a field that is not yet there");
        in.expect('=');
        set(name);
    }
}

/// The fields of `record` up to the end of the line.
template<typename Record>
void read_record_fields(TextReader &in, Record &record) {
    std::vector<std::string_view> names;
    Fields<Record>::each([&](std::string_view n, auto &) { names.push_back(n); }, record);
    read_fields(in, names, [&](std::string_view name) {
        Fields<Record>::each([&](std::string_view n, auto &field) {
            if (n == name) in.value(field);
        }, record);
    });
}

}  // namespace emulsion
