#include "runtime/program/text_reader.h"

namespace emulsion {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// A token for a message: printable, short.
std::string shown(std::string_view token) {
    std::string out;
    for (const char c : token.substr(0, 40)) out += c >= 0x20 && c < 0x7f ? c : '?';
    return out.empty() ? "end of line" : out;
}

}  // namespace

size_t TextReader::skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) at_++;
    if (at_ < text_.size() && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    return at_;
}

bool TextReader::at_end() { return skip() == text_.size(); }

bool TextReader::at_line_end() { return at_end() || text_[at_] == '\n'; }

void TextReader::end_line() {
    if (!at_line_end()) fail("the end of the line");
    if (at_ < text_.size()) at_++;
}

bool TextReader::next_is(char c) { return !at_end() && text_[at_] == c; }

bool TextReader::accept(char c) {
    if (!next_is(c)) return false;
    at_++;
    return true;
}

void TextReader::expect(char c) {
    if (!accept(c)) fail(std::string("\"") + c + "\"");
}

std::string_view TextReader::word() {
    const size_t start = skip();
    while (at_ < text_.size() && is_word(text_[at_])) at_++;
    if (at_ == start) fail("a name");
    return text_.substr(start, at_ - start);
}

std::string TextReader::quoted() {
    expect('"');
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
        if (text_[at_] != '\\') {
            out += text_[at_++];
            continue;
        }
        const int high = at_ + 3 < text_.size() && text_[at_ + 1] == 'x' ? hex_digit(text_[at_ + 2]) : -1;
        const int low = high >= 0 ? hex_digit(text_[at_ + 3]) : -1;
        if (low < 0) fail("\\x and two hexadecimal digits");
        out += static_cast<char>(high * 16 + low);
        at_ += 4;
    }
    if (at_ == text_.size() || text_[at_] != '"') fail("the closing quote");
    at_++;
    return out;
}

std::vector<uint8_t> TextReader::hex_bytes() {
    const size_t start = skip();
    const std::string_view digits = word();
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i < digits.size(); i += 2) {
        const int high = hex_digit(digits[i]), low = i + 1 < digits.size() ? hex_digit(digits[i + 1]) : -1;
        if (high < 0 || low < 0) raise(Diag::asm_syntax, at(start + i), shown(digits.substr(i)), "pairs of the digits 0-9, a-f");
        bytes.push_back(static_cast<uint8_t>(high * 16 + low));
    }
    return bytes;
}

TextReader::Magnitude TextReader::magnitude() {
    Magnitude m{.negative = accept('-')};
    if (!m.negative) accept('+');
    const size_t start = at_;
    const bool hex = text_.substr(at_, 2) == "0x";
    const uint64_t base = hex ? 16 : 10;
    if (hex) at_ += 2;
    const size_t digits = at_;
    for (; at_ < text_.size(); at_++) {
        const int d = hex_digit(text_[at_]);
        if (d < 0 || static_cast<uint64_t>(d) >= base) break;
        m.overflow |= m.value > (UINT64_MAX - static_cast<uint64_t>(d)) / base;
        m.value = m.value * base + static_cast<uint64_t>(d);
    }
    if (at_ == digits || (at_ < text_.size() && is_word(text_[at_]))) {
        at_ = start;
        fail("a number");
    }
    return m;
}

uint8_t TextReader::register_number() {
    const size_t start = skip();
    const std::string_view name = word();
    if (name == "none") return no_register;
    unsigned r = name.size() > 1 && name.size() <= 4 && name[0] == 'r' ? 0 : 256;
    for (const char c : name.substr(1)) r = c >= '0' && c <= '9' ? r * 10 + static_cast<unsigned>(c - '0') : 256;
    if (r >= no_register) raise(Diag::asm_name_unknown, at(start), "register", name, "r0 to r31, none");
    return static_cast<uint8_t>(r);
}

void TextReader::value(Scalar &s) {
    s = {};
    if (!next_is('r')) return value(s.imm);
    s.reg = register_number();
    if (next_is('+') || next_is('-')) value(s.imm);
}

void TextReader::value(BaseTerm &t) {
    t = {register_number(), 0};
    if (accept('*')) value(t.scale);
}

Place TextReader::at(size_t position) const {
    const std::string_view before = text_.substr(0, position);
    const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
    const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    return {.file = file_, .line = line, .column = static_cast<uint32_t>(position - line_start + 1)};
}

void TextReader::fail(std::string_view wanted) {
    const size_t start = skip();
    size_t end = std::min(start + 1, text_.size());
    while (end < text_.size() && is_word(text_[start]) && is_word(text_[end])) end++;
    raise(Diag::asm_syntax, at(start), shown(text_.substr(start, end - start)), wanted);
}

}  // namespace emulsion
