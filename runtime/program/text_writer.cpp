#include "runtime/program/text_writer.h"

namespace emulsion {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') out += fmt::format("\\x{:02x}", byte);
        else out += c;
    }
    return out + '"';
}

std::string register_text(int64_t reg) { return reg == no_register ? "none" : fmt::format("r{}", reg); }

std::string value_text(const Scalar &s) {
    if (s.reg == no_register) return fmt::format("{}", s.imm);
    return s.imm ? fmt::format("{}{:+}", register_text(s.reg), s.imm) : register_text(s.reg);
}

std::string value_text(const BaseTerm &t) {
    return t.scale ? fmt::format("{}*{}", register_text(t.reg), t.scale) : register_text(t.reg);
}

}  // namespace emulsion
