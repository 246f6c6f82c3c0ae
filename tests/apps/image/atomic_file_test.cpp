// Catches: half-written files, temporary files left behind, an older file lost.
#include "apps/image/atomic_file.h"

#include "runtime/diag/diag.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace emulsion::image {
namespace {

namespace fs = std::filesystem;

struct AtomicFile : testing::Test {
    fs::path folder = fs::path(testing::TempDir()) / ("atomic_file_" + std::to_string(::getpid()));
    AtomicFile() { fs::create_directories(folder); }
    ~AtomicFile() override { fs::remove_all(folder); }
    size_t files() const { return std::distance(fs::directory_iterator(folder), {}); }
};

constexpr uint8_t three[] = {1, 2, 3}, two[] = {4, 5};

TEST_F(AtomicFile, ReplacesAndLeavesNothingElse) {
    const std::string path = folder / "a.bin";
    write_atomically(path, three);
    write_atomically(path, two);
    EXPECT_EQ(fs::file_size(path), 2u);
    EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, FailureIsCodedAndLeavesNothing) {
    // A folder stands where the file should go: the last step, the renaming, fails.
    fs::create_directories(folder / "taken" / "inside");
    try {
        write_atomically(folder / "taken", three);
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM632");
        EXPECT_NE(e.diagnostic().message.find("taken"), std::string::npos) << e.what();
    }
    EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, MissingFolderIsCoded) {
    try {
        write_atomically(folder / "absent" / "a.png", three);
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(e.diagnostic().code(), "EM632");
        EXPECT_NE(e.diagnostic().message.find("No such file"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace emulsion::image
