#include "graph/model/load_graph.h"

#include "graph/import/onnx.h"
#include "graph/import/tflite.h"
#include "runtime/diag/diag.h"

#include <algorithm>
#include <filesystem>

namespace emulsion::graph {
namespace {

struct Form {
    std::string_view ending;
    Graph (*load)(std::span<const uint8_t>, const std::string &name, const std::map<std::string, int64_t> &symbols);
};

constexpr Form forms[] = {
    {".onnx", import_onnx},
    {".tflite", [](std::span<const uint8_t> bytes, const std::string &name, const std::map<std::string, int64_t> &) { return import_tflite(bytes, name); }},
};

const Form *form_of(std::string_view path) {
    const auto form = std::find_if(std::begin(forms), std::end(forms), [&](const Form &f) { return path.ends_with(f.ending); });
    return form == std::end(forms) ? nullptr : form;
}

}  // namespace

bool is_model_name(std::string_view path) { return form_of(path) != nullptr; }

Graph load_graph(std::span<const uint8_t> bytes, const std::string &path, const std::map<std::string, int64_t> &symbols) {
    const Form *form = form_of(path);
    if (!form) raise(Diag::model_form, {}, path);
    return form->load(bytes, std::filesystem::path(path).stem().string(), symbols);
}

}  // namespace emulsion::graph
