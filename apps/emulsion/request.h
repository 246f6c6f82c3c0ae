// The words that name a kernel on the command line, shared by the verbs that compile.
#pragma once
#include "npu_backend/compile.h"
#include "runtime/isa/target_desc.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace emulsion::command {

struct RequestOptions {
    std::vector<std::string> words;   ///< GENERATOR [param=value...]
    std::vector<std::string> shapes;  ///< buffer=extent,extent,...
    std::string target{};             ///< preset or file; empty: not given

    void add_to(CLI::App &app);
    /// Raises EM601 for a malformed shape, EM604 for a word that is neither the generator nor param=value.
    CompileRequest request() const;
};

/// Adds --target with the legal values in its help; `target` stays as it is when the option is not given.
void add_target_option(CLI::App &app, std::string &target);

inline constexpr const char *default_target = "mobile";
/// The machine `target` names; `otherwise` when it is empty.
TargetDesc target_or(const std::string &target, const std::string &otherwise = default_target);

/// An option that may be given many times, one value each.
CLI::Option *add_repeated(CLI::App &app, const std::string &name, std::vector<std::string> &values, const std::string &says);

/// "name=value" -> {name, value}; raises EM604 when there is no "=".
std::pair<std::string, std::string> split_assignment(const std::string &word);

/// Whole files; raise EM602, EM603. "-" is standard input or output.
std::vector<uint8_t> read_file(const std::string &path);
void write_file(const std::string &path, std::string_view bytes);
void write_file(const std::string &path, const std::vector<uint8_t> &bytes);

}  // namespace emulsion::command
