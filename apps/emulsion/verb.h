// One verb of the command. Verbs register themselves, so that a folder of its own can add one:
//
//   const RegisterVerb verb{{"list", "the registered generators", {"emulsion list --json"}, [](CLI::App &app) { ... }}};
#pragma once
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace emulsion::command {

struct Verb {
    std::string name, says;
    std::vector<std::string> examples;
    /// Adds the verb's options to `app` and returns what it does. The result of that is the exit status.
    std::function<std::function<int()>(CLI::App &app)> set_up;
};

/// All verbs, by name.
std::vector<Verb> verbs();

struct RegisterVerb {
    explicit RegisterVerb(Verb verb);
};

/// "one of a b c": how help texts list legal values.
std::string one_of(const std::vector<std::string> &values);

}  // namespace emulsion::command
