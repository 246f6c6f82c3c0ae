#include "npu_backend/ir/tile_ir.h"

#include <sstream>

namespace emulsion::ir {
namespace {

std::string text(const Expr &e) {
    if (!e.defined()) return "-";
    std::ostringstream s;
    s << e;
    return s.str();
}

class Printer {
public:
    explicit Printer(const TileProgram &p) : program_(p) {}

    std::string run() {
        for (const Buffer &b : program_.buffers) buffer(b);
        node(*program_.body, 0);
        return out_.str();
    }

private:
    void buffer(const Buffer &b) {
        constexpr const char *space[] = {"ext", "spm", "acc", "lut"};
        out_ << "buffer " << b.name << " : " << space[static_cast<int>(b.space)] << " " << info(b.type).name << "[";
        for (size_t d = 0; d < b.stride.size(); d++) out_ << (d ? ", " : "") << (b.extent.empty() ? "?" : std::to_string(b.extent[d]));
        out_ << "]";
        if (b.ring > 1) out_ << " ring " << b.ring;
        if (b.slot_bytes) out_ << " at " << b.offset << " slot " << b.slot_bytes;
        out_ << "\n";
    }

    void tokens(const std::vector<int> &waits, const std::vector<int> &signals) {
        for (int t : waits) out_ << " wait t" << t;
        for (int t : signals) out_ << " signal t" << t;
    }

    void operand(const Operand &o) {
        out_ << program_.buffers[o.buffer].name << "{" << text(o.base);
        for (const Expr &s : o.stride) out_ << "; " << text(s);
        out_ << "}";
    }

    void op(const TileOp &t) {
        out_ << find_instruction(t.op)->name << " [";
        for (size_t d = 0; d < t.domain.size(); d++) {
            constexpr const char *roles[] = {"", "col ", "row ", "tap ", "group ", "reduce ", "serial "};
            out_ << (d ? ", " : "") << roles[static_cast<int>(t.domain[d].role)] << text(t.domain[d].extent);
        }
        out_ << "]";
        for (const Operand &o : t.operands) out_ << (o.writes ? " w:" : " r:"), operand(o);
        if (t.fill) out_ << " fill";
        if (!t.micro.empty()) out_ << " micro-ops " << t.micro.size();
        if (t.accumulate_when.defined()) out_ << " overwrite when 0 == " << text(t.accumulate_when);
        tokens(t.waits, t.signals);
        out_ << "    ; " << t.stage;
    }

    void node(const Node &n, int depth) {
        std::string pad(2 * depth, ' ');
        switch (n.kind) {
        case NodeKind::block:
            for (const NodePtr &c : n.children) node(*c, depth);
            return;
        case NodeKind::loop: out_ << pad << "for " << n.variable << " in 0.." << text(n.extent) << " {\n"; break;
        case NodeKind::condition: out_ << pad << "if " << text(n.extent) << " {\n"; break;
        case NodeKind::op: out_ << pad, op(n.tile), out_ << "\n"; return;
        case NodeKind::sync:
            out_ << pad << "sync " << queue_names[static_cast<int>(n.queue)];
            tokens(n.waits, n.signals);
            out_ << "\n";
            return;
        case NodeKind::advance: out_ << pad << "advance " << program_.buffers[n.buffer].slot_variable() << "\n"; return;
        }
        node(*n.children[0], depth + 1);
        if (n.children.size() > 1) out_ << pad << "} else {\n", node(*n.children[1], depth + 1);
        out_ << pad << "}\n";
    }

    const TileProgram &program_;
    std::ostringstream out_;
};

}  // namespace

std::string print(const TileProgram &program) { return Printer(program).run(); }

}  // namespace emulsion::ir
