// emulsion_operators_doc: prints docs/operators.md from the operator table.
#include "graph/ir/operator_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace emulsion::graph {
namespace {

constexpr std::string_view generated = "<!-- Generated from the tables: ninja emulsion_docs. Do not edit. -->\n\n";

struct Limit {
    std::string_view op, says;
};

/// What a lowering refuses (EM710) or does otherwise than a framework. Rows of one operator stand together, in the table's order.
constexpr Limit limits[] = {
    {"conv2d", "weights are constants; 16-bit activations only while the sums are sure to fit 32 bits"},
    {"depthwise_conv2d", "weights are constants; 16-bit activations only while the sums are sure to fit 32 bits"},
    {"transpose_conv2d", "weights are constants"},
    {"fully_connected", "weights are constants; 16-bit activations only while the sums are sure to fit 32 bits"},
    {"matmul", "alpha and beta other than 1 need float32 constants; batches may not broadcast both ways"},
    {"add", "quantised: 8 and 16 bits, one scale a tensor; 16-bit scales that are powers of two are refused"},
    {"sub", "quantised: 8 and 16 bits, one scale a tensor; 16-bit scales that are powers of two are refused"},
    {"mul", "quantised: 8 and 16 bits, one scale a tensor"},
    {"div", "no quantised operands; x / 0 is 0 for integers; fused activations on floats only"},
    {"minimum", "quantised operands are compared as integers, as in TFLite"},
    {"maximum", "quantised operands are compared as integers, as in TFLite"},
    {"pow", "float32; machine and host differ by at most 1 ulp"},
    {"modulo", "no half precision, no quantised operands; float32 is exact while |a / b| < 2^24"},
    {"bitwise", "shift amounts are clamped to the type's width - 1"},
    {"compare", "quantised: 8 bits, scales below 1, rescaled as TFLite does; other quantised tensors are compared as integers"},
    {"unary", "quantised: 8 bits, by table"},
    {"prelu", "input and slope of one type"},
    {"softmax", "along the last dimension; quantised: 8 bits, result of scale 1/256"},
    {"log_softmax", "floats, along the last dimension"},
    {"layer_norm", "floats"},
    {"batch_norm", "floats; parameters are constants"},
    {"instance_norm", "floats"},
    {"lp_norm", "floats; p is 1 or 2"},
    {"max_pool", "the output has the input's quantisation"},
    {"average_pool", "the output has the input's quantisation"},
    {"reduce", "at most four runs of reduced and kept dimensions; quantised: mean and sum of 8 bits, min and max"},
    {"cumulative_sum", "no quantised tensors; a whole axis fits the scratchpad"},
    {"transpose", "at most 6 dimensions that move by themselves"},
    {"concat", "no fused activation; parts of another scale: 8 bits, rounded as TFLite does for uint8"},
    {"pad", "at most 6 dimensions after merging those without padding"},
    {"resize_bilinear", "uint8 and floats in float32, int8 and int16 in integers, as TFLite's reference kernels"},
    {"resize_nearest", "coordinates in float32, as TFLite's reference kernel"},
    {"gather", "a whole axis of one inner element fits the scratchpad; indices are int32 or int64, those outside take the nearest element"},
    {"cast", "no float64; floats beyond the range of int32 (int64 for 64 bits) have no defined integer"},
    {"unknown", "never computed"},
};

/// A cell of a table: its bars do not end it.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string limits_of(std::string_view op) {
    std::string text;
    for (const Limit &l : limits)
        if (l.op == op) text += (text.empty() ? "" : "; ") + cell(l.says);
    return text;
}

void print_page() {
    fmt::print("{}# Operators\n\n"
               "The operators of the graph layer, from `graph/ir/operators.def`. Shapes are written outermost first, images are N H W C. `?`: may be\n"
               "absent; `...`: any number of them. What is refused is refused with EM710, naming the node.\n\n"
               "Elements are int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 and booleans (a byte of 0 or 1); float64 is not\n"
               "computed, and 4-bit integers only as packed weights. No tensor has an extent of 0.\n\n"
               "| operator | inputs | outputs | attributes | does | limits |\n|---|---|---|---|---|---|\n", generated);
    for (const OperatorInfo &o : operator_table())
        fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", o.name, cell(o.inputs), cell(o.outputs), cell(o.attributes), cell(o.says), limits_of(o.name));
}

}  // namespace
}  // namespace emulsion::graph

int main() {
    using namespace emulsion::graph;
    for (const Limit &l : limits)
        if (!find_operator(l.op)) {
            fmt::print(stderr, "a limit of \"{}\", which is no operator\n", l.op);
            return 2;
        }
    print_page();
    return 0;
}
