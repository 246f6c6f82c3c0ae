# Finds the one Halide that Emulsion works with. In: EMULSION_HALIDE_ROOT, the halide folder of the PyPI wheel; without
# it find_package looks where it always looks. Used by this build and by the installed package.
if(EMULSION_HALIDE_ROOT)
    set(Halide_DIR ${EMULSION_HALIDE_ROOT}/lib64/cmake/Halide)
    set(HalideHelpers_DIR ${EMULSION_HALIDE_ROOT}/lib64/cmake/HalideHelpers)
endif()
find_package(Halide 21.0.0 EXACT REQUIRED)
