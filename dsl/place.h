// Where a directive or registration stands in the source, as diagnostics and debug maps print it.
#pragma once
#include <source_location>
#include <string>

namespace emulsion {

/// File name of `at`: relative to the project's root for its own files, unchanged for others.
std::string source_file(const std::source_location &at);

}  // namespace emulsion
