#include "dsl/stage.h"

#include "dsl/mark.h"
#include "dsl/memory.h"

#include <string>

namespace emulsion {

Halide::Func stage_in(Halide::Func source, Halide::Func consumer, Halide::LoopLevel level, std::source_location at) {
    return compute_in_scratchpad(source.in(consumer), level, at);
}

Halide::Func stage_in(Halide::Func source, Halide::LoopLevel level, std::source_location at) {
    return compute_in_scratchpad(source.in(), level, at);
}

Halide::Func keep_resident(Halide::Func source, Halide::Func consumer, std::source_location at) {
    return stage_in(source, consumer, Halide::LoopLevel::root(), at);
}

Halide::Func keep_resident(Halide::Func source, std::source_location at) {
    return stage_in(source, Halide::LoopLevel::root(), at);
}

Halide::Func compute_in_scratchpad(Halide::Func f, Halide::LoopLevel level, std::source_location at) {
    f.compute_at(level).store_in(scratchpad);
    mark_place(f, at);
    return f;
}

void double_buffer(Halide::Func staged, Halide::LoopLevel outer, int depth, std::source_location at) {
    if (depth > 1) staged.hoist_storage(outer).ring_buffer(depth).async();
    mark_place(staged, at);
}

void stage_out(Halide::Func out, int depth, std::source_location at) {
    mark(out, "stage_out", std::to_string(depth));
    mark_place(out, at);
}

}  // namespace emulsion
