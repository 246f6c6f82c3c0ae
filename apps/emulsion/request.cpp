#include "apps/emulsion/request.h"

#include "apps/emulsion/verb.h"
#include "npu_backend/aot/npu_generator.h"
#include "runtime/diag/diag.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace emulsion::command {

void add_target_option(CLI::App &app, std::string &target) {
    CLI::Option *option = app.add_option("--target", target, one_of(list_targets()) + ", or a machine file");
    if (target.empty()) option->default_str(fmt::format("{}; program files: their own", default_target));
    else option->capture_default_str();
}

TargetDesc target_or(const std::string &target, const std::string &otherwise) { return load_target(target.empty() ? otherwise : target); }

CLI::Option *add_repeated(CLI::App &app, const std::string &name, std::vector<std::string> &values,
                          const std::string &says) {
    return app.add_option(name, values, says)->type_size(1)->expected(1, 1000)->allow_extra_args(false);
}

void RequestOptions::add_to(CLI::App &app) {
    app.add_option("generator", words, "GENERATOR [param=value...]; the names: emulsion list, parameters: emulsion describe")
        ->required();
    add_repeated(app, "--shape", shapes, "BUFFER=EXTENT,EXTENT,...: fixed extents, innermost first");
    add_target_option(app, target);
}

std::pair<std::string, std::string> split_assignment(const std::string &word) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
        raise(Diag::command_line, {}, fmt::format("\"{}\" is not name=value", word));
    return {word.substr(0, equals), word.substr(equals + 1)};
}

CompileRequest RequestOptions::request() const {
    CompileRequest request;
    request.generator = words.at(0);
    for (size_t i = 1; i < words.size(); i++) request.params.insert(split_assignment(words[i]));
    for (const std::string &shape : shapes) {
        const auto [name, extents] = split_assignment(shape);
        request.shapes[name] = parse_extents(name, extents);
    }
    return request;
}

std::vector<uint8_t> read_file(const std::string &path) {
    std::ifstream file;
    if (path != "-") file.open(path, std::ios::binary);
    std::istream &in = path == "-" ? std::cin : file;
    std::vector<uint8_t> bytes(std::istreambuf_iterator<char>(in), {});
    if (path != "-" && !file.is_open()) raise(Diag::file_unreadable, {}, path);
    return bytes;
}

void write_file(const std::string &path, std::string_view bytes) {
    std::ofstream file;
    if (path != "-") file.open(path, std::ios::binary);
    std::ostream &out = path == "-" ? std::cout : file;
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) raise(Diag::file_unwritable, {}, path);
}

void write_file(const std::string &path, const std::vector<uint8_t> &bytes) {
    write_file(path, std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

}  // namespace emulsion::command
