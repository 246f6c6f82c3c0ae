// The wait-for graph of queues that cannot move.
#pragma once
#include "runtime/emulator/queue.h"

namespace emulsion {

/// Raises EM516 at the first blocked instruction, with one line per queue that waits: its head and stage, the token, and the
/// queue, instruction and stage that would give it. pending: what CTL cannot dispatch, or null.
[[noreturn]] void fail_deadlock(const Program &program, const Queues &queues, const Tokens &tokens, const Dispatched *pending);

}  // namespace emulsion
