// Translates Halide expressions into an SSA micro-program, node by node.
#pragma once
#include "npu_backend/tile/leaf.h"
#include "npu_backend/tile/tile_context.h"

#include <map>
#include <string>

namespace emulsion {

class MicroBuilder {
public:
    /// `domain`: loop names, innermost first. gather: indices that are not affine may become data-indexed accesses even
    /// when they do not depend on data.
    MicroBuilder(const TileContext &context, const Place &place, std::vector<std::string> domain, bool gather);

    /// Value number of `e`. Raises EM3xx for what no micro-op can do.
    uint16_t value(const Halide::Expr &e);
    void bind(const std::string &let, const Halide::Expr &e) { lets_[let] = value(e); }
    /// Stores value `v` to buffer[index] where predicate (a value number or no_value) holds.
    void store(int buffer, const std::vector<Halide::Expr> &index, uint16_t v, uint16_t predicate);

    /// An index that is affine in some, but not all, domain loops, met while gather was off.
    bool needs_gather() const { return needs_gather_; }

    std::vector<ir::Operand> operands;
    MicroProgram program;
    std::vector<Halide::Expr> scalars;

private:
    friend class Translator;
    struct Address {
        int operand;
        int64_t displacement;  ///< bytes
        uint16_t index;        ///< value number of a byte offset, or no_value
    };
    uint16_t emit(MicroOp op);
    uint16_t scalar(const Halide::Expr &e, ElementType type);
    uint16_t convert(uint16_t v, ElementType from, ElementType to);
    uint16_t constant(ElementType type, int64_t bits);
    uint16_t load(const Halide::Internal::Call *call);
    uint16_t call(const Halide::Internal::Call *call);
    uint16_t translate(const Halide::Expr &e);
    Address address(int buffer, const std::vector<Halide::Expr> &index);
    int find_operand(const ir::Operand &o, int64_t &displacement);
    ElementType type(const Halide::Expr &e) const { return element_type(e.type(), place_); }
    [[noreturn]] void unsupported(const Halide::Expr &e) const;

    const TileContext &context_;
    Place place_;
    std::vector<std::string> domain_;
    bool gather_, needs_gather_ = false;
    std::map<Halide::Expr, uint16_t, Halide::Internal::IRDeepCompare> memo_;
    std::map<std::string, uint16_t> lets_;
};

}  // namespace emulsion
