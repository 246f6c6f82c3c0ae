// The random spaces, one row a generator: parameters, shapes and schedules that are legal, the odd ones included.
#include "tests/differential/case.h"

namespace emulsion::differential {
namespace {

std::string number(int v) { return std::to_string(v); }

constexpr int64_t mac_budget = 600'000, element_budget = 60'000;

// Operand and result types of contractions, with zero points where the operands have them.
void contraction_types(Draw &d, Case &c) {
    const std::string in = d.pick({"int8", "uint8", "int8", "int16", "float32", "float16", "bfloat16"});
    const bool floating = in.find("float") != std::string::npos;
    c.algorithm["in_type"] = in;
    c.algorithm["weight_type"] = floating ? in : in == "int16" ? "int8" : d.pick({"int8", in.c_str()});
    c.algorithm["out_type"] = floating ? d.pick({in.c_str(), "float32"}) : d.pick({"int8", "uint8", "int16", "int32", "int8"});
    if (!floating && in != "int16" && d.chance(50)) {
        c.algorithm["in_zero"] = number(in == "uint8" ? d.between(0, 255) : d.between(-128, 127));
        if (c.algorithm["weight_type"] == "uint8") c.algorithm["weight_zero"] = number(d.between(0, 255));
    }
    if (!floating && c.algorithm["out_type"] != "int32") {
        c.algorithm["out_zero"] = number(d.between(-20, 20));
        c.algorithm["rounding"] = d.pick({"single", "double", "floor", "trunc", "half_away", "rne_f32"});
    }
    if (d.chance(30)) c.algorithm["with_bias"] = "false";
}

void depth(Draw &d, Case &c) { c.schedule["depth"] = number(d.between(1, 4)); }

void tiles(Draw &d, Case &c, std::initializer_list<std::pair<const char *, int>> list) {
    for (const auto &[name, most] : list)
        if (d.chance(60)) c.schedule[name] = number(d.between(1, most));
}

Case matmul(Draw &d) {
    Case c{.generator = "matmul"};
    contraction_types(d, c);
    const int n = d.extent(300), m = d.extent(300, n, mac_budget), k = d.extent(300, int64_t{n} * m, mac_budget);
    c.extents = {{"out", {n, m}}, {"a", {k, m}}, {"b", {n, k}}};
    tiles(d, c, {{"tile_n", 96}, {"tile_m", 96}, {"tile_k", 128}});
    c.schedule["a_at"] = d.pick({"k", "tile", "once"});
    c.schedule["b_at"] = d.pick({"k", "strip", "root", "once"});
    depth(d, c);
    return c;
}

Case batch_matmul(Draw &d) {
    Case c{.generator = "batch_matmul"};
    contraction_types(d, c);
    const int i = d.between(1, 5), n = d.extent(120), m = d.extent(120, int64_t{n} * i, mac_budget), k = d.extent(200, int64_t{n} * m * i, mac_budget);
    const bool transposed = d.chance(50);
    c.algorithm["transposed"] = transposed ? "true" : "false";
    c.extents = {{"out", {n, m, i}}, {"a", {k, m, i}}, {"b", transposed ? std::vector{k, n, i} : std::vector{n, k, i}}};
    tiles(d, c, {{"tile_n", 64}, {"tile_m", 64}, {"tile_k", 128}});
    depth(d, c);
    return c;
}

Case fully_connected(Draw &d) {
    Case c{.generator = "fully_connected"};
    contraction_types(d, c);
    const int n = d.extent(300), m = d.between(1, 9), k = d.extent(300, int64_t{n} * m, mac_budget);
    c.extents = {{"out", {n, m}}, {"in", {k, m}}, {"weights", {k, n}}};
    tiles(d, c, {{"tile_n", 96}, {"tile_m", 16}, {"tile_k", 128}});
    depth(d, c);
    return c;
}

struct Window {
    int kx, ky, sx, sy, dx, dy, px, py;
    int in(int out, int k, int s, int dil, int pad) const { return std::max(1, (out - 1) * s + (k - 1) * dil + 1 - 2 * pad); }
};

Window window(Draw &d, Case &c, bool dilate) {
    Window w{d.between(1, 5), d.between(1, 5), d.between(1, 3), d.between(1, 3), 1, 1, 0, 0};
    if (dilate) w.dx = d.between(1, 2), w.dy = d.between(1, 2);
    w.px = d.between(0, w.kx / 2), w.py = d.between(0, w.ky / 2);
    c.algorithm["kernel_x"] = number(w.kx), c.algorithm["kernel_y"] = number(w.ky);
    c.algorithm["stride_x"] = number(w.sx), c.algorithm["stride_y"] = number(w.sy);
    if (dilate) c.algorithm["dilation_x"] = number(w.dx), c.algorithm["dilation_y"] = number(w.dy);
    c.algorithm["pad_x"] = number(w.px), c.algorithm["pad_y"] = number(w.py);
    return w;
}

std::vector<int> input_of(const Window &w, int c, int x, int y, int b) {
    return {c, w.in(x, w.kx, w.sx, w.dx, w.px), w.in(y, w.ky, w.sy, w.dy, w.py), b};
}

Case conv2d(Draw &d) {
    Case c{.generator = "conv2d"};
    contraction_types(d, c);
    const Window w = window(d, c, true);
    int co = d.extent(130), ci = d.extent(100);
    int64_t macs = int64_t{co} * ci * w.kx * w.ky;
    const int x = d.extent(60, macs, mac_budget), y = d.extent(60, macs * x, mac_budget), b = d.chance(20) ? 2 : 1;
    int group_ci = ci;
    if (d.chance(20)) {
        const int groups = d.between(2, 4), in = d.between(1, 16), out = d.between(1, 16);
        c.algorithm["group_in"] = number(in), c.algorithm["group_out"] = number(out);
        ci = in * groups, co = out * groups, group_ci = in;
    }
    c.extents = {{"out", {co, x, y, b}}, {"in", input_of(w, ci, x, y, b)}, {"weights", {co, group_ci, w.kx, w.ky}}};
    tiles(d, c, {{"tile_c", 96}, {"tile_x", 24}, {"tile_y", 12}, {"tile_ci", 64}});
    c.schedule["weights_at"] = d.pick({"slice", "strip", "root"});
    c.schedule["in_at"] = d.pick({"slice", "tile"});
    depth(d, c);
    return c;
}

Case depthwise_conv2d(Draw &d) {
    Case c{.generator = "depthwise_conv2d"};
    contraction_types(d, c);
    const Window w = window(d, c, true);
    const int j = d.chance(30) ? d.between(2, 3) : 1, channels = d.extent(100);
    c.algorithm["multiplier_c"] = number(j);
    const int co = channels * j;
    const int x = d.extent(50, int64_t{co} * w.kx * w.ky, mac_budget), y = d.extent(50, int64_t{co} * w.kx * w.ky * x, mac_budget), b = d.chance(20) ? 2 : 1;
    c.extents = {{"out", {co, x, y, b}}, {"in", input_of(w, channels, x, y, b)}, {"weights", {co, w.kx, w.ky}}};
    tiles(d, c, {{"tile_c", 64}, {"tile_x", 24}, {"tile_y", 12}});
    depth(d, c);
    return c;
}

Case transpose_conv2d(Draw &d) {
    Case c{.generator = "transpose_conv2d"};
    contraction_types(d, c);
    const Window w = window(d, c, false);
    const int co = d.extent(60), ci = d.extent(40), ix = d.between(1, 12), iy = d.between(1, 12);
    const int x = std::max(1, (ix - 1) * w.sx + w.kx - 2 * w.px), y = std::max(1, (iy - 1) * w.sy + w.ky - 2 * w.py);
    c.extents = {{"out", {co, x, y, 1}}, {"in", {ci, ix, iy, 1}}, {"weights", {co, ci, w.kx, w.ky}}};
    depth(d, c);
    return c;
}

Case pool(Draw &d, const char *name) {
    Case c{.generator = name};
    c.algorithm["type"] = d.pick({"int8", "uint8", "int16", "float32"});
    const Window w = window(d, c, false);
    const int ch = d.extent(100), x = d.extent(60, ch * w.kx * w.ky, mac_budget), y = d.extent(60, int64_t{ch} * x * w.kx * w.ky, mac_budget);
    c.extents = {{"out", {ch, x, y, 1}}, {"in", input_of(w, ch, x, y, 1)}};
    tiles(d, c, {{"tile_c", 64}, {"tile_x", 24}, {"tile_y", 12}});
    depth(d, c);
    return c;
}
Case max_pool(Draw &d) { return pool(d, "max_pool"); }
Case average_pool(Draw &d) { return pool(d, "average_pool"); }

Case global_average_pool(Draw &d) {
    Case c{.generator = "global_average_pool"};
    c.algorithm["type"] = d.pick({"int8", "uint8", "float32"});
    const int ch = d.extent(300), x = d.extent(40, ch, element_budget), y = d.extent(40, ch * x, element_budget), b = d.between(1, 2);
    c.extents = {{"out", {ch, 1, 1, b}}, {"in", {ch, x, y, b}}};
    tiles(d, c, {{"tile_c", 128}, {"tile_x", 16}});
    depth(d, c);
    return c;
}

std::vector<int> shape(Draw &d, int rank, int64_t budget = element_budget) {
    std::vector<int> s;
    int64_t used = 1;
    for (int k = 0; k < rank; k++) {
        s.push_back(d.extent(300, used, budget));
        used *= s.back();
    }
    return s;
}

Case elementwise(Draw &d, const char *name, bool quantizes) {
    Case c{.generator = name};
    const int rank = d.between(1, 4);
    c.algorithm["rank"] = number(rank);
    const bool quantized = quantizes && d.chance(50);
    c.algorithm["type"] = quantized ? d.pick({"int8", "uint8"}) : d.pick({"int8", "uint8", "int16", "int32", "float32"});
    if (quantized) {
        c.algorithm["quantized"] = "true";
        const bool u = c.algorithm["type"] == "uint8";
        for (const char *zero : {"a_zero", "b_zero", "out_zero"}) c.algorithm[zero] = number(u ? d.between(0, 255) : d.between(-128, 127));
    }
    const std::vector<int> out = shape(d, rank);
    std::vector<int> a = out, b = out;
    const int mask = d.chance(30) ? d.between(1, (1 << rank) - 1) : 0;
    (d.chance(50) ? c.algorithm["a_broadcast"] : c.algorithm["b_broadcast"]) = number(mask);
    std::vector<int> &narrow = c.algorithm.count("a_broadcast") ? a : b;
    for (int k = 0; k < rank; k++)
        if (mask >> k & 1) narrow[k] = 1;
    c.extents = {{"out", out}, {"a", a}, {"b", b}};
    tiles(d, c, {{"tile_0", 300}, {"tile_1", 16}});
    depth(d, c);
    return c;
}
Case add(Draw &d) { return elementwise(d, "add", true); }
Case sub(Draw &d) { return elementwise(d, "sub", true); }
Case mul(Draw &d) { return elementwise(d, "mul", true); }
Case minimum(Draw &d) { return elementwise(d, "minimum", false); }
Case maximum(Draw &d) { return elementwise(d, "maximum", false); }

Case per_element(Draw &d, const char *name) {
    Case c{.generator = name};
    const int rank = d.between(1, 4);
    c.algorithm["rank"] = number(rank);
    c.extents["out"] = shape(d, rank);
    c.extents["in"] = c.extents["out"];
    tiles(d, c, {{"tile", 5000}});
    depth(d, c);
    return c;
}

Case activation(Draw &d) {
    Case c = per_element(d, "activation");
    c.algorithm["in_type"] = d.pick({"int8", "uint8"});
    c.algorithm["out_type"] = d.pick({"int8", "uint8", "int16"});
    c.extents["table"] = {256};
    return c;
}
Case quantize(Draw &d) {
    Case c = per_element(d, "quantize");
    c.algorithm["out_type"] = d.pick({"int8", "uint8", "int16"});
    const bool per_channel = d.chance(40);
    c.algorithm["per_channel"] = per_channel ? "true" : "false";
    c.extents["scale"] = c.extents["zero_point"] = {per_channel ? c.extents["out"][0] : 1};
    c.algorithm["ties"] = d.pick({"away", "even"});
    return c;
}
Case dequantize(Draw &d) {
    Case c = per_element(d, "dequantize");
    c.algorithm["in_type"] = d.pick({"int8", "uint8", "int16", "int32"});
    const bool per_channel = d.chance(40);
    c.algorithm["per_channel"] = per_channel ? "true" : "false";
    c.extents["scale"] = c.extents["zero_point"] = {per_channel ? c.extents["out"][0] : 1};
    return c;
}
Case requantize(Draw &d) {
    Case c = per_element(d, "requantize");
    c.algorithm["in_type"] = d.pick({"int8", "uint8", "int16", "int32"});
    c.algorithm["out_type"] = d.pick({"int8", "uint8", "int16"});
    c.algorithm["rounding"] = d.pick({"single", "double", "floor", "trunc", "half_away", "rne_f32"});
    c.algorithm["in_zero"] = number(d.between(-20, 20)), c.algorithm["out_zero"] = number(d.between(-20, 20));
    return c;
}

Case softmax(Draw &d) {
    Case c{.generator = "softmax"};
    c.algorithm["type"] = d.pick({"int8", "uint8", "float32"});
    c.extents["out"] = c.extents["in"] = shape(d, 2, 20'000);
    if (c.algorithm["type"] != "float32") c.extents["table"] = {256};
    tiles(d, c, {{"tile_j", 8}});
    depth(d, c);
    return c;
}
Case layer_norm(Draw &d) {
    Case c{.generator = "layer_norm"};
    c.algorithm["type"] = d.pick({"float32", "float16", "bfloat16"});
    c.extents["out"] = c.extents["in"] = shape(d, 2, 20'000);
    c.extents["gamma"] = c.extents["beta"] = {c.extents["out"][0]};
    tiles(d, c, {{"tile_j", 8}});
    depth(d, c);
    return c;
}
Case reduce(Draw &d) {
    Case c{.generator = "reduce"};
    const int axes = d.between(1, 15);
    c.algorithm["axes"] = number(axes);
    c.algorithm["op"] = d.pick({"sum", "mean", "max", "min"});
    const std::string type = d.pick({"int8", "uint8", "float32"});
    c.algorithm["in_type"] = type, c.algorithm["out_type"] = type;
    std::vector<int> in = shape(d, 4, 30'000), out = in;
    for (int k = 0; k < 4; k++)
        if (axes >> k & 1) out[k] = 1;
    c.extents = {{"out", out}, {"in", in}};
    tiles(d, c, {{"tile_0", 128}, {"tile_1", 16}});
    depth(d, c);
    return c;
}
Case resize(Draw &d, const char *name) {
    Case c{.generator = name};
    const bool bilinear = std::string(name) == "resize_bilinear";
    c.algorithm["type"] = bilinear ? d.pick({"int8", "uint8", "float32"}) : d.pick({"int8", "uint8", "int16"});
    if (bilinear && d.chance(50)) c.algorithm["real"] = "true";
    const int in_x = d.extent(40), in_y = d.extent(40), out_x = d.extent(60), out_y = d.extent(60), ch = d.extent(130, int64_t{in_x} * in_y + int64_t{out_x} * out_y, element_budget);
    c.algorithm["in_x"] = number(in_x), c.algorithm["in_y"] = number(in_y), c.algorithm["out_x"] = number(out_x), c.algorithm["out_y"] = number(out_y);
    const int how = d.between(0, 2);
    if (how == 1) c.algorithm["half_pixel_centers"] = "true";
    if (how == 2) c.algorithm["align_corners"] = "true";
    c.extents = {{"out", {ch, out_x, out_y, 1}}, {"in", {ch, in_x, in_y, 1}}};
    depth(d, c);
    return c;
}
Case resize_nearest(Draw &d) { return resize(d, "resize_nearest"); }
Case resize_bilinear(Draw &d) { return resize(d, "resize_bilinear"); }

Case pad(Draw &d) {
    Case c{.generator = "pad"};
    c.algorithm["type"] = d.pick({"int8", "uint8", "int16", "float32"});
    c.algorithm["mode"] = d.pick({"constant", "edge", "symmetric", "reflect"});
    if (c.algorithm["mode"] == "constant" && c.algorithm["type"] != "uint8") c.algorithm["value"] = number(d.between(-5, 5));
    const int rank = d.between(1, 4);  // symbolic shapes of more need more scalar registers than there are
    c.algorithm["rank"] = number(rank);
    std::vector<int> in = shape(d, rank, 20'000), out = in;
    for (int k = 0; k < rank; k++) {
        const int most = c.algorithm["mode"] == "reflect" ? std::max(0, in[k] - 1) : in[k];
        const int before = d.between(0, std::min(most, 4)), after = d.between(0, std::min(most, 4));
        c.algorithm["before_" + number(k)] = number(before);
        out[k] += before + after;
    }
    c.extents = {{"out", out}, {"in", in}};
    tiles(d, c, {{"tile_0", 300}, {"tile_1", 16}});
    depth(d, c);
    return c;
}
Case transpose(Draw &d) {
    Case c{.generator = "transpose"};
    c.algorithm["type"] = d.pick({"int8", "int16", "float32"});
    const int rank = d.between(1, 6);
    std::string p = std::string("012345").substr(0, rank);
    for (int k = rank - 1; k > 0; k--) std::swap(p[k], p[d.between(0, k)]);
    c.algorithm["permutation"] = p;
    const std::vector<int> out = shape(d, rank, 20'000);
    c.extents["out"] = out;
    tiles(d, c, {{"tile_0", 64}, {"tile_1", 8}});
    depth(d, c);
    return c;
}
Case concat(Draw &d) {
    Case c{.generator = "concat"};
    c.algorithm["type"] = d.pick({"int8", "int16", "float32"});
    const int count = d.between(2, 4), axis = d.between(0, 3);
    c.algorithm["count"] = number(count), c.algorithm["axis"] = number(axis);
    std::vector<int> out = shape(d, 4, 10'000);
    int total = 0;
    for (int k = 0; k < count; k++) {
        std::vector<int> in = out;
        in[axis] = d.between(1, 20);
        total += in[axis];
        c.extents["in" + number(k)] = in;
    }
    out[axis] = total;
    c.extents["out"] = out;
    tiles(d, c, {{"tile_0", 300}, {"tile_1", 8}});
    depth(d, c);
    return c;
}

// Types that an operator without quantisation takes.
std::string plain_type(Draw &d) { return d.pick({"int8", "uint8", "int16", "int32", "float32", "int64"}); }

Case binary(Draw &d) {
    Case c = elementwise(d, "binary", false);
    const std::string op = d.pick({"div", "div", "pow", "floor_mod", "trunc_mod", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right"});
    std::string type = d.pick({"int8", "uint8", "int16", "int32", "int64"});
    if (op == "pow" || ((op == "div" || op.find("mod") != std::string::npos) && d.chance(50))) type = "float32";
    c.algorithm["op"] = op, c.algorithm["type"] = type;
    if (op == "div" && type == "float32" && d.chance(30)) c.algorithm["low"] = "-1", c.algorithm["high"] = "1";
    return c;
}
Case compare(Draw &d) {
    Case c = elementwise(d, "compare", true);
    c.algorithm["op"] = d.pick({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"});
    c.algorithm.erase("out_zero");
    if (!c.algorithm.count("quantized") && d.chance(20)) c.algorithm["type"] = "int64";
    return c;
}
Case select(Draw &d) {
    Case c{.generator = "select"};
    const int rank = d.between(1, 4);
    c.algorithm["rank"] = number(rank), c.algorithm["type"] = plain_type(d);
    c.extents["out"] = shape(d, rank, 20'000);
    for (const char *name : {"condition", "a", "b"}) {
        std::vector<int> e = c.extents["out"];
        const int mask = d.chance(40) ? d.between(0, (1 << rank) - 1) : 0;
        for (int k = 0; k < rank; k++)
            if (mask >> k & 1) e[k] = 1;
        c.algorithm[std::string(name) + "_broadcast"] = number(mask);
        c.extents[name] = e;
    }
    tiles(d, c, {{"tile_0", 300}, {"tile_1", 16}});
    depth(d, c);
    return c;
}
Case cast_case(Draw &d) {
    Case c = per_element(d, "cast");
    c.algorithm.erase("rank");
    c.extents["in"] = c.extents["out"] = shape(d, 1, 20'000);
    c.algorithm["in_type"] = plain_type(d), c.algorithm["out_type"] = d.pick({"int8", "uint8", "int16", "int32", "int64", "float32", "float16", "bfloat16", "uint32"});
    const int how = d.between(0, 3);
    if (how == 1) c.algorithm["saturate"] = "true";
    if (how == 2) c.algorithm["out_type"] = "uint8", c.algorithm["to_boolean"] = "true";
    return c;
}
Case arg_reduce(Draw &d) {
    Case c{.generator = "arg_reduce"};
    const std::vector<int> in = shape(d, 3, 20'000);
    c.algorithm["op"] = d.pick({"max", "min"});
    c.algorithm["in_type"] = plain_type(d), c.algorithm["out_type"] = d.pick({"int32", "int64"});
    if (d.chance(50)) c.algorithm["last"] = "true";
    c.extents = {{"in", in}, {"out", {in[0], in[2]}}};
    tiles(d, c, {{"tile_i", 64}, {"tile_o", 16}, {"tile_a", 64}});
    depth(d, c);
    return c;
}
Case cumulative_sum(Draw &d) {
    Case c{.generator = "cumulative_sum"};
    c.algorithm["type"] = d.pick({"int32", "float32", "int64", "int8"});
    c.extents["in"] = c.extents["out"] = shape(d, 3, 10'000);
    if (d.chance(50)) c.algorithm["exclusive"] = "true";
    if (d.chance(50)) c.algorithm["reverse"] = "true";
    tiles(d, c, {{"tile_i", 32}});
    depth(d, c);
    return c;
}
Case gather(Draw &d) {
    Case c{.generator = "gather"};
    c.algorithm["type"] = plain_type(d), c.algorithm["index_type"] = d.pick({"int32", "int64"});
    const int i = d.extent(60), n = d.extent(60), count = d.extent(80), o = d.extent(8, int64_t{i} * count, 20'000), b = d.chance(30) ? 2 : 1;
    c.extents = {{"in", {i, n, o, b}}, {"indices", {count, b}}, {"out", {i, count, o, b}}};
    tiles(d, c, {{"tile_i", 32}, {"tile_k", 64}});
    depth(d, c);
    return c;
}
Case one_hot(Draw &d) {
    Case c{.generator = "one_hot"};
    c.algorithm["type"] = plain_type(d), c.algorithm["index_type"] = d.pick({"int32", "int64"});
    c.algorithm["on"] = number(d.between(1, 9)), c.algorithm["wrap"] = d.chance(50) ? "true" : "false";
    const std::vector<int> out = shape(d, 3, 10'000);
    c.extents = {{"out", out}, {"indices", {out[0], out[2]}}};
    tiles(d, c, {{"tile_i", 32}, {"tile_d", 64}, {"tile_o", 8}});
    depth(d, c);
    return c;
}
Case copy(Draw &d) {
    Case c{.generator = "copy"};
    const int rank = d.between(1, 6);
    c.algorithm["rank"] = number(rank), c.algorithm["type"] = plain_type(d);
    c.extents["in"] = c.extents["out"] = shape(d, rank, 10'000);
    tiles(d, c, {{"tile_0", 300}, {"tile_1", 16}});
    if (rank > 2 && d.chance(50)) c.schedule["tile_2"] = number(d.between(1, 16));
    if (rank < 2) c.schedule.erase("tile_1");
    depth(d, c);
    return c;
}

}  // namespace

const std::vector<Space> tensor_spaces = {
    {"activation", activation, 0},
    {"add", add, 0},
    {"arg_reduce", arg_reduce, 0},
    {"average_pool", average_pool, 4},
    {"batch_matmul", batch_matmul, 128},
    {"binary", binary, 1},
    {"cast", cast_case, 0},
    {"compare", compare, 0},
    {"concat", concat, 0},
    {"conv2d", conv2d, 128},
    {"copy", copy, 0},
    {"cumulative_sum", cumulative_sum, 0},
    {"depthwise_conv2d", depthwise_conv2d, 128},
    {"dequantize", dequantize, 0},
    {"fully_connected", fully_connected, 128},
    {"gather", gather, 0},
    {"global_average_pool", global_average_pool, 4},
    {"layer_norm", layer_norm, 64},
    {"matmul", matmul, 128},
    {"max_pool", max_pool, 0},
    {"maximum", maximum, 0},
    {"minimum", minimum, 0},
    {"mul", mul, 0},
    {"one_hot", one_hot, 0},
    {"pad", pad, 0},
    {"quantize", quantize, 0},
    {"reduce", reduce, 4},
    {"requantize", requantize, 0},
    {"resize_bilinear", resize_bilinear, 0},
    {"resize_nearest", resize_nearest, 0},
    {"select", select, 0},
    {"softmax", softmax, 8},
    {"sub", sub, 0},
    {"transpose", transpose, 0},
    {"transpose_conv2d", transpose_conv2d, 128},
};

std::vector<Space> all_spaces() {
    std::vector<Space> all = tensor_spaces;
    all.insert(all.end(), image_spaces.begin(), image_spaces.end());
    return all;
}

}  // namespace emulsion::differential
