#include "runtime/emulator/timing_engine.h"

namespace emulsion {

TimingReport simulate(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments,
                      const TimingOptions &options) {
    return timing::Engine(program, target, arguments, options).run();
}

}  // namespace emulsion
