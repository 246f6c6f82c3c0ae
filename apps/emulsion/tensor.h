// Tensors on the command line: where an input's elements come from and where an output's go.
#pragma once
#include "npu_backend/reference/reference.h"

#include <optional>
#include <string>
#include <vector>

namespace emulsion::command {

/// The legal forms of an input, as --help lists them.
inline constexpr const char *input_forms =
    "NAME=FILE.png, FILE.npy, random:SEED[:LO:HI], zero, constant:VALUE, ramp; scalars: NAME=VALUE";

/// A value for one input, before its extents are known.
class TensorSource {
public:
    /// Reads the file when `text` names one. Raises EM603, EM605 (unknown form), EM606 (broken file).
    explicit TensorSource(std::string text);

    /// Extents when the source has its own (a file), innermost first.
    std::optional<std::vector<int>> extents(const Signature &input) const;

    /// A dense buffer of the input's type. random: all values of 8 and 16 bit types, [-32768, 32767] for wider integers,
    /// [-1, 1) for floats, unless LO and HI say otherwise. Raises EM607 when a file's type or rank is another.
    Halide::Buffer<> make(const Signature &input, const std::vector<int> &extents) const;

private:
    std::string text_;
    Halide::Buffer<> file_;
    bool is_image_ = false;
};

/// A scalar's bits: floats as their bits, integers extended. Raises EM605.
int64_t parse_scalar(const Signature &scalar, const std::string &text);

/// Writes FILE.png or FILE.npy. Raises EM602, EM605 for another ending.
void write_tensor(const std::string &path, const Halide::Buffer<> &buffer);

}  // namespace emulsion::command
