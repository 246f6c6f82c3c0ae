option(EMULSION_BUILD_TESTS "Build the test suite" ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# What every target of ours is compiled with. -ffp-contract=off: the emulator's floats must not depend on the host's FMA.
add_library(emulsion_flags INTERFACE)
target_compile_options(emulsion_flags INTERFACE -Wall -Wextra -Werror -ffp-contract=off)
target_include_directories(emulsion_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/emulsion>)

# emulsion_library(name SOURCES ... [LIBS ...])
function(emulsion_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC emulsion_flags ${ARG_LIBS})
endfunction()
