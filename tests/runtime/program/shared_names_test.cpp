// A file whose offsets all point at one long name: small on disk, enormous as copies.
#include "program_generated.h"
#include "runtime/program/container.h"
#include "tests/runtime/raises.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

namespace fb = flatbuffers;
namespace fbs = emulsion::container;

/// A container with one halt and `count` debug entries that are one table with a stage of `name_bytes`.
std::vector<uint8_t> container_with_shared_name(size_t count, size_t name_bytes) {
    fb::FlatBufferBuilder b;
    b.ForceDefaults(true);
    std::vector<uint8_t> halt(16);
    halt[0] = static_cast<uint8_t>(Opcode::op_halt);
    const auto code = b.CreateVector(halt), none = b.CreateVector(std::vector<uint8_t>{});
    const auto empty = b.CreateString("");
    const auto entry = fbs::CreateDebug(b, 0, b.CreateString(std::string(name_bytes, 'x')), empty, 1);
    const auto debug = b.CreateVector(std::vector(count, entry));
    const auto lengths = b.CreateVector(std::vector<uint16_t>{});
    const auto regions = b.CreateVector(std::vector<fb::Offset<fbs::Region>>{});
    const auto arguments = b.CreateVector(std::vector<fb::Offset<fbs::Argument>>{});
    const auto buffers = b.CreateVector(std::vector<fb::Offset<fbs::Buffer>>{});
    const auto certificate = fbs::CreateCertificate(b, 0, 0, 0, b.CreateVector(std::vector<int64_t>{}));
    b.Finish(fbs::CreateContainer(b, container_version, empty, empty, 0, code, none, none, none, lengths, none, none, regions, arguments, none, buffers, debug,
                                  certificate), fbs::ContainerIdentifier());
    return {b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()};
}

TEST(SharedNames, OneUseIsAProgram) {
    EXPECT_EQ(read_container(container_with_shared_name(1, 1000)).debug.at(0).stage, std::string(1000, 'x'));
}

// Copied, the names would take 40 GB.
TEST(SharedNames, CopiesBeyondTheFileAreRefused) {
    const std::vector<uint8_t> bytes = container_with_shared_name(100000, 400000);
    EXPECT_LT(bytes.size(), 1u << 20);
    const std::string error = error_of([&] { read_container(bytes); });
    EXPECT_TRUE(error.starts_with("EM120 ")) << error;
    EXPECT_NE(error.find("names share their bytes"), std::string::npos) << error;
}

}  // namespace
}  // namespace emulsion
