// Control arithmetic: int32 expressions over loop variables, ring slots and kernel arguments into registers.
#pragma once
#include "dsl/halide.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/stream.h"
#include "runtime/program/program.h"

#include <map>
#include <string>
#include <vector>

namespace emulsion {

class ScalarCode {
public:
    explicit ScalarCode(Program &program) : program_(program) {}

    /// Registers that hold loop variables and slots; they stay until released.
    uint8_t bind(const std::string &variable);
    void release(const std::string &variable);
    bool bound(const std::string &variable) const { return variables_.count(variable) != 0; }
    uint8_t register_of(const std::string &variable) const { return variables_.at(variable); }

    /// Register holding `e`, kept until end_operation().
    uint8_t in_register(const Halide::Expr &e);
    /// Immediate if constant, else a register.
    Scalar scalar(const Halide::Expr &e);
    /// Sets `s` to base + terms: products of bound variables and constants become terms, the rest a temporary.
    void address(const Halide::Expr &elements, int64_t element_bytes, Stream &s);
    void end_operation();

    void append(const Instruction &i) { program_.code.push_back(i); }
    Place place;  ///< of the operation being emitted, for diagnostics

private:
    /// A value in a register. Values nobody holds stay for reuse until their register is needed.
    struct Temporary {
        Halide::Expr value;
        uint8_t reg;
        int holders;
    };

    uint8_t allocate();
    uint8_t hold(const Halide::Expr &e);   ///< in_register, to be let go by let_go()
    void let_go(uint8_t reg);
    uint8_t compute(const Halide::Expr &e);
    uint8_t argument(const std::string &name, Halide::Type type);
    uint8_t binary(Opcode op, const Halide::Expr &a, const Halide::Expr &b);
    uint8_t immediate(int64_t v);

    Program &program_;
    std::map<std::string, uint8_t> variables_;
    std::vector<Temporary> temporaries_;
    uint32_t in_use_ = 0;
};

}  // namespace emulsion
