// Inputs and outputs of models on the command line.
#pragma once
#include "graph/ir/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion::command {

/// How a pixel p (0 to 255) becomes a number: (p - mean) / deviation. Without it: u8 inputs take p, i8 inputs p - 128, floats p / 255.
struct PixelScale {
    std::optional<double> mean, deviation;
};

inline constexpr const char *model_input_forms = "FILE.png (resized to the input's height and width), FILE.npy, random:SEED, zero";

/// The bytes of model input `v`, row major. Pictures fill N H W C or N C H W inputs of 1 or 3 channels. Raises EM603, EM605..EM607, EM630.
std::vector<uint8_t> model_input(const graph::Value &v, const std::string &text, const PixelScale &scale);

/// The `count` largest elements, as real numbers by the value's quantisation: "  0.912  tabby" (labels: one a line; none: the index).
std::string top_labels(const graph::Value &v, const std::vector<uint8_t> &bytes, const std::vector<std::string> &labels, int count);

/// Elements as real numbers by type and quantisation (per tensor).
std::vector<double> real_values(const graph::Value &v, const std::vector<uint8_t> &bytes);

/// Lines of a text file. Raises EM603.
std::vector<std::string> read_lines(const std::string &path);

}  // namespace emulsion::command
