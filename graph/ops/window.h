// Sliding-window attributes of a node, and the extents that follow from them.
#pragma once
#include "graph/ops/operands.h"

namespace emulsion::graph {

/// One direction of a window.
struct WindowAxis {
    int64_t kernel = 1, stride = 1, dilation = 1, before = 0, after = 0;
    int64_t span() const { return (kernel - 1) * dilation + 1; }
    bool keeps() const { return stride == 1 && before + after == span() - 1; }
};

struct NodeWindow {
    WindowAxis y, x;
};

/// Attributes stride, dilation, padding of the node, with this kernel. Raises EM706 for lists of the wrong length, EM707 for numbers
/// that no window has.
NodeWindow window_of(const Node &node, int64_t kernel_y, int64_t kernel_x);

/// Output extent of one direction; a symbol is kept where the window keeps the extent, else renamed. Raises EM707 when nothing is left.
Dimension window_extent(const Node &node, const Dimension &in, const WindowAxis &axis, const char *direction);

/// Generator parameters kernel_x .. pad_y.
void set_window(std::map<std::string, std::string> &params, const NodeWindow &w);

}  // namespace emulsion::graph
