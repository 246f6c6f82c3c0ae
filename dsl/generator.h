// The base class of generators, and their registration.
//
//   class Brighten : public emulsion::Generator<Brighten> {
//   public:
//       static constexpr const char *says = "Adds an offset to every element.";
//       Input<Buffer<uint8_t, 2>> in{"in"};
//       Output<Buffer<uint8_t, 2>> out{"out"};
//       void generate();         // the algorithm
//       void npu_schedule();     // for a machine
//       void cpu_schedule();     // optional: for the x86 reference
//   };
//   EMULSION_REGISTER_GENERATOR(Brighten, brighten)        // at global scope
#pragma once
#include "dsl/form.h"
#include "dsl/registry.h"
#include "dsl/stitch.h"
#include "runtime/isa/target_desc.h"

#include <optional>
#include <string>

namespace emulsion {

template<typename T>
class Generator : public Halide::Generator<T>, public StitchPart {
public:
    /// "" builds the x86 reference; a preset's name or a target file's path builds for that machine.
    Halide::GeneratorParam<std::string> machine_name{"machine", ""};

    /// Part of a stitched group: the group schedules it (dsl/stitch.h).
    Halide::GeneratorParam<bool> stitched{"stitched", false};

    /// Halide's entry point; derived classes write npu_schedule() and cpu_schedule() instead.
    void schedule() {
        if (!on_npu())
            static_cast<T *>(this)->cpu_schedule();
        else if (!stitched)
            static_cast<T *>(this)->npu_schedule();
    }
    void npu_schedule() {}
    void cpu_schedule() {}

    bool on_npu() const { return !machine_name.value().empty(); }

    /// What requantize and the boundary functions ask for.
    Form form() const { return on_npu() ? Form::npu : Form::plain; }

    /// The machine this build is for; only when on_npu(). Raises EM101 for an unknown name.
    const TargetDesc &machine() const {
        if (!machine_) machine_ = load_target(machine_name.value());
        return *machine_;
    }

private:
    mutable std::optional<TargetDesc> machine_;
};

}  // namespace emulsion

/// Registers CLASS with Halide under NAME and records where it stands and what it says. At global scope.
#define EMULSION_REGISTER_GENERATOR(CLASS, NAME)                           \
    HALIDE_REGISTER_GENERATOR(CLASS, NAME)                                 \
    namespace halide_register_generator::NAME##_ns {                       \
    static const ::emulsion::RegisteredGenerator record(#NAME, CLASS::says); \
    }
