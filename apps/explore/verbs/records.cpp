// emulsion explore top, merge, import, export-jsonl
#include "apps/explore/db/jsonl.h"
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"
#include "runtime/diag/diag.h"

#include <fmt/format.h>
#include <fstream>
#include <iostream>

namespace emulsion::explore {
namespace {

int top(const Problem &problem, const std::string &path, size_t count, bool json) {
    const Database db(path);
    auto list = nlohmann::ordered_json::array();
    std::vector<StoredResult> rows = db.results(problem);
    rows.resize(std::min(rows.size(), count));
    for (const StoredResult &r : rows) {
        if (json) list.push_back({{"schedule", r.schedule}, {"outcome", to_json(r.outcome)}});
        else fmt::print("{:>10} cycles  {:>10.3f} uJ  {:>9} B  {}\n", r.outcome.cycles, r.outcome.energy_pj / 1e6, r.outcome.spm_bytes, r.schedule);
    }
    if (json) fmt::print("{}\n", list.dump(2));
    return 0;
}

int merge(const std::string &path, const std::vector<std::string> &others) {
    Database db(path);
    for (const std::string &other : others) {
        if (!std::ifstream(other)) raise(Diag::file_unreadable, {}, other);
        fmt::print("{}: {} new results\n", other, db.merge(other));
    }
    return 0;
}

int import_lines(const std::string &path, const std::string &file) {
    Database db(path);
    std::ifstream in(file);
    if (file != "-" && !in) raise(Diag::file_unreadable, {}, file);
    fmt::print("{} new results\n", read_jsonl(db, file == "-" ? std::cin : in, file));
    return 0;
}

int export_lines(const std::string &path, const std::string &file) {
    const Database db(path);
    if (file == "-") return write_jsonl(db, std::cout), 0;
    std::ofstream out(file);
    write_jsonl(db, out);
    if (!out.flush()) raise(Diag::file_unwritable, {}, file);
    return 0;
}

std::shared_ptr<std::string> database_option(CLI::App &app) {
    auto db = std::make_shared<std::string>();
    app.add_option("--db", *db, "database file")->required();
    return db;
}

}  // namespace

Action top_verb(CLI::App &app) {
    auto words = std::make_shared<ProblemWords>();
    auto db = database_option(app);
    auto count = std::make_shared<size_t>(10);
    auto json = std::make_shared<bool>(false);
    words->add_to(app);
    app.add_option("--count", *count, "how many")->capture_default_str();
    app.add_flag("--json", *json, "print JSON");
    return [=] { return top(*words->problem(), *db, *count, *json); };
}

Action merge_verb(CLI::App &app) {
    auto db = database_option(app);
    auto others = std::make_shared<std::vector<std::string>>();
    app.add_option("others", *others, "databases to read")->required();
    return [=] { return merge(*db, *others); };
}

Action import_verb(CLI::App &app) {
    auto db = database_option(app);
    auto file = std::make_shared<std::string>();
    app.add_option("file", *file, "JSON lines; - is standard input")->required();
    return [=] { return import_lines(*db, *file); };
}

Action export_jsonl_verb(CLI::App &app) {
    auto db = database_option(app);
    auto file = std::make_shared<std::string>("-");
    app.add_option("-o,--output", *file, "file to write; - is standard output")->capture_default_str();
    return [=] { return export_lines(*db, *file); };
}

}  // namespace emulsion::explore
