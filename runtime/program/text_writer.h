// Values as text, one record a line: `name=value` for each field that differs from its initial value.
#pragma once
#include "runtime/program/enum_names.h"
#include "runtime/program/record_fields.h"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace emulsion {

/// "text" with \xNN for bytes that are not printable ASCII, and for quote and backslash.
std::string quoted(std::string_view text);

/// r7; "none" for no_register.
std::string register_text(int64_t reg);

/// 5, r3, r3+5.
std::string value_text(const Scalar &s);
/// r3*64; "none" for no term, with *scale where that is not 0.
std::string value_text(const BaseTerm &t);
inline std::string value_text(const std::string &s) { return quoted(s); }

template<typename T>
requires(std::is_integral_v<T>)
std::string value_text(T v) { return fmt::format("{}", static_cast<std::conditional_t<std::is_same_v<T, bool>, int, T>>(v)); }

/// The enumerator's name; its number when it has none.
template<typename E>
requires(std::is_enum_v<E>)
std::string value_text(E e) {
    return is_enumerator(e) ? std::string(enum_names<E>[static_cast<size_t>(e)]) : fmt::format("{}", static_cast<int>(e));
}

template<typename List>
std::string list_text(const List &values, size_t count) {
    std::string text = "[";
    for (size_t i = 0; i < count; i++) text += (i ? ", " : "") + value_text(values[i]);
    return text + "]";
}

template<typename T>
std::string value_text(const std::vector<T> &values) { return list_text(values, values.size()); }

/// Visitor of record_fields.h over (record, initial record). Lists leave out their last elements that keep initial values.
class TextWriter {
public:
    template<typename T>
    void operator()(std::string_view name, const T &value, const T &initial) {
        if (value != initial || name == "type") field(name, value_text(value));
    }
    template<typename T, size_t N>
    void operator()(std::string_view name, const std::array<T, N> &values, const std::array<T, N> &initial) {
        size_t count = N;
        while (count > 0 && values[count - 1] == initial[count - 1]) count--;
        if (count > 0) field(name, list_text(values, count));
    }
    void field(std::string_view name, std::string_view value) { text += fmt::format(" {}={}", name, value); }

    std::string text;
};

/// " name=value ..." of a record.
template<typename Record>
std::string fields_text(const Record &record) {
    TextWriter w;
    const Record initial{};
    Fields<Record>::each(w, record, initial);
    return w.text;
}

}  // namespace emulsion
