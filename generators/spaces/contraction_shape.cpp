#include "generators/spaces/contraction_shape.h"

namespace emulsion::generators {

namespace {

constexpr int64_t alignment = 64, accumulator_element = 4, parameter_element = 4, fixed_ring = 2;

int64_t aligned(int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

Staging staging_of(const std::string &word) {
    constexpr std::pair<const char *, Staging> words[] = {{"slice", Staging::slice}, {"k", Staging::slice},   {"strip", Staging::strip},
                                                          {"root", Staging::root},   {"once", Staging::once}, {"tile", Staging::tile}};
    for (const auto &[name, value] : words)
        if (word == name) return value;
    return Staging::slice;
}

}  // namespace

int64_t ContractionShape::parameters_of(const SpaceRequest &r) {
    const std::string out = r.word("out_type", "int8");
    const bool floats = r.word("in_type", "int8").find("float") != std::string::npos;
    const bool requantizes = !floats && out.find("float") == std::string::npos && r.bytes("out_type", "int8") < 4;
    const int64_t bias = r.word("with_bias", "true") == "true";
    if (!requantizes) return bias + (!floats && out.find("float") != std::string::npos);
    return bias + (r.word("rounding", "single") == "rne_f32" ? 1 : 2);
}

ContractionShape ContractionShape::of(const SpaceRequest &r) {
    ContractionShape s;
    const bool matmul = r.generator == "matmul", dense = r.generator == "fully_connected";
    const std::vector<int> in = r.shape(matmul ? "a" : "in"), out = r.shape("out");
    s.in_bytes = r.bytes("in_type", "int8"), s.weight_bytes = r.bytes("weight_type", "int8"), s.out_bytes = r.bytes("out_type", "int8");
    s.parameter_arrays = parameters_of(r);
    s.out_c = out[0], s.out_x = out[1], s.in_c = in[0], s.in_x = in[1];
    s.channels_inside = dense;
    if (matmul || dense) return s;
    s.out_y = out[2], s.batch = out[3], s.in_y = in[2];
    s.depthwise = r.generator == "depthwise_conv2d";
    s.bounded = true;
    s.kernel_x = r.number("kernel_x", 3), s.kernel_y = r.number("kernel_y", 3);
    s.stride_x = r.number("stride_x", 1), s.stride_y = r.number("stride_y", 1);
    s.dilation_x = r.number("dilation_x", 1), s.dilation_y = r.number("dilation_y", 1);
    s.pad_x = r.number("pad_x", 0), s.pad_y = r.number("pad_y", 0);
    return s;
}

ContractionParameters ContractionParameters::of(const ScheduleSpace &space) {
    ContractionParameters p;
    const std::pair<const char *, int *> names[] = {
        {"tile_c", &p.c}, {"tile_n", &p.c}, {"tile_x", &p.x}, {"tile_m", &p.x}, {"tile_y", &p.y}, {"tile_ci", &p.ci}, {"tile_k", &p.ci},
        {"depth", &p.depth}, {"weights_at", &p.weights}, {"b_at", &p.weights}, {"in_at", &p.in}, {"a_at", &p.in}};
    for (size_t k = 0; k < space.depth(); k++)
        for (const auto &[name, place] : names)
            if (space.parameters()[k].name == name) *place = static_cast<int>(k);
    return p;
}

ContractionTiles ContractionParameters::tiles(const Choices &choices, const ContractionShape &s) const {
    ContractionTiles t;
    const auto number = [&](int k, int64_t otherwise) { return k < 0 ? otherwise : choices[static_cast<size_t>(k)]; };
    t.c = number(c, s.out_c), t.x = number(x, s.out_x), t.y = number(y, 1), t.ci = number(ci, s.depthwise ? 1 : s.in_c), t.depth = number(depth, 1);
    if (weights >= 0) t.weights = staging_of(choices.text(static_cast<size_t>(weights)));
    else t.weights = s.depthwise ? Staging::strip : Staging::slice;
    if (in >= 0) t.in = staging_of(choices.text(static_cast<size_t>(in)));
    else t.in = s.depthwise ? Staging::tile : Staging::slice;
    return t;
}

uint64_t scratchpad_bytes(const ContractionShape &s, const ContractionTiles &t) {
    const int64_t weight_ring = s.depthwise ? fixed_ring : t.depth;
    int64_t bytes = s.parameter_arrays * aligned(t.c * parameter_element) * fixed_ring;
    const int64_t in_c = s.depthwise ? t.c : t.in == Staging::slice ? t.ci : s.in_c;
    if (t.in == Staging::once) bytes += aligned(s.in_c * s.in_x * s.in_bytes);
    else bytes += aligned(in_c * s.span_x(t.x) * s.span_y(t.y) * s.in_bytes) * t.depth;
    const int64_t filter = s.taps() * s.weight_bytes;
    if (s.depthwise) bytes += aligned(t.c * filter) * weight_ring;
    else if (t.weights == Staging::slice) bytes += aligned(t.c * t.ci * filter) * weight_ring;
    else if (t.weights == Staging::strip) bytes += aligned(t.c * s.in_c * filter) * weight_ring;
    else bytes += aligned(s.out_c * s.in_c * filter);
    bytes += aligned(t.c * t.x * t.y * s.out_bytes) * t.depth;
    return static_cast<uint64_t>(bytes);
}

uint64_t accumulator_bytes(const ContractionShape &s, const ContractionTiles &t) {
    (void)s;
    return static_cast<uint64_t>(aligned(t.c * t.x * t.y * accumulator_element) * fixed_ring);
}

}  // namespace emulsion::generators
