// Random output stages for multiply-accumulate operators, with the generator parameters that say the same.
#pragma once
#include "generators/reference/output_stage.h"
#include "tests/generators/run_generator.h"

namespace emulsion {

/// Types and numbers of one case; integers unless `type` is a float type.
struct ContractionCase {
    std::string type = "int8", out_type = "int8", rounding = "single";
    bool floating() const { return type.find("float") != std::string::npos; }
    int lo() const { return type == "uint8" ? 0 : type == "int16" ? -300 : -128; }
    int hi() const { return type == "uint8" ? 255 : type == "int16" ? 300 : 127; }
    double tolerance() const { return !floating() ? 0 : out_type == "bfloat16" ? 1.0 / 128 : out_type == "float16" ? 1.0 / 1024 : 1e-5; }
};

/// The types and modes that every operator is checked with.
inline const ContractionCase contraction_cases[] = {
    {"int8", "int8", "single"},     {"uint8", "uint8", "double"},   {"int8", "int8", "rne_f32"},     {"int8", "uint8", "floor"},
    {"int16", "int16", "trunc"},    {"int8", "int8", "half_away"},  {"int8", "int32", "single"},     {"uint8", "int32", "single"},
    {"float32", "float32", "single"}, {"float16", "float16", "single"}, {"bfloat16", "float32", "single"},
};

inline reference::Tensor random_operand(std::mt19937 &random, const ContractionCase &c, reference::Index extents) {
    return c.floating() ? random_reals(random, std::move(extents)) : random_integers(random, std::move(extents), c.lo(), c.hi());
}

/// Fills in types, zero points and the output stage's inputs of `run`; `channels` output channels. Returns the scalar form.
inline reference::OutputStage random_stage(std::mt19937 &random, const ContractionCase &c, int channels, GeneratorRun &run) {
    reference::OutputStage stage;
    run.params["in_type"] = run.params["weight_type"] = c.type;
    run.params["out_type"] = c.out_type;
    run.params["rounding"] = c.rounding;
    stage.floating = c.floating();
    stage.mode = c.rounding;
    const auto input = [&](const char *name, auto value) {
        reference::Tensor t({channels});
        for (double &v : t.values) v = value();
        run.inputs[name] = t;
        return t.values;
    };
    if (c.floating()) {
        stage.bias = input("bias", [&] { return pick(random, -64, 64) / 32.0; });
        return stage;
    }
    stage.bias = input("bias", [&] { return pick(random, -5000, 5000); });
    // Zero points are values of the operand's type.
    run.params["in_zero"] = std::to_string(pick(random, c.lo() < 0 ? -20 : 0, 20));
    run.params["weight_zero"] = std::to_string(pick(random, c.lo() < 0 ? -3 : 0, 3));
    if (c.out_type == "int32") {
        stage.lowest = -2147483648.0;
        stage.highest = 2147483647.0;
        return stage;
    }
    stage.out_zero = pick(random, -10, 10);
    run.params["out_zero"] = std::to_string(static_cast<int>(stage.out_zero));
    stage.lowest = c.out_type == "uint8" ? 0 : c.out_type == "int16" ? -32768 : -128;
    stage.highest = c.out_type == "uint8" ? 255 : c.out_type == "int16" ? 32767 : 100;
    if (stage.highest == 100) run.params["out_max"] = "100";
    if (c.rounding == "rne_f32") {
        stage.multiplier = input("multiplier", [&] { return static_cast<float>(pick(random, 1, 1000) / 400000.0); });
    } else {
        stage.multiplier = input("multiplier", [&] { return pick(random, 1 << 30, INT32_MAX); });
        stage.shift = input("shift", [&] { return pick(random, 37, 41); });
    }
    return stage;
}

inline double zero_of(const GeneratorRun &run, const char *name) { return run.params.contains(name) ? std::stod(run.params.at(name)) : 0; }

}  // namespace emulsion
