#include "runtime/emulator/timing_engine.h"

namespace emulsion::timing {
namespace {

int queue_of(const Instruction &i) { return static_cast<int>(find_instruction(i.op)->queue); }

// A machine file may ask for more; no program comes near, and the memory stays bounded.
constexpr uint32_t deepest_queue = 1 << 16;

bool signals(const Instruction &i) { return i.signal[0] != no_token || i.signal[1] != no_token; }

}  // namespace

Engine::Engine(const Program &program, const TargetDesc &target, std::span<const int64_t> arguments,
               const TimingOptions &options)
    : program_(program),
      target_(target),
      options_(options),
      model_(program, target),
      bandwidth_(target),
      walker_(program, arguments) {
    end_.fill(never);
    completion_.fill(never);
    for (Unit &u : units_) u.ring.resize(std::clamp<uint32_t>(target.queue_depth, 1, deepest_queue));
    for (size_t t = 0; t < program.tokens.size() && t < tokens_.size(); t++) tokens_[t] = program.tokens[t].initial;
    constant_cost_.resize(program.code.size());
    for (const Instruction &i : program.code) {
        const InstructionForm form = find_instruction(i.op)->form;
        is_constant_.push_back(form == InstructionForm::sync ||
                               (form == InstructionForm::tile && is_constant(program, i)));
        if (form != InstructionForm::sync && form != InstructionForm::tile) continue;
        for (uint8_t t : i.wait) waiters_[t] |= 1u << queue_of(i);
        for (uint8_t t : i.signal) signaller_[t] = static_cast<uint8_t>(queue_of(i));
    }
}

TimingReport Engine::run() {
    fetch();
    for (uint64_t time = next_event(); time != never; time = next_event()) {
        if (time > options_.cycle_limit) {
            now_ = control_end_ = time;
            return std::move(close());
        }
        process(time);
    }
    if (!finished()) raise_deadlock();
    return std::move(close());
}

uint64_t Engine::next_event() const {
    uint64_t time = more_ && !stalled_on_ ? dispatch_time_ : never;
    for (int q = 1; q < queue_count; q++) time = std::min({time, end_[q], completion_[q]});
    return time;
}

void Engine::process(uint64_t time) {
    now_ = time;
    for (int q = 1; q < queue_count; q++) {
        if (end_[q] == now_) finish(q);
        if (completion_[q] == now_) complete(q);
    }
    if (more_ && !stalled_on_ && dispatch_time_ == now_) dispatch();
    start_heads();
    if (running_changed_) share();
}

// CTL

void Engine::fetch() {
    more_ = walker_.next(next_);
    if (more_)
        dispatch_time_ = now_ + next_.control_cycles;
    else
        control_end_ = now_ + walker_.trailing_cycles() + 1;
}

void Engine::dispatch() {
    const int q = queue_of(*next_.insn);
    Unit &u = units_[q];
    if (u.count == u.ring.size()) {
        stalled_on_ = q;
        return;
    }
    const Cost &cost = cost_of(next_);
    account(cost.work);
    u.ring[(u.head + u.count++) % u.ring.size()] = {next_.pc, cost.work.occupancy, cost.work.weight_load,
                                                    cost.work.latency, cost.demand};
    report_.queue[q].instructions++;
    report_.queue[0].wait_issue += now_ - dispatch_time_;
    dirty_ |= 1u << q;
    fetch();
}

const Engine::Cost &Engine::cost_of(const Dispatched &d) {
    std::optional<Cost> &known = constant_cost_[d.pc];
    if (known) return *known;
    varying_cost_.work = model_.work(d);
    varying_cost_.demand = bandwidth_.demand_of(varying_cost_.work);
    if (is_constant_[d.pc]) known = varying_cost_;
    return varying_cost_;
}

void Engine::account(const Work &work) {
    total_.ext_read += work.ext_read;
    total_.ext_written += work.ext_written;
    total_.macs += work.macs;
    total_.dense_slots += work.dense_slots;
    total_.depthwise_slots += work.depthwise_slots;
    total_.activity += work.activity;
}

// Units

// First token that the instruction still lacks; no_token when it may start.
uint8_t Engine::unmet(const Instruction &i) const {
    const auto [a, b] = i.wait;
    if (a != no_token && tokens_[a] < 1) return a;
    if (b != no_token && tokens_[b] < (a == b ? 2 : 1)) return b;
    return no_token;
}

void Engine::enter(int q, State state, uint8_t token) {
    Unit &u = units_[q];
    QueueReport &r = report_.queue[q];
    const uint64_t spent = now_ - u.state_since;
    switch (u.state) {
    case State::idle:
        r.wait_issue += spent;
        break;
    case State::busy:
        r.busy += spent;
        break;
    case State::waiting:
        r.wait_token += spent;
        r.wait_for[signaller_[u.wanted]] += spent;
        break;
    }
    u.state = state, u.wanted = token, u.state_since = now_;
}

void Engine::start_heads() {
    while (dirty_) {
        const int q = __builtin_ctz(dirty_);
        dirty_ &= dirty_ - 1;
        Unit &u = units_[q];
        if (u.active) continue;
        if (u.count == 0) {
            enter(q, State::idle);
            continue;
        }
        if (const uint8_t token = unmet(program_.code[u.ring[u.head].pc]); token != no_token) {
            enter(q, State::waiting, token);
            continue;
        }
        start(q);
    }
}

void Engine::start(int q) {
    Unit &u = units_[q];
    u.current = u.ring[u.head];
    u.head = (u.head + 1) % u.ring.size();
    u.count--;
    for (uint8_t t : program_.code[u.current.pc].wait)
        if (t != no_token) tokens_[t]--;
    if (u.last_end != now_) u.current.occupancy += u.current.weight_load;
    u.active = true;
    u.started = u.since = now_;
    u.remaining = std::min(u.current.occupancy, count_limit) << speed_bits;
    u.speed = full_speed;
    end_[q] = now_ + std::min(u.current.occupancy, count_limit);
    running_changed_ = true;
    enter(q, State::busy);
    if (stalled_on_ == q) {
        stalled_on_ = 0;
        dispatch();
    }
    if (u.current.occupancy == 0) finish(q);
}

void Engine::finish(int q) {
    Unit &u = units_[q];
    const Pending &done = u.current;
    const bool took_time = done.occupancy != 0;
    if (took_time) u.last_end = now_;
    report_.queue[q].stretched += now_ - u.started - std::min(done.occupancy, count_limit);
    if (options_.trace && took_time) report_.events.push_back({done.pc, static_cast<uint8_t>(q), u.started, now_});
    u.last_completion = std::max(u.last_completion, now_ + done.latency);
    if (signals(program_.code[done.pc])) {
        u.completions.push_back({u.last_completion, done.pc});
        completion_[q] = u.completions[u.next_completion].time;
    }
    u.active = false;
    end_[q] = never;
    dirty_ |= 1u << q;
    enter(q, State::idle);
    running_changed_ = true;
    if (completion_[q] == now_) complete(q);
}

void Engine::complete(int q) {
    Unit &u = units_[q];
    for (; u.next_completion < u.completions.size() && u.completions[u.next_completion].time == now_;
         u.next_completion++)
        for (uint8_t t : program_.code[u.completions[u.next_completion].pc].signal) {
            if (t == no_token) continue;
            tokens_[t]++;
            dirty_ |= waiters_[t];
        }
    const bool drained = u.next_completion == u.completions.size();
    if (drained) u.completions.clear(), u.next_completion = 0;
    completion_[q] = drained ? never : u.completions[u.next_completion].time;
}

// Settles what ran so far, then sets the speeds of the new set of running instructions.
void Engine::share() {
    running_changed_ = false;
    Demand total;
    for (const Unit &u : units_)
        if (u.active) total += u.current.demand;
    for (int q = 1; q < queue_count; q++) {
        Unit &u = units_[q];
        if (!u.active) continue;
        const uint64_t speed = bandwidth_.speed(u.current.demand, total);
        if (speed == u.speed) continue;
        const uint64_t done = (now_ - u.since) * u.speed;
        u.remaining = u.remaining > done ? u.remaining - done : 0;
        u.since = now_;
        u.speed = speed;
        end_[q] = now_ + u.remaining / speed + (u.remaining % speed != 0);
    }
}

// End of the run

bool Engine::finished() const {
    return !more_ && std::all_of(units_.begin(), units_.end(), [](const Unit &u) { return u.count == 0 && !u.active; });
}

void Engine::raise_deadlock() const {
    std::string graph;
    uint32_t pc = 0;
    for (int q = 1; q < queue_count; q++) {
        const Unit &u = units_[q];
        if (u.count == 0) continue;
        pc = u.ring[u.head].pc;
        const Place place = place_of(program_, pc);
        const uint8_t token = unmet(program_.code[pc]);
        const int from = signaller_[token];
        graph += fmt::format("\n    {} waits for token {} from {}: {}{}", queue_names[q], token,
                             from ? queue_names[from] : "nobody", place.node,
                             place.stage.empty() ? "" : ", stage " + place.stage);
    }
    if (more_) graph += fmt::format("\n    CTL waits for a place in queue {}", queue_names[stalled_on_]);
    raise(Diag::deadlock, place_of(program_, pc), graph);
}

TimingReport &Engine::close() {
    report_.cycles = std::max(control_end_, now_);
    for (const Unit &u : units_)
        if (u.last_completion > report_.cycles && !more_) report_.cycles = u.last_completion;
    now_ = report_.cycles;
    for (int q = 1; q < queue_count; q++) enter(q, State::idle);
    QueueReport &control = report_.queue[0];
    control.instructions = control.busy = walker_.control_instructions();
    const ArrayDesc &a = target_.array;
    const uint64_t pixels = a.kind == "systolic" ? 1 : times(a.pixels_x, a.pixels_y);
    report_.macs = total_.macs;
    report_.mac_cycles = ceil_div(total_.dense_slots, times(a.rows, a.columns, pixels)) +
                         ceil_div(total_.depthwise_slots, a.depthwise_macs);
    report_.ext_read = total_.ext_read;
    report_.ext_written = total_.ext_written;
    total_.activity.issued = control.instructions;
    report_.energy_pj = energy_pj(total_.activity, target_.energy, report_.cycles);
    return report_;
}

}  // namespace emulsion::timing
