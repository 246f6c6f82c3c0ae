// The command line of generator executables: Halide's own, plus machines and programs.
#pragma once

namespace emulsion {

/// Flags are those of Halide's GenGen (-g -f -n -o -e -p -d -r -s, param=value, target=...), with three additions:
///   machine=<preset or path>   compile for that machine
///   shape.<buffer>=<extents>   fix a buffer's extents, innermost first
///   -e npu,npu_assembly        write <name>.npu (the program) and <name>.npu.s (its assembly)
/// Returns the exit status: 0, 1 for a user's error (printed as a coded diagnostic), 4 for an internal one.
int gengen(int argc, char **argv);

}  // namespace emulsion
