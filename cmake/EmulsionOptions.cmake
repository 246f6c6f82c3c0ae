option(EMULSION_BUILD_TESTS "Build the test suite" ON)
set(EMULSION_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize= takes them")
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Executables are compiled as libraries are (-fPIC, not -fPIE), so that all share one precompiled Halide.h.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

if(EMULSION_SANITIZE)
    add_compile_options(-fsanitize=${EMULSION_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${EMULSION_SANITIZE})
endif()

# Precompiled headers reach the cache only with these settings (ccache manual, "Precompiled headers").
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    add_compile_options(-fpch-preprocess)
endif()

# What every target of ours is compiled with. gcc 12 sees array bounds broken in std::sort and std::string where they are not. -ffp-contract=off: the emulator's floats must not depend on the host's FMA.
add_library(emulsion_flags INTERFACE)
target_compile_options(emulsion_flags INTERFACE "$<BUILD_INTERFACE:-Wall;-Wextra;-Werror;-ffp-contract=off;$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>>")
target_compile_features(emulsion_flags INTERFACE cxx_std_20)
target_include_directories(emulsion_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/emulsion>)
install(TARGETS emulsion_flags EXPORT EmulsionTargets)

# emulsion_library(name SOURCES ... [LIBS ...]): a static library, part of the installed package.
function(emulsion_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC emulsion_flags ${ARG_LIBS})
    install(TARGETS ${name} EXPORT EmulsionTargets)
endfunction()
