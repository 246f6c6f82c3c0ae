#include "apps/explore/queue/process.h"

#include "runtime/diag/diag.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace emulsion::explore {
namespace {

constexpr int moments = 50, moment_us = 10000;

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) raise(Diag::internal_error, {}, "a worker's pipe", std::string(std::strerror(errno)));
    return ends;
}

}  // namespace

LineProcess::LineProcess(const std::string &command) {
    std::signal(SIGPIPE, SIG_IGN);  // a worker that died is found by write() failing
    const auto in = make_pipe(), out = make_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string text = command;
    char shell[] = "/bin/sh", flag[] = "-c";
    char *argv[] = {shell, flag, text.data(), nullptr};
    const int failed = posix_spawn(&pid_, shell, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]), close(out[1]);
    to_ = in[1], from_ = out[0];
    if (failed) raise(Diag::internal_error, {}, "starting a worker", std::string(std::strerror(failed)));
    fcntl(from_, F_SETFL, O_NONBLOCK);
}

LineProcess::~LineProcess() {
    close(to_);
    int status = 0;
    for (int k = 0; k < moments && pid_ > 0; k++) {
        if (waitpid(pid_, &status, WNOHANG) != 0) pid_ = -1;
        else usleep(moment_us);
    }
    if (pid_ > 0) kill_now();
    close(from_);
}

void LineProcess::kill_now() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
}

bool LineProcess::write_line(const std::string &line) {
    const std::string bytes = line + "\n";
    for (size_t at = 0; at < bytes.size();) {
        const ssize_t n = write(to_, bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += static_cast<size_t>(n);
    }
    return true;
}

bool LineProcess::read_some() {
    char buffer[1 << 14];
    while (true) {
        const ssize_t n = read(from_, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN;
        if (n == 0) return false;
        for (ssize_t k = 0; k < n; k++) {
            if (buffer[k] != '\n') partial_ += buffer[k];
            else lines_.push_back(std::move(partial_)), partial_.clear();
        }
    }
}

std::optional<std::string> LineProcess::next_line() {
    if (lines_.empty()) return {};
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

}  // namespace emulsion::explore
