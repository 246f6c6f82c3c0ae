// Catches: elements moved to the wrong place by reshape, transpose, concat, split, slice, pad, tile, broadcast_to and the space
// operators; a shape rule that differs from what is computed.
#include "tests/graph/ops/node_case.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace emulsion::graph {
namespace {

using Index = std::vector<int64_t>;
constexpr DataType types[] = {DataType::i8, DataType::u8, DataType::i16, DataType::i32, DataType::f32, DataType::i64};

DataType any_type(std::mt19937 &random) { return types[pick(random, 0, 5)]; }
Numbers any_tensor(std::mt19937 &random, Index extents) { return random_numbers(random, any_type(random), std::move(extents), 0, 100); }

TEST(Reshape, KeepsTheOrderAndFindsTheOpenExtent) {
    std::mt19937 random(1);
    const Numbers in = any_tensor(random, {4, 5, 7});
    Numbers out = in;
    out.extents = {2, 70};
    expect_node("reshape", {{"shape", Index{2, -1}}}, {in}, {out});
    EXPECT_EQ(code_of_node("reshape", {{"shape", Index{3, -1}}}, {in}, {out}), "EM707");
    EXPECT_EQ(code_of_node("reshape", {{"shape", Index{-1, -1}}}, {in}, {out}), "EM707");
    EXPECT_EQ(code_of_node("reshape", {{"shape", Index{139}}}, {in}, {out}), "EM707");
}

TEST(Transpose, RandomPermutationsOfUpToSixDimensions) {
    std::mt19937 random(2);
    for (int n = 0; n < 12; n++) {
        const size_t rank = pick(random, 1, 6);
        Index extents, p(rank), shape;
        for (size_t d = 0; d < rank; d++) extents.push_back(pick(random, 1, rank > 4 ? 5 : 13));
        std::iota(p.begin(), p.end(), 0);
        std::shuffle(p.begin(), p.end(), random);
        for (int64_t d : p) shape.push_back(extents[d]);
        const Numbers in = any_tensor(random, extents);
        const Numbers out = made(in.type, shape, [&](const Index &o) {
            Index i(rank);
            for (size_t d = 0; d < rank; d++) i[p[d]] = o[d];
            return in.at(i);
        });
        expect_node("transpose", {{"permutation", p}}, {in}, {out});
    }
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
    std::mt19937 random(3);
    const Numbers in = any_tensor(random, {2, 3});
    for (const Index &p : {Index{0, 0}, Index{0}, Index{0, 2}}) EXPECT_EQ(code_of_node("transpose", {{"permutation", p}}, {in}, {in}), "EM707");
}

TEST(Concat, EveryAxisJoinsItsInputs) {
    std::mt19937 random(4);
    for (int64_t axis = -1; axis < 4; axis++) {
        const DataType type = any_type(random);
        const size_t place = axis < 0 ? 3 : axis;
        Index extents{2, 3, 5, 7};
        std::vector<Numbers> inputs;
        for (int k = pick(random, 1, 6); k > 0; k--) {
            extents[place] = pick(random, 1, 11);
            inputs.push_back(random_numbers(random, type, extents, 0, 100));
        }
        extents[place] = 0;
        for (const Numbers &n : inputs) extents[place] += n.extents[place];
        const Numbers out = made(type, extents, [&](Index i) {
            size_t k = 0;
            for (; i[place] >= inputs[k].extents[place]; k++) i[place] -= inputs[k].extents[place];
            return inputs[k].at(i);
        });
        expect_node("concat", {{"axis", axis}}, inputs, {out});
    }
}

TEST(Concat, RescalesPartsOfAnotherScale) {
    std::mt19937 random(5);
    Numbers a = random_numbers(random, DataType::u8, {3, 40}, 0, 255), b = random_numbers(random, DataType::u8, {3, 17}, 0, 255);
    a.quantization = {{0.5f}, {10}, -1};
    b.quantization = {{0.125f}, {128}, -1};
    Numbers out = made(DataType::u8, {3, 57}, [&](const Index &i) {
        if (i[1] < 40) return a.at(i);
        const double real = 0.125 * (b.at({i[0], i[1] - 40}) - 128);
        return std::clamp(std::round(real / 0.5) + 10, 0.0, 255.0);
    });
    out.quantization = a.quantization;
    expect_node("concat", {{"axis", int64_t{1}}}, {a, b}, {out});
}

TEST(Concat, RefusesWhatDoesNotFit) {
    std::mt19937 random(6);
    const Numbers a = random_numbers(random, DataType::i8, {2, 3}), b = random_numbers(random, DataType::i8, {2, 4}), c = random_numbers(random, DataType::i16, {2, 3});
    EXPECT_EQ(code_of_node("concat", {{"axis", int64_t{0}}}, {a, b}, {a}), "EM707");
    EXPECT_EQ(code_of_node("concat", {{"axis", int64_t{0}}}, {a, c}, {a}), "EM707");
    EXPECT_EQ(code_of_node("concat", {{"axis", int64_t{2}}}, {a, a}, {a}), "EM707");
    EXPECT_EQ(code_of_node("concat", {{"axis", int64_t{0}}, {"activation", std::string("relu")}}, {a, a}, {a}), "EM710");
}

TEST(Split, IsTheInverseOfConcat) {
    std::mt19937 random(7);
    for (size_t axis = 0; axis < 3; axis++) {
        Index extents{4, 6, 5}, sizes{pick(random, 1, 4), pick(random, 1, 4), pick(random, 1, 4)};
        extents[axis] = sizes[0] + sizes[1] + sizes[2];
        const Numbers in = any_tensor(random, extents);
        std::vector<Numbers> parts;
        int64_t start = 0;
        for (int64_t size : sizes) {
            Index shape = extents;
            shape[axis] = size;
            parts.push_back(made(in.type, shape, [&](Index i) {
                i[axis] += start;
                return in.at(i);
            }));
            start += size;
        }
        expect_node("split", {{"axis", static_cast<int64_t>(axis)}, {"sizes", sizes}}, {in}, parts);
        EXPECT_EQ(code_of_node("split", {{"axis", static_cast<int64_t>(axis)}, {"sizes", Index{20, 1, 1}}}, {in}, parts), "EM707");
    }
}

TEST(Slice, RandomBoxesForwardsAndBackwards) {
    std::mt19937 random(8);
    for (int n = 0; n < 12; n++) {
        const size_t rank = pick(random, 1, 4);
        Index extents, begin, end, step, shape;
        for (size_t d = 0; d < rank; d++) {
            const int64_t extent = pick(random, 1, 17), count = pick(random, 1, extent), most = count > 1 ? (extent - 1) / (count - 1) : 3;
            int64_t s = pick(random, 1, most), b = pick(random, 0, extent - 1 - (count - 1) * s);
            if (pick(random, 0, 2) == 0) b += (count - 1) * s, s = -s;
            extents.push_back(extent), begin.push_back(b), step.push_back(s), shape.push_back(count), end.push_back(b + (count - 1) * s + (s > 0 ? 1 : -1));
        }
        const Numbers in = any_tensor(random, extents);
        const Numbers out = made(in.type, shape, [&](Index i) {
            for (size_t d = 0; d < rank; d++) i[d] = begin[d] + i[d] * step[d];
            return in.at(i);
        });
        expect_node("slice", {{"begin", begin}, {"end", end}, {"step", step}}, {in}, {out});
    }
}

TEST(Slice, RefusesWhatLiesOutside) {
    std::mt19937 random(9);
    const Numbers in = any_tensor(random, {5});
    EXPECT_EQ(code_of_node("slice", {{"begin", Index{2}}, {"end", Index{6}}, {"step", Index{1}}}, {in}, {in}), "EM707");
    EXPECT_EQ(code_of_node("slice", {{"begin", Index{2}}, {"end", Index{2}}, {"step", Index{1}}}, {in}, {in}), "EM707");
    EXPECT_EQ(code_of_node("slice", {{"begin", Index{2}}, {"end", Index{4}}, {"step", Index{0}}}, {in}, {in}), "EM707");
    EXPECT_EQ(code_of_node("slice", {{"begin", Index{2, 3}}, {"end", Index{4, 4}}}, {in}, {in}), "EM707");
}

int64_t mirrored(int64_t i, int64_t n, const std::string &mode) {
    if (mode == "edge") return std::clamp<int64_t>(i, 0, n - 1);
    if (i < 0) return mode == "reflect" ? -i : -i - 1;
    if (i >= n) return mode == "reflect" ? 2 * n - 2 - i : 2 * n - 1 - i;
    return i;
}

TEST(Pad, EveryModeOnRandomShapes) {
    std::mt19937 random(10);
    for (const std::string mode : {"constant", "edge", "reflect", "symmetric"})
        for (int n = 0; n < 5; n++) {
            const size_t rank = pick(random, 1, 5);
            Index extents, before, after, shape;
            for (size_t d = 0; d < rank; d++) {
                extents.push_back(pick(random, 3, 9));
                const bool padded = pick(random, 0, 2) > 0;
                before.push_back(padded ? pick(random, mode == "constant" ? -1 : 0, 2) : 0);
                after.push_back(padded ? pick(random, 0, 2) : 0);
                shape.push_back(extents[d] + before[d] + after[d]);
            }
            const Numbers in = any_tensor(random, extents);
            const Numbers out = made(in.type, shape, [&](Index i) {
                for (size_t d = 0; d < rank; d++) {
                    i[d] -= before[d];
                    if (mode == "constant" && (i[d] < 0 || i[d] >= extents[d])) return 7.0;
                    i[d] = mirrored(i[d], extents[d], mode);
                }
                return in.at(i);
            });
            expect_node("pad", {{"before", before}, {"after", after}, {"mode", mode}, {"value", 7.0}}, {in}, {out});
        }
}

TEST(Pad, QuantisedTensorsPadWithTheValuesInteger) {
    std::mt19937 random(11);
    Numbers in = random_numbers(random, DataType::u8, {3, 5}, 0, 255);
    in.quantization = {{0.25f}, {100}, -1};
    for (double value : {0.0, 2.0, 1000.0}) {
        Numbers out = made(DataType::u8, {3, 7}, [&](const Index &i) { return i[1] < 1 || i[1] > 5 ? std::min(255.0, 100 + value * 4) : in.at({i[0], i[1] - 1}); });
        expect_node("pad", {{"before", Index{0, 1}}, {"after", Index{0, 1}}, {"value", value}}, {in}, {out});
    }
}

TEST(Pad, RefusesWhatCannotBePadded) {
    std::mt19937 random(12);
    const Numbers in = any_tensor(random, {2, 3});
    EXPECT_EQ(code_of_node("pad", {{"before", Index{2, 0}}, {"after", Index{0, 0}}, {"mode", std::string("reflect")}}, {in}, {in}), "EM707");
    EXPECT_EQ(code_of_node("pad", {{"before", Index{1}}, {"after", Index{0}}}, {in}, {in}), "EM707");
    EXPECT_EQ(code_of_node("pad", {{"before", Index{1, 1}}, {"after", Index{0, 0}}, {"mode", std::string("wrap")}}, {in}, {in}), "EM707");
    const Numbers seven = any_tensor(random, {2, 2, 2, 2, 2, 2, 2});
    EXPECT_EQ(code_of_node("pad", {{"before", Index{1, 1, 1, 1, 1, 1, 1}}, {"after", Index{0, 0, 0, 0, 0, 0, 0}}}, {seven}, {seven}), "EM710");
}

TEST(Tile, RepeatsEveryDimension) {
    std::mt19937 random(13);
    for (int n = 0; n < 6; n++) {
        Index extents{pick(random, 1, 5), pick(random, 1, 7), pick(random, 1, 9)}, repeats{pick(random, 1, 3), pick(random, 1, 3), pick(random, 1, 3)}, shape;
        for (int d = 0; d < 3; d++) shape.push_back(extents[d] * repeats[d]);
        const Numbers in = any_tensor(random, extents);
        expect_node("tile", {{"repeats", repeats}}, {in}, {made(in.type, shape, [&](const Index &i) { return in.at({i[0] % extents[0], i[1] % extents[1], i[2] % extents[2]}); })});
    }
}

TEST(BroadcastTo, RepeatsDimensionsOfExtentOne) {
    std::mt19937 random(14);
    for (const Index &extents : {Index{5, 1}, Index{1, 7}, Index{1}, Index{5, 7}, Index{3, 1, 7}}) {
        const Numbers in = any_tensor(random, extents);
        const size_t missing = 3 - extents.size();
        expect_node("broadcast_to", {{"shape", Index{3, 5, 7}}}, {in}, {made(in.type, {3, 5, 7}, [&](const Index &i) {
            Index at;
            for (size_t d = 0; d < extents.size(); d++) at.push_back(extents[d] == 1 ? 0 : i[missing + d]);
            return in.at(at);
        })});
    }
    EXPECT_EQ(code_of_node("broadcast_to", {{"shape", Index{3, 5}}}, {any_tensor(random, {2, 5})}, {any_tensor(random, {3, 5})}), "EM707");
}

TEST(SpaceToDepth, BlocksBecomeChannelsAndBack) {
    std::mt19937 random(15);
    for (int64_t b : {1, 2, 3}) {
        const Index small{2, 3, 5, 7};
        const Numbers image = any_tensor(random, {small[0], small[1] * b, small[2] * b, small[3]});
        const Index deep_shape{small[0], small[1], small[2], small[3] * b * b};
        const auto pixel = [&](const Index &i, int64_t by, int64_t bx, int64_t c) { return image.at({i[0], i[1] * b + by, i[2] * b + bx, c}); };
        const Numbers yxc = made(image.type, deep_shape, [&](const Index &i) { return pixel(i, i[3] / (b * small[3]), i[3] / small[3] % b, i[3] % small[3]); });
        const Numbers cyx = made(image.type, deep_shape, [&](const Index &i) { return pixel(i, i[3] / b % b, i[3] % b, i[3] / (b * b)); });
        expect_node("space_to_depth", {{"block", b}}, {image}, {yxc});
        expect_node("depth_to_space", {{"block", b}}, {yxc}, {image});
        expect_node("depth_to_space", {{"block", b}, {"order", std::string("cyx")}}, {cyx}, {image});
    }
    EXPECT_EQ(code_of_node("space_to_depth", {{"block", int64_t{2}}}, {any_tensor(random, {1, 3, 4, 1})}, {any_tensor(random, {1})}), "EM707");
    EXPECT_EQ(code_of_node("depth_to_space", {{"block", int64_t{2}}}, {any_tensor(random, {1, 3, 4, 6})}, {any_tensor(random, {1})}), "EM707");
}

TEST(SpaceToBatch, PhasesBecomeImagesAndBack) {
    std::mt19937 random(16);
    for (const Index &pad : {Index{0, 0, 0, 0}, Index{1, 2, 1, 1}, Index{3, 0, 1, 3}, Index{0, 0, 4, 3}}) {  // top left bottom right
        const Index block{2, 3};
        const int64_t h = 8 - (pad[0] + pad[2]) + (pad[0] + pad[2] > 3 ? 2 : 0), w = 12 - (pad[1] + pad[3]);
        Numbers image = random_numbers(random, DataType::i8, {2, h, w, 5});
        image.quantization = {{0.5f}, {-3}, -1};
        const Index shape{12, (h + pad[0] + pad[2]) / 2, (w + pad[1] + pad[3]) / 3, 5};
        Numbers batch = made(DataType::i8, shape, [&](const Index &i) {
            const int64_t phase = i[0] / 2, y = i[1] * 2 + phase / 3 - pad[0], x = i[2] * 3 + phase % 3 - pad[1];
            return y < 0 || x < 0 || y >= h || x >= w ? -3.0 : image.at({i[0] % 2, y, x, i[3]});
        });
        batch.quantization = image.quantization;
        expect_node("space_to_batch", {{"block", block}, {"padding", pad}}, {image}, {batch});
        expect_node("batch_to_space", {{"block", block}, {"crop", pad}}, {batch}, {image});
    }
}

TEST(Unknown, IsNeverLowered) {
    std::mt19937 random(17);
    const Numbers in = any_tensor(random, {2});
    EXPECT_EQ(code_of_node("unknown", {{"operator", std::string("WHATEVER")}}, {in}, {in}), "EM710");
}

TEST(Identity, IsTheSameBytes) {
    std::mt19937 random(18);
    const Numbers in = any_tensor(random, {3, 4});
    expect_node("identity", {}, {in}, {in});
}

}  // namespace
}  // namespace emulsion::graph
