// Launch: one program, its buffers, its bits and (when asked) its cycles.
#pragma once
#include "runtime/device/bind.h"
#include "runtime/emulator/emulator.h"
#include "runtime/isa/target_desc.h"

#include <functional>
#include <optional>

namespace emulsion {

/// Proves a bound program safe for its buffers and arguments: emulsion::verify, handed in because the device lies below it.
using LaunchVerifier = std::function<Certificate(const Program &, const TargetDesc &, const Binding &)>;

struct LaunchOptions {
    InterpreterOptions interpreter;
    std::optional<TimingOptions> timing;  ///< empty: bits only
    LaunchVerifier verifier;              ///< for arguments the certificate does not hold for
};

struct LaunchResult {
    std::optional<TimingReport> timing;
    bool proven = false;  ///< a certificate covered these arguments; else the sanitizer watched the run
};

/// A loaded program's certificate must be its own. Hashes the whole program: once per load. Raises EM557.
void check_certificate(const Program &program);

/// Runs `program`. A certificate that holds for these arguments is trusted; for others the verifier is asked, and without
/// one the run is sanitized. Raises EM556 for a program without symbols that nobody verified, EM557 when its certificate
/// belongs to another machine, EM4xx and EM5xx from verifier and emulator.
LaunchResult launch(const Program &program, const TargetDesc &target, const Binding &binding,
                    const LaunchOptions &options = {});

}  // namespace emulsion
