// A child process with lines in and out.
#pragma once
#include <deque>
#include <optional>
#include <string>

#include <sys/types.h>

namespace emulsion::explore {

class LineProcess {
public:
    /// `command` is run by the shell, as the leader of a process group of its own: a Ctrl-C meant for the caller does not reach it.
    explicit LineProcess(const std::string &command);
    /// Closes its input, waits a moment, then kills its group.
    ~LineProcess();
    LineProcess(const LineProcess &) = delete;

    int output() const { return from_; }  ///< for poll()
    pid_t id() const { return pid_; }
    /// False: it does not read any more.
    bool write_line(const std::string &line);
    /// Reads what is there. False: its output has ended.
    bool read_some();
    /// A whole line that read_some() brought.
    std::optional<std::string> next_line();
    void kill_now();

private:
    pid_t pid_ = -1;
    int to_ = -1, from_ = -1;
    std::string partial_;
    std::deque<std::string> lines_;
};

}  // namespace emulsion::explore
