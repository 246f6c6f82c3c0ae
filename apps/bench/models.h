// emulsion bench models: what whole models cost, with fused groups and without.
#pragma once
#include <string>
#include <vector>

namespace emulsion::bench {

struct ModelWords {
    std::vector<std::string> paths;  ///< model files, or folders of them
    std::string target = "edge-256";
    int repeats = 1;
};

/// Prints one CSV row for each model and setting. Returns 1 when a model does not compile (the others still do).
int bench_models(const ModelWords &words);

}  // namespace emulsion::bench
