// The main of every generator executable made by add_emulsion_generator.
#include "npu_backend/aot/gengen.h"

int main(int argc, char **argv) { return emulsion::gengen(argc, argv); }
