#include "apps/explore/verbs/replayed.h"

#include "apps/emulsion/kernel_run.h"
#include "runtime/device/launch.h"
#include "runtime/emulator/timing_bound.h"

namespace emulsion::explore {
namespace {

// Inputs that all values would saturate or shift out are given a range in which every bit of the result counts.
const std::map<std::string, std::string> input_words = {{"multiplier", "random:2:1073741824:2147483647"}, {"shift", "random:3:36:44"}, {"bias", "random:4:-4096:4096"}};
constexpr uint64_t allowed_ulp = 4;  // as `emulsion run --compare`

command::KernelRun make_run(const CompileRequest &request, Reference &reference) {
    command::RunWords words;
    words.kernel = request.generator, words.shapes = request.shapes;
    for (const Signature &s : reference.signature()) {
        if (const auto it = input_words.find(s.name); it != input_words.end() && s.kind == Signature::Kind::input) words.inputs.insert(*it);
        if (s.kind == Signature::Kind::scalar) words.inputs[s.name] = "1";
    }
    return command::prepare_run(reference.signature(), words, &reference);
}

void compare_bits(const CompileRequest &request, const Program &program, const TargetDesc &target, Replayed &r) {
    Reference reference(request);
    command::KernelRun run = make_run(request, reference);
    LaunchOptions options;
    options.verifier = command::prove;
    launch(program, target, bind_buffers(program, command::raw_buffers(run), run.scalars), options);
    const NamedBuffers want = command::empty_outputs(reference.signature(), run.shapes);
    reference.run(run.inputs, want, run.scalars);
    for (const auto &[name, buffer] : run.outputs) {
        const command::Difference d = command::compare(buffer, want.at(name), allowed_ulp);
        command::require_equal(name, d);
        r.bits.elements += d.elements, r.bits.largest_ulp = std::max(r.bits.largest_ulp, d.largest_ulp);
    }
}

}  // namespace

TimingReport timed(const Problem &p, const Point &point) {
    TimingOptions options;
    options.trace = true;
    return simulate(compile(p.at(point), p.target).program, p.target, {}, options);
}

Replayed replayed(const Problem &p, const Point &point) {
    Replayed r;
    const Compiled compiled = compile(p.at(point), p.target);  // with the verifier
    r.bound = p.bound->complete(point), r.partial = p.bound->partial(point);
    r.outcome = evaluate(p, point);
    r.busiest = lower_bound(compiled.program, p.target, {});
    check_bound(p, point, r.bound, r.outcome);
    compare_bits(p.at(point), compiled.program, p.target, r);
    return r;
}

nlohmann::ordered_json to_json(const Problem &p, const Point &point, const Replayed &r) {
    return {{"schedule", p.space.key(point)}, {"outcome", to_json(r.outcome)}, {"bound", r.bound.cycles}, {"partial_bound", r.partial.cycles}, {"busiest_queue", r.busiest},
            {"bound_energy_pj", r.bound.energy_pj}, {"bound_spm", r.bound.spm_bytes}, {"verified", true}, {"elements_equal", r.bits.elements}, {"largest_ulp", r.bits.largest_ulp}, {"ms", r.outcome.milliseconds}};
}

}  // namespace emulsion::explore
