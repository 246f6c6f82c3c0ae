#include "runtime/device/emulsion_device.h"

#include "runtime/device/launch.h"
#include "runtime/device/report.h"
#include "runtime/diag/diag.h"
#include "runtime/program/container.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>

// Present in every ahead-of-time compiled program (the Halide runtime); absent where only the device is linked.
extern "C" void halide_error(void *, const char *) __attribute__((weak));

namespace emulsion {

namespace {

struct Loaded {
    std::vector<uint8_t> bytes;  ///< of the container, to notice that an address is used again
    Program program;
    TargetDesc target;
};

struct LastLaunch {
    std::shared_ptr<const Loaded> loaded;
    std::vector<int64_t> arguments;
    std::string error;
};
thread_local LastLaunch last;

std::span<const uint8_t> bytes_of(const halide_buffer_t &b) { return {b.host, static_cast<size_t>(b.dim[0].extent)}; }

/// Containers are constants of the program that calls: one parse per address, as long as the same bytes lie there.
std::shared_ptr<const Loaded> load(const halide_buffer_t &container, const halide_buffer_t &machine) {
    static std::mutex mutex;
    static std::map<const uint8_t *, std::shared_ptr<const Loaded>> cache;
    const std::span<const uint8_t> bytes = bytes_of(container), text = bytes_of(machine);
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Loaded> &entry = cache[container.host];
    if (!entry || !std::ranges::equal(entry->bytes, bytes)) {
        Loaded loaded{{bytes.begin(), bytes.end()}, read_container(bytes),
                      parse_target(std::string(text.begin(), text.end()), "embedded machine")};
        check_certificate(loaded.program);
        entry = std::make_shared<Loaded>(std::move(loaded));
    }
    return entry;
}

void print_report(const Loaded &l, const std::vector<int64_t> &arguments) {
    const char *form = std::getenv("EMULSION_REPORT");
    if (!form || !*form) return;
    const TimingReport timing = simulate(l.program, l.target, arguments);
    const bool json = std::string_view(form) == "json";
    fmt::print(stderr, "{}", json ? summary_json(l.program, l.target, timing) + "\n"
                                  : summary_text(l.program, l.target, timing));
}

int fail(void *user_context, const std::string &text) {
    last.error = text;
    if (halide_error) halide_error(user_context, text.c_str());
    else fmt::print(stderr, "{}\n", text);
    return halide_error_code_generic_error;
}

}  // namespace

}  // namespace emulsion

using namespace emulsion;

int emulsion_launch(void *user_context, const halide_buffer_t *container, const halide_buffer_t *machine,
                    halide_buffer_t *const *buffers, int32_t buffer_count, const int64_t *scalars,
                    int32_t scalar_count) {
    last = {};
    try {
        const std::shared_ptr<const Loaded> loaded = load(*container, *machine);
        const Binding binding = bind_buffers(loaded->program, std::span(buffers, buffer_count), std::span(scalars, scalar_count));
        launch(loaded->program, loaded->target, binding);
        last.loaded = loaded;
        last.arguments = binding.arguments;
        print_report(*loaded, binding.arguments);
        return 0;
    } catch (const std::exception &e) {
        return fail(user_context, e.what());
    }
}

int emulsion_last_report(emulsion_report_t *report) {
    if (!last.loaded) return -1;
    const TimingReport timing = simulate(last.loaded->program, last.loaded->target, last.arguments);
    *report = {};
    report->cycles = timing.cycles;
    for (int q = 0; q < queue_count; q++) report->busy[q] = timing.queue[q].busy;
    report->macs = timing.macs;
    report->utilisation = utilisation(timing);
    report->ext_read = timing.ext_read;
    report->ext_written = timing.ext_written;
    report->energy_pj = timing.energy_pj;
    return 0;
}

const char *emulsion_last_error(void) { return last.error.c_str(); }
