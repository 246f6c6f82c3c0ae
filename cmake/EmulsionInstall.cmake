# The installed package: libraries, public headers, machine files, and the CMake functions that find_package(Emulsion) gives.
include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/Emulsion)
install(EXPORT EmulsionTargets NAMESPACE Emulsion:: DESTINATION ${package_dir})
foreach(folder runtime dsl npu_backend graph)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/emulsion
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/targets DESTINATION share/emulsion FILES_MATCHING PATTERN "*.json")
configure_file(${CMAKE_CURRENT_LIST_DIR}/EmulsionConfig.cmake.in EmulsionConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EmulsionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/EmulsionConfig.cmake
    ${PROJECT_BINARY_DIR}/EmulsionConfigVersion.cmake
    ${CMAKE_CURRENT_LIST_DIR}/EmulsionHalide.cmake
    ${CMAKE_CURRENT_LIST_DIR}/EmulsionHelpers.cmake
    DESTINATION ${package_dir})
