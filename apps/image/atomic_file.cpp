#include "apps/image/atomic_file.h"

#include "runtime/diag/diag.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace emulsion::image {

namespace {

/// A new file beside `target`, -1 with the reason in errno. O_EXCL: never another process's file.
int create_beside(const std::string &target, std::string &name) {
    for (int k = 0; k < 1000; k++) {
        name = fmt::format("{}.{}.{}.tmp", target, getpid(), k);
        const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/// Closed and removed unless renamed. The functions return false and leave the reason in errno.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string &target) : descriptor_(create_beside(target, name_)), left_(descriptor_ >= 0) {}
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    ~TemporaryFile() {
        if (descriptor_ >= 0) close(descriptor_);
        if (left_) unlink(name_.c_str());
    }

    bool created() const { return left_; }

    bool write_all(std::span<const uint8_t> bytes) {
        while (!bytes.empty()) {
            const ssize_t n = write(descriptor_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            bytes = bytes.subspan(static_cast<size_t>(n));
        }
        return true;
    }

    bool rename_to(const std::string &target) {
        const int closed = close(descriptor_);
        descriptor_ = -1;
        left_ = closed != 0 || std::rename(name_.c_str(), target.c_str()) != 0;
        return !left_;
    }

private:
    std::string name_;
    int descriptor_;
    bool left_;
};

}  // namespace

void write_atomically(const std::string &path, std::span<const uint8_t> bytes) {
    TemporaryFile file(path);
    if (!file.created() || !file.write_all(bytes) || !file.rename_to(path))
        raise(Diag::picture_unwritable, {}, path, std::string(std::strerror(errno)));
}

}  // namespace emulsion::image
