// Tile IR: a tree of loops and conditions whose leaves are tile operations. Scalars are Halide expressions over the
// control loop variables, ring slot counters and kernel arguments; offsets and strides are in elements until emit.
//
//   for out.yo in 0..7 {
//     load   staged[slot] <- in          domain [56, 8]
//     run    out.tile <- staged          domain [56, 8]
//     store  out <- out.tile             domain [56, 8]
//   }
#pragma once
#include "dsl/halide.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/instruction.h"
#include "runtime/isa/micro_op.h"
#include "runtime/isa/stream.h"
#include "runtime/program/program.h"

#include <memory>
#include <string>
#include <vector>

namespace emulsion::ir {

using Halide::Expr;

/// Storage: an EXT region or part of one, or a range of scratchpad or accumulator.
struct Buffer {
    std::string name;
    Space space = Space::spm;
    ElementType type = ElementType::i8;
    int region = -1;               ///< EXT: index into TileProgram::regions
    std::vector<Expr> min;         ///< per dimension, in the Func's coordinates
    std::vector<Expr> stride;      ///< per dimension [elements]; constants except for bound EXT buffers
    std::vector<int64_t> extent;   ///< per dimension upper bound; EXT buffers bound at launch: empty
    int64_t elements = 0;          ///< of one slot, upper bound; 0 for EXT buffers bound at launch
    int ring = 1;                  ///< slots; > 1: the slot counter variable `slot_variable()` runs 0..ring-1
    int64_t offset = 0;            ///< byte address of slot 0, known after place_buffers
    int64_t slot_bytes = 0;
    Place place;                   ///< of the stage, for diagnostics

    std::string slot_variable() const { return name + ".slot"; }
};

struct Operand {
    int buffer = -1;
    ElementType type = ElementType::i8;
    Expr base;                   ///< element offset in the buffer's slot
    std::vector<Expr> stride;    ///< per domain dimension [elements]
    int64_t window = 0;          ///< elements from the slot's start reachable by data-indexed access; 0: none
    bool reads = false, writes = false;
};

struct Dimension {
    std::string name;
    Expr extent;
    Role role = Role::streamed;
};

struct FillSpec {
    FillMode mode = FillMode::constant;
    uint64_t value = 0;
    std::vector<bool> boxed;          ///< per domain dimension
    std::vector<Expr> origin, lo, hi;
};

struct TileOp {
    Opcode op{};
    std::string stage;
    Place place;
    std::vector<Dimension> domain;    ///< index 0 innermost
    std::vector<Operand> operands;    ///< in the order of the instruction's row
    MicroProgram micro;               ///< run, drain; `scalar` micro-ops index `scalars` by mode
    std::vector<Expr> scalars;
    std::shared_ptr<FillSpec> fill;
    Expr accumulate_when;             ///< contract: undefined = always accumulate; 0 = overwrite; else overwrite where it is 0
    int32_t imm = 0;
    std::vector<int> waits, signals;  ///< tokens, known after assign_tokens
};

struct Node;
using NodePtr = std::shared_ptr<Node>;

enum class NodeKind : uint8_t { block, loop, condition, op, sync, advance };

/// One struct for all kinds: the tree is small and walked by few passes.
struct Node {
    NodeKind kind = NodeKind::block;
    std::vector<NodePtr> children;   ///< block: in order; loop: body; condition: then, and else if there is one
    std::string variable;            ///< loop: counts 0..extent-1
    Expr extent;                     ///< loop: turns; condition: the predicate
    TileOp tile;                     ///< op
    Queue queue{};                   ///< sync
    std::vector<int> waits, signals; ///< sync
    int buffer = -1;                 ///< advance: the ring whose slot moves on
};

NodePtr make_block(std::vector<NodePtr> children);
NodePtr make_op(TileOp op);

struct TileProgram {
    std::string name;
    NodePtr body;
    std::vector<Buffer> buffers;
    std::vector<Region> regions;
    std::vector<uint8_t> constants;
    std::vector<int> token_initial;  ///< per token
};

Queue queue_of(const TileOp &op);

/// Readable text of the whole program, used by --emit and by goldens.
std::string print(const TileProgram &program);

}  // namespace emulsion::ir
