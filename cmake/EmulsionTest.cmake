# emulsion_test(name SOURCES ... [LIBS ...]): one GoogleTest executable, each of its tests known to ctest.
function(emulsion_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    string(REPLACE "/" "_" target test_${name})
    add_executable(${target} ${ARG_SOURCES})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)  # half the build time, and nothing here is timed
    target_link_libraries(${target} PRIVATE emulsion_flags ${ARG_LIBS} GTest::gtest_main)
    gtest_discover_tests(${target} TEST_PREFIX ${name}/ DISCOVERY_TIMEOUT 60)
endfunction()
if(EMULSION_BUILD_TESTS)
    enable_testing()
    include(GoogleTest)
endif()
