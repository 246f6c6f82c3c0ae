// From halide_buffer_t to regions and arguments: where streams may reach, and what is refused.
#include "runtime/device/bind.h"

#include "programs.h"
#include "runtime/diag/diag.h"

#include "HalideBuffer.h"

#include <gtest/gtest.h>

namespace emulsion::device_test {
namespace {

using Buffer = Halide::Runtime::Buffer<uint8_t>;

template<typename Body>
std::string code_of(Body body) {
    try {
        body();
    } catch (const Error &e) {
        return e.diagnostic().code();
    }
    return "none";
}

Binding bind_two(Buffer &in, Buffer &out) {
    halide_buffer_t *buffers[] = {in.raw_buffer(), out.raw_buffer()};
    return bind_buffers(symbolic_copy(), buffers, {});
}

TEST(Bind, reads_arguments_from_buffers) {
    Buffer in(9), out(7);
    in.set_min(-3);
    EXPECT_EQ(bind_two(in, out).arguments, (std::vector<int64_t>{7, 1, 1}));
}

TEST(Bind, a_region_spans_the_buffers_elements) {
    uint8_t memory[64];
    halide_dimension_t shape[] = {{5, 4, 3}};
    Buffer in(memory + 10, 1, shape), out(4);
    const RegionMemory r = bind_two(in, out).regions[0];
    EXPECT_EQ(r.bytes.data(), memory + 10);
    EXPECT_EQ(r.bytes.size(), 10u);  // 3 strides and the last element
    EXPECT_EQ(r.origin, 0);
}

TEST(Bind, a_negative_stride_reaches_below_the_base) {
    uint8_t memory[64];
    halide_dimension_t shape[] = {{0, 4, -2}};
    Buffer in(memory + 20, 1, shape), out(4);
    const RegionMemory r = bind_two(in, out).regions[0];
    EXPECT_EQ(r.bytes.data(), memory + 14);
    EXPECT_EQ(r.bytes.size(), 7u);
    EXPECT_EQ(r.origin, 6);
}

TEST(Bind, an_empty_buffer_has_no_bytes) {
    uint8_t memory[1];
    halide_dimension_t shape[] = {{0, 0, 1}};
    Buffer in(memory, 1, shape), out(4);
    EXPECT_EQ(bind_two(in, out).regions[0].bytes.size(), 0u);
}

TEST(Bind, constants_and_arena_are_the_programs_own) {
    Program p = fixed_copy(4);
    p.regions.push_back({"weights", RegionKind::constants, ElementType::u8, 0, 3});
    p.regions.push_back({"arena", RegionKind::arena, ElementType::u8, 0, 16});
    p.constants = {7, 8, 9};
    Buffer in(4), out(4);
    const Binding b = bind_buffers(p, {{"in", in.raw_buffer()}, {"out", out.raw_buffer()}}, {});
    EXPECT_EQ(b.regions[2].bytes[1], 8);
    EXPECT_EQ(b.regions[3].bytes.size(), 16u);
    EXPECT_EQ(b.regions[3].bytes[15], 0);
}

TEST(Bind, scalars_come_in_argument_order) {
    Program p = fixed_copy(4);
    p.arguments = {{ArgumentKind::scalar, 0, 0, "k", ElementType::i32},
                   {ArgumentKind::buffer_extent, 0, 0, "", ElementType::i32},
                   {ArgumentKind::scalar, 0, 0, "scale", ElementType::f32}};
    Buffer in(4), out(4);
    const Binding b = bind_buffers(p, {{"in", in.raw_buffer()}, {"out", out.raw_buffer()}}, {{"scale", 0x3f800000}, {"k", -5}});
    EXPECT_EQ(b.arguments, (std::vector<int64_t>{-5, 4, 0x3f800000}));
}

TEST(Bind, refuses_buffers_that_do_not_fit) {
    Buffer in(4), out(4), flat(4, 4), nothing(nullptr, 4);
    Halide::Runtime::Buffer<int16_t> wide(4);
    EXPECT_EQ(code_of([&] { halide_buffer_t *one[] = {in.raw_buffer()}; bind_buffers(symbolic_copy(), one, {}); }), "EM551");
    EXPECT_EQ(code_of([&] { halide_buffer_t *two[] = {in.raw_buffer(), out.raw_buffer()}; int64_t extra[] = {1}; bind_buffers(symbolic_copy(), two, extra); }), "EM551");
    EXPECT_EQ(code_of([&] { halide_buffer_t *two[] = {in.raw_buffer(), nullptr}; bind_buffers(symbolic_copy(), two, {}); }), "EM552");
    EXPECT_EQ(code_of([&] { bind_two(nothing, out); }), "EM552");
    EXPECT_EQ(code_of([&] { halide_buffer_t *two[] = {wide.raw_buffer(), out.raw_buffer()}; bind_buffers(symbolic_copy(), two, {}); }), "EM553");
    EXPECT_EQ(code_of([&] { bind_two(flat, out); }), "EM554");
    EXPECT_EQ(code_of([&] { bind_buffers(symbolic_copy(), {{"in", in.raw_buffer()}}, {}); }), "EM558");
    in.raw_buffer()->set_device_dirty(true);
    EXPECT_EQ(code_of([&] { bind_two(in, out); }), "EM555");
    in.raw_buffer()->set_device_dirty(false);
}

TEST(ElementTypeOf, follows_halides_types) {
    EXPECT_EQ(element_type({halide_type_uint, 1}, "b"), ElementType::u8);
    EXPECT_EQ(element_type({halide_type_bfloat, 16}, "b"), ElementType::bf16);
    EXPECT_EQ(element_type({halide_type_float, 32}, "b"), ElementType::f32);
    EXPECT_EQ(code_of([] { element_type({halide_type_float, 64}, "b"); }), "EM553");
}

}  // namespace
}  // namespace emulsion::device_test
