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

}  // namespace emulsion
