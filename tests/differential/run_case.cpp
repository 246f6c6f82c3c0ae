// Compiles a case for the machine and for the CPU, runs both on the same random data, compares bits.
#include "tests/differential/case.h"

#include "npu_backend/compile.h"
#include "npu_backend/reference/reference.h"
#include "npu_backend/verify/verify.h"
#include "runtime/device/bind.h"
#include "runtime/diag/diag.h"
#include "runtime/isa/target_desc.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace emulsion::differential {
namespace {

CompileRequest request_of(const Case &c, bool with_schedule) {
    CompileRequest r{.generator = c.generator, .params = c.algorithm, .shapes = {}, .scalars = {}, .parts = {}, .function_name = {}};
    if (with_schedule) r.params.insert(c.schedule.begin(), c.schedule.end());
    return r;
}

// The reference depends on the algorithm's parameters alone, and compiling it is the slowest step: one is kept per parameters.
Reference &reference_of(const Case &c) {
    static std::map<std::pair<std::string, std::map<std::string, std::string>>, std::unique_ptr<Reference>> kept;
    auto &r = kept[{c.generator, c.algorithm}];
    if (!r) {
        if (kept.size() > 200) kept.clear();
        auto &fresh = kept[{c.generator, c.algorithm}];
        fresh = std::make_unique<Reference>(request_of(c, false));
        return *fresh;
    }
    return *r;
}

template<typename T, typename F>
void fill_with(Halide::Buffer<> &b, F value) {
    T *p = static_cast<T *>(b.data());
    for (size_t k = 0; k < b.number_of_elements(); k++) p[k] = static_cast<T>(value());
}

bool named(const std::string &name, const char *part) { return name.find(part) != std::string::npos; }

// Random bits over the whole range, but shifts, multipliers and sums stay where the operators are defined.
void fill(Halide::Buffer<> &b, const std::string &name, Draw &d) {
    const Halide::Type t = b.type();
    auto small_float = [&] { return (d.between(-4000, 4000)) / 500.0; };
    if (t.is_float() && t.bits() == 32 && (named(name, "multiplier") || named(name, "scale")))
        return fill_with<float>(b, [&] { return d.between(1, 1000) / 50000.0; });
    if (t.is_float() && t.bits() == 32) return fill_with<float>(b, small_float);
    if (t.is_bfloat()) return fill_with<uint16_t>(b, [&] { return Halide::bfloat16_t(small_float()).to_bits(); });
    if (t.is_float()) return fill_with<uint16_t>(b, [&] { return Halide::float16_t(small_float()).to_bits(); });
    if (named(name, "multiplier")) return fill_with<int32_t>(b, [&] { return d.between(1 << 30, INT32_MAX - 1); });
    if (named(name, "shift")) return fill_with<int32_t>(b, [&] { return d.between(33, 44); });
    if (named(name, "indices") && t.bits() == 64) return fill_with<int64_t>(b, [&] { return d.between(-70, 70); });
    if (named(name, "indices")) return fill_with<int32_t>(b, [&] { return d.between(-70, 70); });
    if (t.bits() == 64) return fill_with<int64_t>(b, [&] { return d.between(-20000, 20000); });
    if (t.bits() == 8) return fill_with<uint8_t>(b, [&] { return d.next(); });
    if (t.bits() == 16) return fill_with<int16_t>(b, [&] { return d.between(-300, 300); });
    if (named(name, "table")) return fill_with<int32_t>(b, [&] { return d.between(0, INT32_MAX - 1) >> d.between(0, 20); });
    if (named(name, "zero")) return fill_with<int32_t>(b, [&] { return d.between(-20, 20); });
    fill_with<int32_t>(b, [&] { return d.between(-20000, 20000); });
}

int64_t scalar_value(const Signature &s, Draw &d) {
    if (s.type.is_float()) return std::bit_cast<uint32_t>(d.between(1, 1000) / 5000.0f);
    if (named(s.name, "multiplier")) return d.between(1 << 30, INT32_MAX - 1);
    if (named(s.name, "shift")) return named(s.name, "out") ? d.between(31, 40) : d.between(31, 36);
    return d.between(0, 20);
}

float half_value(const Halide::Type &t, uint16_t bits) {
    return t.is_bfloat() ? static_cast<float>(Halide::bfloat16_t::make_from_bits(bits)) : static_cast<float>(Halide::float16_t::make_from_bits(bits));
}

float value_of(const Halide::Type &t, const uint8_t *p) {
    if (t.bits() == 32) {
        float f;
        std::memcpy(&f, p, 4);
        return f;
    }
    uint16_t bits;
    std::memcpy(&bits, p, 2);
    return half_value(t, bits);
}

// One unit in the last place of the largest element. Sums in another order differ by the rounding of their partial sums, which
// is relative to the largest of them and not to a small result.
float unit_of(const Halide::Buffer<> &b) {
    float largest = 0;
    const auto *p = static_cast<const uint8_t *>(b.data());
    for (size_t k = 0; k < b.number_of_elements(); k++) {
        const float v = std::fabs(value_of(b.type(), p + k * b.type().bytes()));
        if (std::isfinite(v)) largest = std::max(largest, v);
    }
    const int digits = b.type().bits() == 32 ? 24 : b.type().is_bfloat() ? 8 : 11;
    return std::ldexp(1.0f, std::ilogb(std::max(largest, 1e-30f)) - digits + 1);
}

bool close(float a, float b, float allowance) { return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= allowance; }

std::string place_of(const Halide::Buffer<> &b, size_t element) {
    std::string at;
    for (int dim = 0; dim < b.dimensions(); dim++) {
        at += (dim ? "," : "") + std::to_string(element % b.dim(dim).extent());
        element /= b.dim(dim).extent();
    }
    return at;
}

std::string compare(const std::string &name, const Halide::Buffer<> &want, const Halide::Buffer<> &got, int ulps) {
    const Halide::Type t = want.type();
    const bool floating = t.is_float() || t.is_bfloat();
    const float allowance = floating ? unit_of(want) * ulps : 0;
    const auto *w = static_cast<const uint8_t *>(want.data()), *g = static_cast<const uint8_t *>(got.data());
    for (size_t k = 0; k < want.number_of_elements(); k++, w += t.bytes(), g += t.bytes()) {
        if (std::memcmp(w, g, t.bytes()) == 0) continue;
        if (floating && close(value_of(t, w), value_of(t, g), allowance)) continue;
        auto text = [&](const uint8_t *p) {
            int64_t bits = 0;
            std::memcpy(&bits, p, t.bytes());
            return floating ? std::to_string(value_of(t, p)) : std::to_string(bits);
        };
        return name + "(" + place_of(want, k) + "): stock Halide " + text(w) + ", emulator " + text(g);
    }
    return "";
}

// A stage that holds or folds a whole row cannot be placed without knowing the row: then the shapes are given after all.
Compiled compile_case(CompileRequest request, const TargetDesc &target, const std::map<std::string, std::vector<int>> &extents, bool symbolic) {
    if (symbolic) {
        try {
            return compile(request, target);
        } catch (const Error &e) {
            if (e.diagnostic().id != Diag::stage_size_unbounded && e.diagnostic().id != Diag::fold_not_constant) throw;
        }
    }
    request.shapes = extents;
    return compile(request, target);
}

// Drawn tiles may be too large for the scratchpad, and the compiler says so; the default schedule must fit.
Compiled compile_fitting(const Case &c, const TargetDesc &target, const std::map<std::string, std::vector<int>> &extents) {
    try {
        return compile_case(request_of(c, true), target, extents, c.symbolic);
    } catch (const Error &e) {
        if (e.diagnostic().id != Diag::buffers_do_not_fit || c.schedule.empty()) throw;
    }
    return compile_case(request_of(c, false), target, extents, c.symbolic);
}

Halide::Buffer<> dense(const Halide::Type &t, const std::vector<int> &extents) { return Halide::Buffer<>(t, extents); }

}  // namespace

std::string repeat_command(const Case &c) { return "test_differential --only=" + c.generator + " --seed=" + std::to_string(c.seed) + " --cases=1"; }

std::string run_case(const Case &c, int ulps) {
    Reference &reference = reference_of(c);
    Draw data(c.seed * 77 + 5);
    NamedScalars scalars;
    for (const Signature &s : reference.signature())
        if (s.kind == Signature::Kind::scalar) scalars[s.name] = scalar_value(s, data);
    std::map<std::string, std::vector<int>> extents = reference.input_extents(c.extents, scalars);
    NamedBuffers inputs, want, got;
    std::map<std::string, halide_buffer_t *> bound;
    for (const Signature &s : reference.signature()) {
        if (s.kind == Signature::Kind::scalar) continue;
        const bool output = s.kind == Signature::Kind::output;
        const std::vector<int> &shape = c.extents.count(s.name) ? c.extents.at(s.name) : extents.at(s.name);
        Halide::Buffer<> b = dense(s.type, shape);
        if (output) {
            std::memset(b.data(), 0xcd, b.size_in_bytes());
            want[s.name] = dense(s.type, shape);
            got[s.name] = b;
        } else {
            fill(b, s.name, data);
            inputs[s.name] = b;
        }
        extents[s.name] = shape;
        bound[s.name] = b.raw_buffer();
    }
    reference.run(inputs, want, scalars);

    const TargetDesc target = load_target(c.target);
    const Compiled compiled = compile_fitting(c, target, extents);
    const Binding binding = bind_buffers(compiled.program, bound, scalars);
    std::vector<RegionExtent> ranges;
    for (const RegionMemory &r : binding.regions) ranges.push_back({-r.origin, static_cast<int64_t>(r.bytes.size()) - r.origin});
    verify(compiled.program, target, ranges, binding.arguments);  // raises if it does not accept
    interpret(compiled.program, target, binding.regions, binding.arguments);
    for (const auto &[name, buffer] : want)
        if (std::string difference = compare(name, buffer, got.at(name), ulps); !difference.empty()) return difference;
    return "";
}

}  // namespace emulsion::differential
