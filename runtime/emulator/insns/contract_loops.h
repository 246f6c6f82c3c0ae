// acc += (a - za) * (b - zb) over a domain: the loops, by operand types.
#pragma once
#include "runtime/emulator/memory.h"

namespace emulsion {

struct Contraction {
    const Dispatched &d;
    Window acc, a, b;
    int16_t za, zb;
};

using ContractLoop = void (*)(const Contraction &);

/// Null for types that do not go together: i8, u8, i16, u16 into i32, in any pair; two f32, f16 or bf16 into f32.
///
/// Results are those of the domain in lexicographic order. Integer sums wrap, so their order does not matter; a float sum
/// meets its terms in domain order, and only independent sums are interleaved.
ContractLoop contract_loop(ElementType acc, ElementType a, ElementType b);

/// Integer contractions with reduced, row and column indices: rows of both operands are gathered into dense 16-bit panels
/// whose dot products the host vectorises. False: not worth it, or an operand minus its zero point does not fit 16 bits.
bool contract_in_panels(const Contraction &c);

}  // namespace emulsion
