#include "npu_backend/ir/tile_ir.h"

namespace emulsion::ir {

NodePtr make_block(std::vector<NodePtr> children) {
    if (children.size() == 1) return children[0];
    auto n = std::make_shared<Node>();
    n->children = std::move(children);
    return n;
}

NodePtr make_op(TileOp op) {
    auto n = std::make_shared<Node>();
    n->kind = NodeKind::op;
    n->tile = std::move(op);
    return n;
}

Queue queue_of(const TileOp &op) { return find_instruction(op.op)->queue; }

}  // namespace emulsion::ir
