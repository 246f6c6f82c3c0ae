// emulsion: compiles, runs and inspects NPU kernels. Each verb is a file in verbs/.
//
// Exit status: 0 done, 1 the user's mistake (a coded diagnostic on standard error), 4 a bug of ours.
#include "apps/emulsion/verb.h"
#include "dsl/halide.h"
#include "runtime/diag/diag.h"

namespace emulsion::command {
namespace {

constexpr int user_error = 1, bug = 4;

int report(const Diagnostic &d) {
    fmt::print(stderr, "{}\n", d.text());
    return info(d.id).kind == DiagKind::internal ? bug : user_error;
}

int report(Diag id, const std::string &a, const std::string &b = "") {
    return report(make_diagnostic(id, {}, fmt::make_format_args(a, b)));
}

std::string without_trailing_space(std::string text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
    return text;
}

/// Every exception any verb can throw, as a diagnostic.
int guarded(const std::function<int()> &body) {
    try {
        return body();
    } catch (const Error &e) {
        return report(e.diagnostic());
    } catch (const Halide::InternalError &e) {
        return report(Diag::internal_error, "Halide", without_trailing_space(e.what()));
    } catch (const Halide::Error &e) {
        return report(Diag::halide_refused, without_trailing_space(e.what()));
    } catch (const std::exception &e) {
        return report(Diag::internal_error, "the command", e.what());
    }
}

std::string examples(const Verb &verb) {
    std::string text = "\nExamples:\n";
    for (const std::string &e : verb.examples) text += "  " + e + "\n";
    return text;
}

int run(int argc, char **argv) {
    CLI::App app("Emulsion: NPU kernels written, compiled, run and explained.", "emulsion");
    std::function<int()> chosen;
    std::vector<std::string> names;
    for (const Verb &verb : verbs()) {
        CLI::App *sub = app.add_subcommand(verb.name, verb.says);
        sub->footer(examples(verb));
        names.push_back(verb.name);
        sub->callback([&chosen, action = verb.set_up(*sub)] { chosen = action; });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &e) {  // --help
        return app.exit(e);
    } catch (const CLI::ParseError &e) {
        return report(Diag::command_line, e.what());
    }
    if (!chosen) return report(Diag::command_line, "a verb is missing: " + one_of(names));
    return guarded(chosen);
}

}  // namespace
}  // namespace emulsion::command

int main(int argc, char **argv) {
    return emulsion::command::guarded([&] { return emulsion::command::run(argc, argv); });
}
