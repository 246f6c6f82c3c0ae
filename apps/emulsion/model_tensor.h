// Inputs and outputs of models on the command line.
#pragma once
#include "dsl/halide.h"
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

/// An element of an output and its place in row-major order.
struct Ranked {
    size_t index;
    double value;  ///< real, by the value's quantisation
};
/// The `count` largest elements, largest first.
std::vector<Ranked> ranked(const graph::Value &v, const std::vector<uint8_t> &bytes, int count);
/// Line `index` of the labels, or the number when there is none.
std::string label_of(const std::vector<std::string> &labels, size_t index);

/// The bytes of output `v` for write_tensor: dimensions of extent 1 at both ends of its shape are left out. Raises EM607 for a type that files lack.
Halide::Buffer<> model_output(const graph::Value &v, const std::vector<uint8_t> &bytes);

/// Elements as real numbers by type and quantisation (per tensor).
std::vector<double> real_values(const graph::Value &v, const std::vector<uint8_t> &bytes);

/// Lines of a text file. Raises EM603.
std::vector<std::string> read_lines(const std::string &path);

}  // namespace emulsion::command
