// What the schedule spaces and the bounds of multiply-accumulate operators know of one problem: sizes in elements, types in
// bytes. A matrix product is a convolution with a 1 x 1 window over an image of one row.
#pragma once
#include "dsl/space.h"

#include <algorithm>

namespace emulsion::generators {

struct ContractionShape {
    int64_t batch = 1, out_c = 1, out_x = 1, out_y = 1, in_c = 1, in_x = 1, in_y = 1;
    int64_t kernel_x = 1, kernel_y = 1, stride_x = 1, stride_y = 1, dilation_x = 1, dilation_y = 1, pad_x = 0, pad_y = 0;
    int64_t in_bytes = 1, weight_bytes = 1, out_bytes = 1, parameter_arrays = 3;
    bool depthwise = false;        ///< a filter per channel: in_c is out_c
    bool channels_inside = false;  ///< the loop over channel tiles runs inside those over pixels
    bool bounded = false;          ///< the input is read through a boundary (clipped transfers)

    int64_t span_x(int64_t outputs) const { return (outputs - 1) * stride_x + (kernel_x - 1) * dilation_x + 1; }
    int64_t span_y(int64_t outputs) const { return (outputs - 1) * stride_y + (kernel_y - 1) * dilation_y + 1; }
    int64_t taps() const { return kernel_x * kernel_y; }
    int64_t macs() const { return batch * out_c * out_x * out_y * (depthwise ? 1 : in_c) * taps(); }
    int64_t output_bytes() const { return batch * out_c * out_x * out_y * out_bytes; }
    int64_t weights_bytes() const { return out_c * (depthwise ? 1 : in_c) * taps() * weight_bytes; }
    /// Input elements that some output reads, at most.
    int64_t used_x() const { return std::min(in_x, span_x(out_x)); }
    int64_t used_y() const { return std::min(in_y, span_y(out_y)); }

    static int64_t parameters_of(const SpaceRequest &r);
    static ContractionShape of(const SpaceRequest &request);  ///< by request.generator
};

/// One schedule of a contraction, in the terms of its shape; what a generator lacks has its only value.
enum class Staging { slice, strip, root, once, tile };
struct ContractionTiles {
    int64_t c = 1, x = 1, y = 1, ci = 1, depth = 1;
    Staging weights = Staging::strip, in = Staging::tile;
};

/// Positions of the parameters in the space, -1: the generator has none.
struct ContractionParameters {
    int c = -1, x = -1, y = -1, ci = -1, depth = -1, weights = -1, in = -1;
    static ContractionParameters of(const ScheduleSpace &space);
    ContractionTiles tiles(const Choices &choices, const ContractionShape &shape) const;
};

/// Scratchpad and accumulator bytes, as the backend places them: slots rounded to 64 bytes, times ring depth.
uint64_t scratchpad_bytes(const ContractionShape &shape, const ContractionTiles &tiles);
uint64_t accumulator_bytes(const ContractionShape &shape, const ContractionTiles &tiles);

}  // namespace emulsion::generators
