// emulsion explore worker: times schedules that come in as lines; see queue/wire.h.
#include "apps/explore/queue/worker.h"
#include "apps/explore/verbs/verbs.h"
#include "apps/explore/verbs/words.h"

#include <fmt/format.h>
#include <iostream>

namespace emulsion::explore {

Action worker_verb(CLI::App &app) {
    auto words = std::make_shared<ProblemWords>();
    words->add_to(app);
    return [words] {
        const int others = serve(*words->problem(), std::cin, std::cout);
        if (others) fmt::print(stderr, "{} lines were no jobs\n", others);
        return 0;
    };
}

}  // namespace emulsion::explore
