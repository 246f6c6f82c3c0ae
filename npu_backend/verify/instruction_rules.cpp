#include "npu_backend/verify/instruction_rules.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

constexpr InstructionRule rules[] = {
    {Opcode::op_load, Extra::fill, 2, {{{"dst", Space::spm, Use::write}, {"src", Space::ext, Use::read}}}, {}},
    {Opcode::op_fill, Extra::none, 1, {{{"dst", Space::spm, Use::write}}}, {}},
    {Opcode::op_store, Extra::none, 2, {{{"dst", Space::ext, Use::write}, {"src", Space::spm, Use::read}}}, {}},
    {Opcode::op_copy, Extra::fill, 2, {{{"dst", Space::spm, Use::write}, {"src", Space::spm, Use::read}}}, {}},
    {Opcode::op_clear, Extra::none, 1, {{{"acc", Space::acc, Use::write}}}, {}},
    {Opcode::op_preload, Extra::none, 2, {{{"acc", Space::acc, Use::write}, {"src", Space::spm, Use::read}}}, {}},
    {Opcode::op_contract,
     Extra::none,
     3,
     {{{"acc", Space::acc, Use::accumulate}, {"a", Space::spm, Use::read}, {"b", Space::spm, Use::read}}},
     {}},
    //                                           ext    spm   acc    lut
    {Opcode::op_drain, Extra::micro_program, 0, {}, {false, true, true, false}},
    {Opcode::op_run, Extra::micro_program, 0, {}, {false, true, false, false}},
};

}  // namespace

const InstructionRule *find_rule(Opcode op) {
    const auto it =
        std::find_if(std::begin(rules), std::end(rules), [&](const InstructionRule &r) { return r.op == op; });
    return it == std::end(rules) ? nullptr : it;
}

}  // namespace emulsion::verifier
