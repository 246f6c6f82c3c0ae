// Compiles kernels, each distinct one once, and decides where they run.
#pragma once
#include "graph/model/model.h"

#include <map>
#include <vector>

namespace emulsion::graph {

class KernelCompiler {
public:
    explicit KernelCompiler(const TargetDesc &target);

    /// A kernel that the backend refuses (EM2xx, EM3xx) goes to the host: `unit`, `rule` and `advice` say so, and a warning EM773.
    void compile(const std::vector<Kernel *> &kernels);

    /// Tries tile sizes for a stitched kernel and keeps the fastest; false: none compiles.
    bool compile_best(Kernel &kernel, size_t anchor);

    const Program &program(const Kernel &kernel) const;
    /// Emulated cycles of the kernel alone.
    uint64_t cycles(const Kernel &kernel) const;

private:
    struct Entry {
        Program program;
        uint64_t cycles = 0;
        std::string rule, advice;  ///< not empty: refused
    };
    const TargetDesc &target_;
    std::map<std::string, Entry> entries_;

    Entry &entry(const CompileRequest &request);
};

/// Everything of a request that decides its program, as text.
std::string request_key(const CompileRequest &request);

}  // namespace emulsion::graph
