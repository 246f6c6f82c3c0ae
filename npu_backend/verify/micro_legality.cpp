#include "npu_backend/verify/micro_legality.h"

#include "npu_backend/verify/operation.h"

#include <algorithm>

namespace emulsion::verifier {
namespace {

// Their type names the operands; the result is a u8 of 0 or 1.
constexpr MicroOpcode predicates[] = {MicroOpcode::eq, MicroOpcode::ne, MicroOpcode::lt, MicroOpcode::le,
                                      MicroOpcode::is_nan};

// Operands a and b have type `from`.
constexpr MicroOpcode converting[] = {MicroOpcode::convert, MicroOpcode::saturate, MicroOpcode::reinterpret,
                                      MicroOpcode::widening_mul};

// Shift counts of requantize; isa.md, section 4.
constexpr int64_t shift_limit = 63;

// Keeps addresses inside 64 bits.
constexpr int64_t displacement_limit = int64_t{1} << 40;

template<size_t n>
bool contains(const MicroOpcode (&list)[n], MicroOpcode op) {
    return std::find(std::begin(list), std::end(list), op) != std::end(list);
}

const MicroOpInfo *row_of(MicroOpcode op) {
    const auto it =
        std::find_if(std::begin(micro_ops), std::end(micro_ops), [&](const MicroOpInfo &r) { return r.code == op; });
    return it == std::end(micro_ops) ? nullptr : it;
}

class MicroCheck {
public:
    MicroCheck(const Program &program, uint32_t pc)
        : program_(program),
          pc_(pc),
          insn_(program.code[pc]),
          domain_(program.domains[insn_.domain]),
          micro_(program.micro_programs[insn_.extra]) {}

    void run() {
        if (micro_.size() > max_micro_ops) fail(0, fmt::format("more than {} micro-ops", max_micro_ops));
        for (at_ = 0; at_ < micro_.size(); at_++) check(micro_[at_]);
    }

private:
    [[noreturn]] void fail(size_t k, const std::string &why) const {
        const MicroOpInfo *row = k < micro_.size() ? row_of(micro_[k].op) : nullptr;
        raise(Diag::verify_micro_program, place_of(program_, pc_), k, row ? row->name : "unknown", why);
    }
    void require(bool ok, const std::string &why) const {
        if (!ok) fail(at_, why);
    }

    void check(const MicroOp &m) {
        const MicroOpInfo *row = row_of(m.op);
        require(row, "no such micro-op");
        require(static_cast<size_t>(m.type) < std::size(element_types) &&
                    static_cast<size_t>(m.from) < std::size(element_types),
                "no such type");
        if (insn_.op == Opcode::op_drain) require(contains(output_unit_ops, m.op), "the output unit does not have it");
        check_operands(m, row->operands);
        check_mode(m);
        if (m.op == MicroOpcode::load || m.op == MicroOpcode::store)
            check_access(m);
        else
            check_types(m);
    }

    void check_operands(const MicroOp &m, std::string_view used) const {
        const bool access = m.op == MicroOpcode::load || m.op == MicroOpcode::store;
        const bool scale_only = m.op == MicroOpcode::requantize && m.mode == static_cast<uint8_t>(Rounding::rne_f32);
        const auto operand = [&](char letter, uint16_t v, bool optional) {
            const bool listed = used.find(letter) != std::string_view::npos;
            if (v == no_value && (optional || !listed)) return;
            require(listed, fmt::format("it has no operand {}", letter));
            require(v < at_, fmt::format("operand {} is value {}, which is not computed yet", letter, v));
        };
        operand('a', m.a, m.op == MicroOpcode::load);
        operand('b', m.b, access);
        operand('c', m.c, access || scale_only);
    }

    void check_mode(const MicroOp &m) const {
        if (m.op == MicroOpcode::index)
            require(m.mode < domain_.rank, fmt::format("dimension {} of a domain of rank {}", m.mode, domain_.rank));
        if (m.op == MicroOpcode::scalar) require(m.mode < register_count, fmt::format("register {}", m.mode));
        if (m.op == MicroOpcode::requantize) check_requantize(m);
    }

    void check_requantize(const MicroOp &m) const {
        require(m.mode <= static_cast<uint8_t>(Rounding::rne_f32), fmt::format("rounding mode {}", m.mode));
        if (m.c == no_value || micro_[m.c].op != MicroOpcode::constant) return;
        const int64_t shift = micro_[m.c].imm;
        if (shift < 0 || shift > shift_limit)
            raise(Diag::verify_shift, place_of(program_, pc_), at_, shift, shift_limit);
    }

    void check_access(const MicroOp &m) const {
        require(m.stream < insn_.stream_count, fmt::format("stream {} of {}", m.stream, insn_.stream_count));
        const Stream &s = program_.streams[insn_.stream + m.stream];
        const bool store = m.op == MicroOpcode::store;
        require(m.imm >= -displacement_limit && m.imm <= displacement_limit, fmt::format("displacement {}", m.imm));
        same(s.type, m.type, "the stream");
        if (store) same(result_type(m.a), m.type, "operand a");
        const uint16_t index = store ? m.b : m.a;
        if (index != no_value) {
            same(result_type(index), ElementType::i32, "the data index");
            require(s.window_lo < s.window_hi, "the stream has no window for data-indexed accesses");
        }
        if (store) require(s.space == Space::spm, "stores go to the scratchpad");
    }

    void check_types(const MicroOp &m) const {
        if (m.op == MicroOpcode::select) {
            same(result_type(m.b), m.type, "operand b");
            same(result_type(m.c), m.type, "operand c");
        } else if (m.op == MicroOpcode::requantize) {
            same(result_type(m.a), ElementType::i32, "operand a");
            const bool scale = m.mode == static_cast<uint8_t>(Rounding::rne_f32);
            same(result_type(m.b), scale ? ElementType::f32 : ElementType::i32, "operand b");
        } else {
            const bool from = contains(converting, m.op);
            for (uint16_t v : {m.a, m.b})
                if (v != no_value) same(result_type(v), from ? m.from : m.type, "an operand");
        }
    }

    void same(ElementType have, ElementType want, const char *what) const {
        require(have == want, fmt::format("{} is {}, the micro-op takes {}", what, info(have).name, info(want).name));
    }

    ElementType result_type(uint16_t v) const {
        return contains(predicates, micro_[v].op) ? ElementType::u8 : micro_[v].type;
    }

    const Program &program_;
    uint32_t pc_;
    const Instruction &insn_;
    const Domain &domain_;
    const MicroProgram &micro_;
    size_t at_ = 0;
};

}  // namespace

void check_micro_program(const Program &program, uint32_t pc) { MicroCheck(program, pc).run(); }

}  // namespace emulsion::verifier
