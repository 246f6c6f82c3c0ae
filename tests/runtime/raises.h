// What a failing call says. Tests compare code, place and the values in the text.
#pragma once
#include "runtime/diag/diag.h"

#include <string>

namespace emulsion {

/// The text of the Error that `action` throws; empty when it throws none.
template<typename Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

/// Whether `action` throws an Error of this code, "EM707".
template<typename Action>
bool raises(const std::string &code, Action action) {
    return error_of(action).starts_with(code + " ");
}

}  // namespace emulsion
