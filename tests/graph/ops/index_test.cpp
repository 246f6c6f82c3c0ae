// Catches: wrong elements picked by gather and arg_reduce, sums in the wrong direction, one_hot's ones elsewhere, resizing that reads
// the wrong neighbours.
#include "tests/graph/ops/node_case.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace emulsion::graph {
namespace {

using Index = std::vector<int64_t>;

TEST(Gather, PicksSlicesAlongEveryAxis) {
    std::mt19937 random(41);
    for (const bool constant : {false, true})
        for (size_t axis = 0; axis < 3; axis++)
            for (DataType index_type : {DataType::i32, DataType::i64}) {
                const Index extents{pick(random, 1, 7), pick(random, 1, 7), pick(random, 1, 23)};
                const Numbers in = random_numbers(random, DataType::i16, extents);
                Numbers at = random_numbers(random, index_type, {2, 5}, -static_cast<int>(extents[axis]), static_cast<int>(extents[axis]) - 1);
                at.constant = constant;
                Index shape = extents;
                shape[axis] = 2;
                shape.insert(shape.begin() + static_cast<int64_t>(axis) + 1, 5);
                const Numbers out = made(DataType::i16, shape, [&](Index i) {
                    double k = at.at({i[axis], i[axis + 1]});
                    i.erase(i.begin() + static_cast<int64_t>(axis));
                    i[axis] = static_cast<int64_t>(k < 0 ? k + static_cast<double>(extents[axis]) : k);
                    return in.at(i);
                });
                expect_node("gather", {{"axis", static_cast<int64_t>(axis)}}, {in, at}, {out});
            }
}

TEST(Gather, EquallySpacedConstantIndicesAreACopy) {
    std::mt19937 random(42);
    const Numbers in = random_numbers(random, DataType::i8, {11, 5});
    for (const std::vector<double> &list : {std::vector<double>{1, 4, 7}, {9, 8, 7, 6}, {3}, {-1, -3}}) {
        Numbers at{.type = DataType::i32, .extents = {static_cast<int64_t>(list.size())}, .elements = list};
        at.constant = true;
        const Numbers out = made(DataType::i8, {at.extents[0], 5}, [&](const Index &i) { return in.at({static_cast<int64_t>(list[i[0]] < 0 ? list[i[0]] + 11 : list[i[0]]), i[1]}); });
        expect_node("gather", {}, {in, at}, {out});
    }
    Numbers outside{.type = DataType::i32, .extents = {1}, .elements = {11}};
    outside.constant = true;
    EXPECT_EQ(code_of_node("gather", {}, {in, outside}, {in}), "EM707");
}

TEST(Gather, BatchDimensionsHaveIndicesOfTheirOwn) {
    std::mt19937 random(43);
    const Numbers in = random_numbers(random, DataType::i32, {3, 4, 6}), at = random_numbers(random, DataType::i32, {3, 5}, 0, 3);
    const Numbers out = made(DataType::i32, {3, 5, 6}, [&](const Index &i) { return in.at({i[0], static_cast<int64_t>(at.at({i[0], i[1]})), i[2]}); });
    expect_node("gather", {{"axis", int64_t{1}}, {"batch_dimensions", int64_t{1}}}, {in, at}, {out});
    EXPECT_EQ(code_of_node("gather", {{"axis", int64_t{1}}, {"batch_dimensions", int64_t{2}}}, {in, at}, {out}), "EM707");
    EXPECT_EQ(code_of_node("gather", {{"axis", int64_t{3}}}, {in, at}, {out}), "EM707");
    EXPECT_EQ(code_of_node("gather", {}, {in, random_numbers(random, DataType::f32, {3})}, {out}), "EM707");
}

TEST(OneHot, PutsOneElementOn) {
    std::mt19937 random(44);
    const Numbers at = random_numbers(random, DataType::i32, {3, 7}, -2, 6);
    for (const bool wrap : {false, true}) {
        const auto value = [&](double k, int64_t d) { return (wrap && k < 0 ? k + 5 : k) == static_cast<double>(d) ? 3.0 : -1.0; };
        const Attributes attributes{{"depth", int64_t{5}}, {"on", 3.0}, {"off", -1.0}, {"wrap", int64_t{wrap}}};
        expect_node("one_hot", attributes, {at}, {made(DataType::f32, {3, 7, 5}, [&](const Index &i) { return value(at.at({i[0], i[1]}), i[2]); })});
        Attributes first = attributes;
        first["axis"] = int64_t{0};
        expect_node("one_hot", first, {at}, {made(DataType::i8, {5, 3, 7}, [&](const Index &i) { return value(at.at({i[1], i[2]}), i[0]); })});
    }
    EXPECT_EQ(code_of_node("one_hot", {{"depth", int64_t{0}}}, {at}, {at}), "EM707");
}

TEST(ArgReduce, FindsTheFirstOrTheLast) {
    std::mt19937 random(45);
    for (DataType t : {DataType::i8, DataType::u8, DataType::f32})
        for (int64_t axis = 0; axis < 3; axis++)
            for (const bool last : {false, true}) {
                const Index extents{pick(random, 1, 7), pick(random, 1, 67), pick(random, 1, 37)};
                const Numbers in = random_numbers(random, t, extents, 0, 5);
                const bool max = pick(random, 0, 1) == 1, keep = pick(random, 0, 1) == 1;
                Index shape = extents;
                if (keep) shape[axis] = 1;
                else shape.erase(shape.begin() + axis);
                const Numbers out = made(last ? DataType::i64 : DataType::i32, shape, [&](Index i) {
                    if (!keep) i.insert(i.begin() + axis, 0);
                    int64_t best = 0;
                    const auto value = [&](int64_t a) { i[axis] = a; return max ? in.at(i) : -in.at(i); };
                    for (int64_t a = 1; a < extents[axis]; a++)
                        if (value(a) > value(best) || (last && value(a) == value(best))) best = a;
                    return static_cast<double>(best);
                });
                expect_node("arg_reduce", {{"function", std::string(max ? "max" : "min")}, {"axis", axis}, {"keep_dimensions", int64_t{keep}}, {"last", int64_t{last}}}, {in}, {out});
            }
    const Numbers in = random_numbers(random, DataType::i8, {2});
    EXPECT_EQ(code_of_node("arg_reduce", {{"function", std::string("median")}}, {in}, {in}), "EM710");
    EXPECT_EQ(code_of_node("arg_reduce", {{"axis", int64_t{1}}}, {in}, {in}), "EM707");
}

TEST(CumulativeSum, BothEndsWithAndWithoutTheElement) {
    std::mt19937 random(46);
    for (DataType t : {DataType::i32, DataType::f32})
        for (int64_t axis = 0; axis < 3; axis++)
            for (int flags = 0; flags < 4; flags++) {
                const bool exclusive = flags & 1, reverse = flags & 2;
                const Index extents{pick(random, 1, 5), pick(random, 1, 11), pick(random, 1, 17)};
                const Numbers in = random_numbers(random, t, extents);
                const Numbers out = made(t, extents, [&](Index i) {
                    const int64_t here = i[axis];
                    double sum = 0;
                    for (int64_t a = reverse ? extents[axis] - 1 : 0; a != here; a += reverse ? -1 : 1) {
                        i[axis] = a;
                        sum += in.at(i);
                    }
                    i[axis] = here;
                    return exclusive ? sum : sum + in.at(i);
                });
                expect_node("cumulative_sum", {{"axis", axis}, {"exclusive", int64_t{exclusive}}, {"reverse", int64_t{reverse}}}, {in}, {out});
            }
    Numbers in = random_numbers(random, DataType::i8, {4});
    in.quantization = {{0.5f}, {0}, -1};
    EXPECT_EQ(code_of_node("cumulative_sum", {}, {in}, {in}), "EM710");
}

TEST(ResizeNearest, ReadsTheFlooredPosition) {
    std::mt19937 random(47);
    for (int n = 0; n < 4; n++) {
        const Index in_shape{2, pick(random, 1, 13), pick(random, 1, 13), pick(random, 1, 70)}, size{pick(random, 1, 29), pick(random, 1, 29)};
        const Numbers in = random_numbers(random, DataType::i8, in_shape);
        const auto from = [](int64_t i, int64_t n_in, int64_t n_out) {
            return std::min<int64_t>(n_in - 1, static_cast<int64_t>(std::floor(static_cast<float>(i) * (static_cast<float>(n_in) / static_cast<float>(n_out)))));
        };
        expect_node("resize_nearest", {{"size", size}}, {in}, {made(DataType::i8, {2, size[0], size[1], in_shape[3]}, [&](const Index &i) {
            return in.at({i[0], from(i[1], in_shape[1], size[0]), from(i[2], in_shape[2], size[1]), i[3]});
        })});
    }
    EXPECT_EQ(code_of_node("resize_nearest", {{"size", Index{0, 2}}}, {random_numbers(random, DataType::i8, {1, 2, 2, 1})}, {random_numbers(random, DataType::i8, {1})}), "EM707");
}

TEST(ResizeBilinear, HalvesAreMeansOfNeighbours) {
    std::mt19937 random(48);
    for (DataType t : {DataType::u8, DataType::i8, DataType::f32}) {
        const Numbers in = random_numbers(random, t, {1, 4, 6, 65}, 0, 100);
        const auto doubled = [&](const Index &i) {
            const double y = static_cast<double>(i[1]) / 2, x = static_cast<double>(i[2]) / 2;
            double sum = 0;
            for (int dy = 0; dy < 2; dy++)
                for (int dx = 0; dx < 2; dx++)
                    sum += in.at({0, static_cast<int64_t>(dy ? std::min(std::ceil(y), 3.0) : std::floor(y)), static_cast<int64_t>(dx ? std::min(std::ceil(x), 5.0) : std::floor(x)), i[3]});
            return t == DataType::f32 ? sum / 4 : std::floor(sum / 4 + 0.5);
        };
        expect_node("resize_bilinear", {{"size", Index{8, 12}}}, {in}, {made(t, {1, 8, 12, 65}, doubled)});
    }
}

}  // namespace
}  // namespace emulsion::graph
