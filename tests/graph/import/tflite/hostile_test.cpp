// Broken and malicious files: an error with a code or a graph, in under a second and in bounded memory. What still imports is compiled as far
// as shapes and kernel calls, so that no rule trusts what the importer let through.
#include "graph/ir/operator_table.h"
#include "runtime/diag/diag.h"
#include "tests/graph/import/tflite/model_builder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <random>
#include <sys/resource.h>

namespace emulsion::graph {
namespace {

constexpr int32_t huge = std::numeric_limits<int32_t>::max();

/// Shapes and kernel calls of all nodes.
void use(Graph g) {
    for (const Node &n : std::vector<Node>(g.nodes)) {
        const OperatorInfo *row = find_operator(n.op);
        if (!row) continue;
        row->infer(g, n);
        try {
            row->lower(g, n);
        } catch (const Error &e) {
            if (e.diagnostic().code() != "EM710") throw;  // a node for the host or the user; the others go on
        }
    }
}

long peak_kib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int tried = 0;  ///< inputs so far, of all tests of this process

struct Count : testing::Environment {
    void TearDown() override { std::cout << tried << " inputs tried\n"; }
};
[[maybe_unused]] const auto *const count = testing::AddGlobalTestEnvironment(new Count);

/// The diagnostic's code, or "imported". Anything else than a coded error fails the test.
std::string try_model(const std::string &bytes, const std::string &what) {
    tried++;
    const auto start = std::chrono::steady_clock::now();
    const long before = peak_kib();
    std::string code = "imported";
    try {
        use(import_bytes(bytes));
    } catch (const Error &e) {
        code = e.diagnostic().code();
        EXPECT_NE(code, "EM901") << what << ": " << e.what();
    } catch (const std::exception &e) {
        ADD_FAILURE() << what << ": no coded error: " << e.what();
    }
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0) << what;
    EXPECT_LT(peak_kib() - before, 256 * 1024) << what;
    return code;
}
std::string try_model(const ModelSpec &m, const std::string &what) { return try_model(m.bytes(), what); }

/// Cuts at every per cent; bytes and whole words changed at random. `archive`: files of labels follow the model, whose loss does not harm it.
void damage(const std::string &file, const std::string &name, int flips, bool archive = false) {
    for (size_t percent = 0; percent < 100; percent++) {
        const std::string code = try_model(file.substr(0, file.size() * percent / 100), name + " cut");
        if (!archive) {
            EXPECT_NE(code, "imported") << name << " " << percent;
        }
    }
    std::mt19937 random(11);
    for (int k = 0; k < flips; k++) {
        std::string broken = file;
        for (uint32_t n = 0, count = 1 + random() % 8; n < count; n++) {
            const size_t at = random() % broken.size();
            broken[at] = static_cast<char>(random());
            if (k % 4 == 0)  // an extent, offset or index out of any range
                for (size_t byte = 0; byte < 4 && (at & ~size_t{3}) + byte < broken.size(); byte++) broken[(at & ~size_t{3}) + byte] = static_cast<char>(byte < 3 ? 0xff : 0x7f);
        }
        try_model(broken, name + " bytes changed, case " + std::to_string(k));
    }
}

TEST(HostileTflite, DamagedConvolutionModel) { damage(convolution_spec().bytes(), "convolution", 1500); }
TEST(HostileTflite, DamagedMovementModel) { damage(movement_spec().bytes(), "movement", 1200); }

TEST(HostileTflite, DamagedTrainedModels) {
    for (const auto &entry : std::filesystem::directory_iterator(EMULSION_OWN_MODELS)) {
        if (entry.path().extension() != ".tflite") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        damage({std::istreambuf_iterator<char>(file), {}}, entry.path().filename().string(), 200);
    }
}

TEST(HostileTflite, SharedModels) {
    const char *folder = std::getenv("EMULSION_MODELS");
    if (!folder) GTEST_SKIP() << "EMULSION_MODELS names no folder of models";
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".tflite" || entry.file_size() > 1'000'000) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        damage({std::istreambuf_iterator<char>(file), {}}, entry.path().filename().string(), 40, true);
    }
}

TEST(HostileTflite, NotAModel) {
    EXPECT_EQ(try_model(std::string(), "empty"), "EM701");
    EXPECT_EQ(try_model(std::string(100000, '\xff'), "ones"), "EM701");
    EXPECT_EQ(try_model(std::string(100000, '\0'), "zeros"), "EM701");
    EXPECT_EQ(try_model(ModelSpec{}, "no outputs"), "EM701");
}

/// Each tensor gets each shape in turn.
TEST(HostileTflite, ShapesThatDoNotFit) {
    const std::vector<std::vector<int32_t>> shapes{{}, {0}, {1}, {huge}, {1, 1}, {huge, huge}, {1, huge, 1, 1}, {1, 1, 1, huge}, {2, 3, 5, 7}, {1, 0, 4, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {-1, 4}};
    for (const ModelSpec &base : {convolution_spec(), movement_spec()})
        for (size_t t = 0; t < base.tensors.size(); t++)
            for (const auto &shape : shapes) {
                ModelSpec m = base;
                m.tensors[t].shape = shape;
                try_model(m, m.tensors[t].name + " with another shape");
            }
}

TEST(HostileTflite, TypesThatDoNotFit) {
    for (const ModelSpec &base : {convolution_spec(), movement_spec()})
        for (size_t t = 0; t < base.tensors.size(); t++)
            for (int type = -1; type < 22; type++) {
                ModelSpec m = base;
                m.tensors[t].type = type;
                try_model(m, m.tensors[t].name + " of type " + std::to_string(type));
            }
}

TEST(HostileTflite, OptionsOutOfRange) {
    for (const ModelSpec &base : {convolution_spec(), movement_spec()})
        for (size_t o = 0; o < base.operators.size(); o++)
            for (size_t f = 0; f < base.operators[o].options.size(); f++)
                for (int32_t n : {huge, -huge - 1, -1, 0, 127, 1 << 20}) {
                    ModelSpec m = base;
                    std::visit([&](auto &v) { v = static_cast<std::decay_t<decltype(v)>>(n); }, m.operators[o].options[f].value);
                    try_model(m, "operator " + std::to_string(o) + " option " + std::to_string(f) + " " + std::to_string(n));
                }
}

/// Constants that say how something is moved: shapes, axes, paddings, permutations.
TEST(HostileTflite, MovementByHugeNumbers) {
    for (const ModelSpec &base : {convolution_spec(), movement_spec()})
        for (size_t t = 0; t < base.tensors.size(); t++)
            for (int32_t n : {huge, -huge, -1, 3, 1 << 16}) {
                if (base.tensors[t].type != 2 || base.tensors[t].data.empty()) continue;
                ModelSpec m = base;
                m.tensors[t].data = bytes_from(std::vector<int32_t>(m.tensors[t].data.size() / 4, n));
                try_model(m, m.tensors[t].name + " " + std::to_string(n));
            }
}

/// Every operator of the format with too few and wrong operands.
TEST(HostileTflite, OperandsThatDoNotFit) {
    for (int code = 0; code < 160; code++)
        for (int32_t count = 0; count <= 5; count++)
            for (int form = 0; form < 2; form++) {
                ModelSpec m = form ? movement_spec() : convolution_spec();
                OperatorSpec &o = m.operators[0];
                o.code = code, o.options.clear(), o.inputs.clear();
                for (int32_t k = 0; k < count; k++) o.inputs.push_back(k == 4 ? -1 : k);
                o.inputs.erase(std::remove(o.inputs.begin(), o.inputs.end(), o.outputs[0]), o.inputs.end());
                try_model(m, "operator code " + std::to_string(code) + " with " + std::to_string(count) + " inputs");
            }
}

TEST(HostileTflite, ScalesOutOfRange) {
    for (float scale : {-1.f, 0.f, 1e-45f, 3.4e38f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        for (int64_t zero : {int64_t{0}, int64_t{-129}, int64_t{1} << 40, std::numeric_limits<int64_t>::min()})
            for (size_t t = 0; t < 14; t++) {
                ModelSpec m = convolution_spec();
                m.tensors[t].scale = {scale}, m.tensors[t].zero_point = {zero};
                try_model(m, m.tensors[t].name + " scale " + std::to_string(scale));
            }
}

}  // namespace
}  // namespace emulsion::graph
