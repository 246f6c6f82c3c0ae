#include "programs.h"

namespace emulsion::device_test {

namespace {

constexpr uint8_t extent_register = 0, in_stride = 1, out_stride = 2;

Instruction argument(uint8_t reg, int index) {
    Instruction i;
    i.op = Opcode::op_arg;
    i.rd = reg;
    i.imm = index;
    return i;
}

/// Operands are streams[first], streams[first + 1]; token 0 orders the store after the load.
Instruction transfer(Opcode op, uint16_t first, uint8_t wait, uint8_t signal) {
    Instruction i;
    i.op = op;
    i.stream_count = 2;
    i.stream = first;
    i.wait[0] = wait;
    i.signal[0] = signal;
    return i;
}

Stream stream(Space space, uint8_t region, Scalar stride) {
    Stream s;
    s.space = space;
    s.region = region;
    s.type = ElementType::u8;
    s.stride[0] = stride;
    return s;
}

Program copy(Scalar extent, Scalar from_stride, Scalar to_stride) {
    Program p;
    p.name = "copy";
    p.machine = "mobile";
    p.machine_hash = target().hash;
    p.regions = {{"in", RegionKind::input, ElementType::u8, 1, 0}, {"out", RegionKind::output, ElementType::u8, 1, 0}};
    p.tokens = {TokenInit{0}};
    Domain d;
    d.rank = 1;
    d.extent[0] = extent;
    p.domains = {d};
    const Stream tile = stream(Space::spm, 0, {1, no_register});
    p.streams = {tile, stream(Space::ext, 0, from_stride), stream(Space::ext, 1, to_stride), tile};
    p.code = {transfer(Opcode::op_load, 0, no_token, 0), transfer(Opcode::op_store, 2, 0, no_token), Instruction{}};
    return p;
}

}  // namespace

Program symbolic_copy() {
    Program p = copy({0, extent_register}, {0, in_stride}, {0, out_stride});
    p.arguments = {{ArgumentKind::buffer_extent, 1, 0, "", ElementType::i32},
                   {ArgumentKind::buffer_stride, 0, 0, "", ElementType::i32},
                   {ArgumentKind::buffer_stride, 1, 0, "", ElementType::i32}};
    for (int k = 2; k >= 0; k--) p.code.insert(p.code.begin(), argument(static_cast<uint8_t>(k), k));
    return p;
}

Program fixed_copy(int extent) { return copy({extent, no_register}, {1, no_register}, {1, no_register}); }

TargetDesc target() { return load_target("mobile"); }

}  // namespace emulsion::device_test
