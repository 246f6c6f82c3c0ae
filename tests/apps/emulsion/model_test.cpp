// Models on the command line: which files are models, what a program file of a model holds, the model library, and comparison with stored
// results. Would catch: a program file that lost quantisation or shapes, host parts dropped without a word.
#include "apps/emulsion/model_session.h"
#include "apps/emulsion/model_tensor.h"
#include "graph/aot/emit_library.h"
#include "graph/model/load_graph.h"
#include "runtime/program/container.h"
#include "tests/runtime/raises.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace emulsion::command {
namespace {

using Bytes = std::vector<uint8_t>;

const std::string model_path = std::string(EMULSION_OWN_MODELS) + "/fashion_int8.tflite";
std::string picture(const std::string &name) { return std::string(EMULSION_OWN_MODELS) + "/pictures/" + name + ".png"; }

const TargetDesc &edge() {
    static const TargetDesc target = load_target("edge-256");
    return target;
}

ModelSession &session() {
    static ModelSession s(model_path, edge(), {});
    return s;
}

TEST(Models, EndingsNameTheForm) {
    EXPECT_TRUE(graph::is_model_name("a.tflite"));
    EXPECT_FALSE(graph::is_model_name("matmul"));
    EXPECT_TRUE(raises("EM774", [] { graph::load_graph({}, "a.pb"); }));
}

TEST(Models, ProgramFileRunsLikeTheModel) {
    const Program p = read_container(write_container(*session().programs().at(0)));
    EXPECT_TRUE(holds_model(p));
    ModelSession read(p, edge());
    EXPECT_EQ(read.inputs()[0].shape, session().inputs()[0].shape);
    EXPECT_EQ(read.inputs()[0].quantization, session().inputs()[0].quantization);
    const Bytes input = model_input(session().inputs()[0], picture("sneaker"), {});
    EXPECT_EQ(read.run({input}, {}).outputs, session().run({input}, {}).outputs);
}

TEST(Models, OwnModelKnowsItsPictures) {
    std::ifstream file(std::string(EMULSION_OWN_MODELS) + "/labels.txt");
    std::vector<std::string> labels;
    for (std::string line; std::getline(file, line);) labels.push_back(line);
    ASSERT_EQ(labels.size(), 10u);
    int right = 0;
    for (const std::string &label : labels) {
        std::string name = label;
        std::replace(name.begin(), name.end(), ' ', '_');
        const auto run = session().run({model_input(session().inputs()[0], picture(name), {})}, {});
        right += labels.at(ranked(session().outputs()[0], run.outputs[0], 1).at(0).index) == label;
    }
    EXPECT_GE(right, 8);
}

/// A machine too small for the first convolution: program files and libraries hold the NPU alone, and say so.
TEST(Models, HostPartsAreRefusedByPrograms) {
    TargetDesc small = edge();
    small.spm_bytes = 2048;
    set_warning_sink([](const Diagnostic &) {});
    const ModelSession s(model_path, small, {});
    set_warning_sink(nullptr);
    EXPECT_TRUE(raises("EM775", [&] { graph::emit_library(*s.compiled(), {.function = "f", .base = testing::TempDir() + "/f"}); }));
}

TEST(Models, IdentifiersOfValues) {
    EXPECT_EQ(graph::identifier("conv/w:0"), "conv_w_0");
    EXPECT_EQ(graph::identifier("0"), "_0");
    EXPECT_EQ(graph::identifier(""), "_");
}

}  // namespace
}  // namespace emulsion::command
