#include "npu_backend/aot/gengen.h"

#include "npu_backend/aot/npu_generator.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/assembler.h"
#include "runtime/isa/target_desc.h"
#include "runtime/program/container.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace emulsion {

namespace {

/// Every registered generator, wrapped so that machine= works.
class Provider : public Halide::Internal::GeneratorFactoryProvider {
public:
    std::vector<std::string> enumerate() const override { return Halide::Internal::GeneratorRegistry::enumerate(); }
    Halide::Internal::AbstractGeneratorPtr create(const std::string &name,
                                                  const Halide::GeneratorContext &context) const override {
        auto inner = Halide::Internal::GeneratorRegistry::create(name, context);
        return inner ? std::make_unique<NpuGenerator>(std::move(inner)) : nullptr;
    }
};

struct ProgramOutput {
    std::string emit, extension;
    std::function<void(std::ostream &, const Program &)> write;
};

const ProgramOutput program_outputs[] = {
    {"npu", ".npu",
     [](std::ostream &out, const Program &p) {
         const std::vector<uint8_t> bytes = write_container(p);
         out.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
     }},
    {"npu_assembly", ".npu.s", [](std::ostream &out, const Program &p) { out << disassemble(p); }},
};

const ProgramOutput *find_output(const std::string &emit) {
    for (const ProgramOutput &o : program_outputs)
        if (o.emit == emit) return &o;
    return nullptr;
}

struct CommandLine {
    std::vector<std::string> stock;  ///< what Halide's tool sees
    std::map<std::string, std::string> flags;
    std::vector<const ProgramOutput *> outputs;
    std::string machine;
    CompileRequest request;
    bool stock_emits = true;
};

/// Splits -e: our outputs to `c`, the rest stays.
std::string take_outputs(const std::string &list, CommandLine &c) {
    std::vector<std::string> rest;
    std::istringstream in(list);
    for (std::string emit; std::getline(in, emit, ',');) {
        if (const ProgramOutput *o = find_output(emit)) c.outputs.push_back(o);
        else rest.push_back(emit);
    }
    c.stock_emits = !rest.empty();
    return fmt::format("{}", fmt::join(rest, ","));
}

CommandLine parse(int argc, char **argv) {
    CommandLine c;
    c.stock.push_back(argv[0]);
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        const size_t equals = word.find('=');
        if (word.starts_with("-") && i + 1 < argc) {
            std::string value = argv[++i];
            if (word == "-e") value = take_outputs(value, c);
            c.flags[word] = value;
            c.stock.insert(c.stock.end(), {word, value});
            continue;
        }
        c.stock.push_back(word);
        if (equals == std::string::npos || word.starts_with("target=")) continue;
        const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
        if (!take_own_parameter(name, value, c.machine, c.request)) c.request.params[name] = value;
    }
    c.request.generator = c.flags["-g"];
    c.request.function_name = c.flags["-f"];
    return c;
}

/// <output folder>/<base name>, as Halide's tool names its files.
std::string base_path(CommandLine &c) {
    std::string base = c.flags["-n"];
    if (base.empty()) base = c.request.function_name.empty() ? c.request.generator : c.request.function_name;
    return c.flags["-o"] + "/" + base;
}

void write_programs(CommandLine &c) {
    const Program program = compile(c.request, load_target(c.machine)).program;
    for (const ProgramOutput *o : c.outputs) {
        const std::string path = base_path(c) + o->extension;
        std::ofstream file(path, std::ios::binary);
        o->write(file, program);
        if (!file.flush()) raise(Diag::file_unwritable, {}, path);
    }
}

int run_stock(std::vector<std::string> words) {
    std::vector<char *> argv;
    for (std::string &w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    return Halide::Internal::generate_filter_main(static_cast<int>(words.size()), argv.data(), Provider());
}

int run(int argc, char **argv) {
    CommandLine c = parse(argc, argv);
    if (!c.outputs.empty()) write_programs(c);
    return c.stock_emits ? run_stock(c.stock) : 0;
}

}  // namespace

int gengen(int argc, char **argv) {
    try {
        return run(argc, argv);
    } catch (const Error &e) {
        fmt::print(stderr, "{}\n", e.what());
        return info(e.diagnostic().id).kind == DiagKind::internal ? 4 : 1;
    } catch (const Halide::Error &e) {
        fmt::print(stderr, "{}\n", make_diagnostic(Diag::halide_refused, {}, fmt::make_format_args(std::string(e.what()))).text());
        return 1;
    }
}

}  // namespace emulsion
