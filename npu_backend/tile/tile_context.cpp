#include "npu_backend/tile/tile_context.h"

#include "npu_backend/tile/affine.h"

#include <bit>
#include <sstream>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

int TileContext::buffer(const std::string &name) const {
    auto it = scope_.find(name);
    if (it == scope_.end() || it->second.empty()) raise(Diag::internal_error, {name}, std::string("tile"), "no storage for " + name);
    return it->second.back();
}

void TileContext::enter(const std::string &name, int buffer) { scope_[name].push_back(buffer); }

void TileContext::leave(const std::string &name) {
    scope_[name].pop_back();
    if (scope_[name].empty()) scope_.erase(name);
}

int TileContext::add_buffer(ir::Buffer b) {
    program.buffers.push_back(std::move(b));
    return static_cast<int>(program.buffers.size()) - 1;
}

int TileContext::constant_buffer(const Halide::Buffer<> &data) {
    if (auto it = constants_.find(data.name()); it != constants_.end()) return it->second;
    Halide::Buffer<> dense = data.copy();
    ir::Buffer b;
    b.name = data.name();
    b.space = Space::ext;
    b.type = element_type(data.type(), {});
    for (size_t r = 0; r < program.regions.size(); r++)
        if (program.regions[r].kind == RegionKind::constants) b.region = static_cast<int>(r);
    if (b.region < 0) {
        b.region = static_cast<int>(program.regions.size());
        program.regions.push_back({"constants", RegionKind::constants, ElementType::u8, 1, 0});
    }
    while (program.constants.size() % 64) program.constants.push_back(0);
    b.offset = static_cast<int64_t>(program.constants.size());
    b.elements = 1;
    for (int d = 0; d < dense.dimensions(); d++) {
        b.min.push_back(dense.dim(d).min());
        b.stride.push_back(dense.dim(d).stride());
        b.extent.push_back(dense.dim(d).extent());
        b.elements *= dense.dim(d).extent();
    }
    const auto *bytes = static_cast<const uint8_t *>(dense.data());
    program.constants.insert(program.constants.end(), bytes, bytes + dense.size_in_bytes());
    program.regions[b.region].bytes = static_cast<int64_t>(program.constants.size());
    return constants_[data.name()] = add_buffer(b);
}

const Function *TileContext::function(const std::string &stage) const {
    auto it = lowered_.environment.find(stage);
    if (it == lowered_.environment.end()) it = lowered_.environment.find(stage.substr(0, stage.rfind('.')));  // tuple part "f.0"
    return it == lowered_.environment.end() ? nullptr : &it->second;
}

namespace {
std::vector<std::string> split(const std::string &s, char separator) {
    std::vector<std::string> parts;
    std::stringstream in(s);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}
}  // namespace

StageMarks TileContext::marks(const std::string &stage) const {
    StageMarks m;
    m.place.stage = stage;
    const Function *f = function(stage);
    if (!f) return m;
    for (const std::string &tag : f->get_trace_tags()) {
        const auto eq = tag.find('=');
        if (tag.rfind("emulsion.", 0) != 0 || eq == std::string::npos) continue;
        const std::string key = tag.substr(9, eq - 9), value = tag.substr(eq + 1);
        if (key == "engine") m.engine = value;
        if (key == "columns") m.columns = split(value, ',');
        if (key == "stage_out") m.stage_out = std::max(1, std::stoi(value));
        if (key == "at" && m.place.file.empty()) {
            const auto colon = value.rfind(':');
            m.place.file = value.substr(0, colon);
            m.place.line = static_cast<uint32_t>(std::stoul(value.substr(colon + 1)));
        }
    }
    return m;
}

std::optional<ir::Operand> TileContext::operand(int id, const std::vector<Expr> &index, const std::vector<std::string> &variables) const {
    const ir::Buffer &b = program.buffers[id];
    ir::Operand o;
    o.buffer = id;
    o.type = b.type;
    o.base = 0;
    o.stride.assign(variables.size(), Expr(0));
    for (size_t d = 0; d < index.size(); d++) {
        auto a = affine_in(index[d], variables);
        if (!a) return {};
        o.base += (a->constant - b.min[d]) * b.stride[d];
        for (size_t k = 0; k < variables.size(); k++) o.stride[k] += a->coefficient[k] * b.stride[d];
    }
    o.base = simplify(o.base);
    for (Expr &s : o.stride) s = simplify(s);
    return o;
}

std::optional<int64_t> TileContext::upper_bound(const Expr &e) const {
    if (auto v = constant_value(e)) return v;
    Expr bound = find_constant_bound(simplify(e), Direction::Upper, loops);
    if (!bound.defined()) return {};
    return constant_value(bound);
}

ElementType element_type(const Type &t, const Place &place) {
    if (t.is_bool()) return ElementType::u8;
    auto pick = [&](ElementType e8, ElementType e16, ElementType e32, ElementType e64) {
        return t.bits() == 8 ? e8 : t.bits() == 16 ? e16 : t.bits() == 32 ? e32 : e64;
    };
    if (t.is_bfloat() && t.bits() == 16) return ElementType::bf16;
    if (t.is_float() && t.bits() == 16) return ElementType::f16;
    if (t.is_float() && t.bits() == 32) return ElementType::f32;
    if (t.is_int()) return pick(ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64);
    if (t.is_uint()) return pick(ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64);
    std::ostringstream name;
    name << t;
    raise(Diag::type_unsupported, place, name.str());
}

namespace {
uint64_t float_bits(double v, const Type &t) {
    if (t.is_bfloat()) return bfloat16_t(v).to_bits();
    if (t.bits() == 16) return float16_t(v).to_bits();
    return std::bit_cast<uint32_t>(static_cast<float>(v));
}
}  // namespace

std::optional<uint64_t> constant_bits(const Expr &e) {
    if (auto v = constant_value(e)) return static_cast<uint64_t>(*v);
    if (auto v = as_const_float(simplify(e))) return float_bits(*v, e.type());
    return {};
}

}  // namespace emulsion
