# Functions for projects that compile kernels and models: add_emulsion_generator, add_emulsion_library, add_emulsion_model. Documented in docs/cmake.md.
# They work on the targets of this build or, after find_package(Emulsion), on the installed ones.

function(_emulsion_target out name)
    if(TARGET Emulsion::${name})
        set(${out} Emulsion::${name} PARENT_SCOPE)
    else()
        set(${out} ${name} PARENT_SCOPE)
    endif()
endfunction()

# add_emulsion_generator(<target> [SOURCES] <file>... [LINK_LIBRARIES <library>...])
#
# An executable that compiles the generators registered in its sources: Halide's GenGen command line (-g -f -n -o -e -p,
# param=value, target=...) plus machine=, shape.<buffer>= and -e npu,npu_assembly.
function(add_emulsion_generator TARGET)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBRARIES" ${ARGN})
    _emulsion_target(gengen emulsion_gengen)
    add_executable(${TARGET} ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
    target_link_libraries(${TARGET} PRIVATE ${ARG_LINK_LIBRARIES} ${gengen})
endfunction()

# add_emulsion_library(<target> FROM <generator target> MACHINE <preset or file>
#                      [SHAPES <buffer>=<extent>,<extent>...]...      fixed extents, innermost first
#                      [SCHEDULE <file>]                               what `emulsion explore export` wrote
#                      [NPU_PROGRAM <var>] [NPU_ASSEMBLY <var>]        paths of <target>.npu, <target>.npu.s
#                      [any keyword of add_halide_library: GENERATOR FUNCTION_NAME NAMESPACE PARAMS TARGETS FEATURES
#                       REGISTRATION STMT ASSEMBLY USE_RUNTIME DEPENDS ...])
#
# A library holding `int <function>(halide_buffer_t *..., scalars...)`, its _argv and _metadata, and its header. Without
# MACHINE it is the stock x86 pipeline of the same generator. SCHEDULE gives generator, parameters, shapes and machine; what
# else is said must agree with it. A file made for another machine stops the configuration, one for another version of the
# generator's schedule space, or with cycles and bits that do not hold any more, the build.
function(add_emulsion_library TARGET)
    set(outputs ASSEMBLY BITCODE COMPILER_LOG CONCEPTUAL_STMT CONCEPTUAL_STMT_HTML C_SOURCE DEVICE_CODE FEATURIZATION
        FUNCTION_INFO_HEADER HLPIPE LLVM_ASSEMBLY PYTHON_EXTENSION PYTORCH_WRAPPER REGISTRATION STMT STMT_HTML)
    cmake_parse_arguments(ARG "" "FROM;GENERATOR;FUNCTION_NAME;MACHINE;SCHEDULE;NPU_PROGRAM;NPU_ASSEMBLY;${outputs}"
        "SHAPES;PARAMS;DEPENDS" ${ARGN})
    if(ARG_SCHEDULE)
        _emulsion_schedule(${TARGET})
    endif()
    if(NOT ARG_GENERATOR)
        set(ARG_GENERATOR ${TARGET})
    endif()
    if(NOT ARG_FUNCTION_NAME)
        set(ARG_FUNCTION_NAME ${TARGET})
    endif()
    set(params ${ARG_PARAMS})
    if(ARG_MACHINE)
        list(APPEND params machine=${ARG_MACHINE})
        list(TRANSFORM ARG_SHAPES PREPEND "shape.")
        list(APPEND params ${ARG_SHAPES})
        if(EXISTS ${ARG_MACHINE})
            list(APPEND ARG_DEPENDS ${ARG_MACHINE})
        endif()
    endif()
    set(stock_outputs "")
    foreach(output IN LISTS outputs)
        if(ARG_${output})
            list(APPEND stock_outputs ${output} ${ARG_${output}})
        endif()
    endforeach()
    add_halide_library(${TARGET} FROM ${ARG_FROM} GENERATOR ${ARG_GENERATOR} FUNCTION_NAME ${ARG_FUNCTION_NAME}
        PARAMS ${params} DEPENDS ${ARG_DEPENDS} ${stock_outputs} ${ARG_UNPARSED_ARGUMENTS})
    _emulsion_target(device emulsion_device)
    target_link_libraries(${TARGET} INTERFACE ${device})
    foreach(output IN LISTS outputs)
        if(ARG_${output})
            set(${ARG_${output}} ${${ARG_${output}}} PARENT_SCOPE)
        endif()
    endforeach()
    _emulsion_program_files(${TARGET})
    foreach(output NPU_PROGRAM NPU_ASSEMBLY)
        if(ARG_${output})
            set(${ARG_${output}} ${${output}} PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# The text of a machine file: a preset's name or a path.
function(_emulsion_machine_text out machine)
    set(found ${machine})
    if(NOT EXISTS ${found})
        set(folders $ENV{EMULSION_TARGETS} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../runtime/targets
                    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../share/emulsion/targets)
        foreach(folder IN LISTS folders)
            if(EXISTS ${folder}/${machine}.json)
                set(found ${folder}/${machine}.json)
                break()
            endif()
        endforeach()
    endif()
    if(NOT EXISTS ${found})
        message(FATAL_ERROR "machine \"${machine}\" is neither a preset nor a file")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${found})
    file(READ ${found} text)
    string(JSON text ERROR_VARIABLE none REMOVE "${text}" sources)  # where the figures come from is no part of the machine
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

# name=value of every member of an object in a schedule file.
function(_emulsion_schedule_members out text)
    set(list "")
    string(JSON count LENGTH "${text}" ${ARGN})
    if(count GREATER 0)
        math(EXPR last "${count} - 1")
        foreach(k RANGE ${last})
            string(JSON name MEMBER "${text}" ${ARGN} ${k})
            string(JSON value GET "${text}" ${ARGN} ${name})
            string(REGEX REPLACE "[][ \n\t]" "" value "${value}")  # [64, 56] -> 64,56
            list(APPEND list ${name}=${value})
        endforeach()
    endif()
    set(${out} ${list} PARENT_SCOPE)
endfunction()

# Reads ARG_SCHEDULE into the caller's ARG_GENERATOR, ARG_MACHINE, ARG_SHAPES and ARG_PARAMS, and has the build check it.
macro(_emulsion_schedule TARGET)
    get_filename_component(schedule_file ${ARG_SCHEDULE} ABSOLUTE)
    set(schedule_stale "add_emulsion_library(${TARGET}): EM826 the schedule file ${schedule_file} was made for")
    if(NOT EXISTS ${schedule_file})
        message(FATAL_ERROR "add_emulsion_library(${TARGET}): no such schedule file: ${schedule_file}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schedule_file})
    file(READ ${schedule_file} schedule_text)
    string(JSON schedule_format ERROR_VARIABLE schedule_error GET "${schedule_text}" emulsion_schedule)
    if(NOT schedule_format EQUAL 1)
        message(FATAL_ERROR "add_emulsion_library(${TARGET}): ${schedule_file} is no schedule file of `emulsion explore export`: ${schedule_error}")
    endif()
    string(JSON schedule_generator GET "${schedule_text}" generator)
    string(JSON schedule_origin GET "${schedule_text}" target origin)
    string(JSON schedule_machine GET "${schedule_text}" target machine)
    if(NOT ARG_GENERATOR)
        set(ARG_GENERATOR ${schedule_generator})
    elseif(NOT ARG_GENERATOR STREQUAL schedule_generator)
        message(FATAL_ERROR "${schedule_stale} generator ${schedule_generator}, this is ${ARG_GENERATOR}")
    endif()
    if(NOT ARG_MACHINE)
        set(ARG_MACHINE ${schedule_origin})
    endif()
    _emulsion_machine_text(machine_text ${ARG_MACHINE})
    string(JSON same_machine EQUAL "${machine_text}" "${schedule_machine}")
    if(NOT same_machine)
        string(JSON schedule_name GET "${schedule_text}" target name)
        message(FATAL_ERROR "${schedule_stale} another machine, ${schedule_name}; this is ${ARG_MACHINE}, or its file has changed. "
            "Search again: emulsion explore run")
    endif()
    _emulsion_schedule_members(schedule_shapes "${schedule_text}" shapes)
    foreach(shape IN LISTS ARG_SHAPES)
        if(NOT shape IN_LIST schedule_shapes)
            message(FATAL_ERROR "${schedule_stale} shapes ${schedule_shapes}, this is ${shape}")
        endif()
    endforeach()
    set(ARG_SHAPES ${schedule_shapes})
    _emulsion_schedule_members(schedule_params "${schedule_text}" params)
    _emulsion_schedule_members(schedule_choices "${schedule_text}" schedule params)
    list(APPEND schedule_params ${schedule_choices})
    foreach(param IN LISTS ARG_PARAMS)
        string(REGEX REPLACE "=.*" "" name ${param})
        if(NOT param IN_LIST schedule_params AND schedule_params MATCHES "(^|;)${name}=")
            message(FATAL_ERROR "${schedule_stale} ${schedule_params}, this is ${param}")
        endif()
    endforeach()
    list(APPEND ARG_PARAMS ${schedule_params})
    list(REMOVE_DUPLICATES ARG_PARAMS)
    # What only the compiler can say: that the generator's space is still the one searched, cycles and bits.
    _emulsion_target(schedule_command emulsion)
    set(schedule_stamp ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.schedule_holds)
    add_custom_command(OUTPUT ${schedule_stamp}
        COMMAND ${schedule_command} explore verify ${schedule_file} --quick --target ${ARG_MACHINE}
        COMMAND ${CMAKE_COMMAND} -E touch ${schedule_stamp}
        DEPENDS ${schedule_file} ${schedule_command} COMMENT "Checking schedule file ${schedule_file}" VERBATIM)
    list(APPEND ARG_DEPENDS ${schedule_stamp})
endmacro()

# Rules for <target>.npu and <target>.npu.s, when asked for. Reads the caller's ARG_* and params.
macro(_emulsion_program_files TARGET)
    set(emits "")
    set(files "")
    if(ARG_NPU_PROGRAM)
        list(APPEND emits npu)
        set(NPU_PROGRAM ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.npu)
        list(APPEND files ${NPU_PROGRAM})
    endif()
    if(ARG_NPU_ASSEMBLY)
        list(APPEND emits npu_assembly)
        set(NPU_ASSEMBLY ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.npu.s)
        list(APPEND files ${NPU_ASSEMBLY})
    endif()
    if(files)
        list(JOIN emits "," emits)
        add_custom_command(OUTPUT ${files}
            COMMAND ${ARG_FROM} -g ${ARG_GENERATOR} -f ${ARG_FUNCTION_NAME} -n ${TARGET} -e ${emits}
                    -o ${CMAKE_CURRENT_BINARY_DIR} target=host ${params}
            DEPENDS ${ARG_FROM} ${ARG_DEPENDS} VERBATIM)
        add_custom_target(${TARGET}.npu_files ALL DEPENDS ${files})
        add_dependencies(${TARGET} ${TARGET}.npu_files)
    endif()
endmacro()

# add_emulsion_model(<target> FROM <model file> TARGET <preset or file>
#                    [FUNCTION_NAME <name>]            C name, "space::name" for a namespace; default: <target>
#                    [SYMBOLS <symbol>=<extent>...]    extents of symbolic dimensions
#                    [NPU_PROGRAM <var>]               path of <target>.npu, the program with its weights as a file
#                    [OPTIONS <word>...])              more words for `emulsion compile`: --no-fuse ...
#
# A library holding `int <function>(halide_buffer_t *inputs..., halide_buffer_t *outputs...)`, its _argv and _metadata, with weights and
# program inside, and its header <target>.h. The whole model must run on the NPU.
function(add_emulsion_model TARGET)
    cmake_parse_arguments(ARG "" "FROM;TARGET;FUNCTION_NAME;NPU_PROGRAM" "SYMBOLS;OPTIONS" ${ARGN})
    if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_FROM OR NOT ARG_TARGET)
        message(FATAL_ERROR "add_emulsion_model(${TARGET}): wanted FROM <model file> TARGET <preset or file>; unknown: ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT ARG_FUNCTION_NAME)
        set(ARG_FUNCTION_NAME ${TARGET})
    endif()
    get_filename_component(model ${ARG_FROM} ABSOLUTE)
    set(base ${CMAKE_CURRENT_BINARY_DIR}/${TARGET})
    set(depends ${model})
    if(EXISTS ${ARG_TARGET})
        list(APPEND depends ${ARG_TARGET})
    endif()
    set(outputs ${base}.a ${base}.h ${base}.registration.cpp)
    set(words ${model} --target ${ARG_TARGET} --library ${base} --name ${ARG_FUNCTION_NAME} ${ARG_OPTIONS})
    foreach(symbol IN LISTS ARG_SYMBOLS)
        list(APPEND words --symbol ${symbol})
    endforeach()
    if(ARG_NPU_PROGRAM)
        list(APPEND outputs ${base}.npu)
        list(APPEND words -o ${base}.npu)
        set(${ARG_NPU_PROGRAM} ${base}.npu PARENT_SCOPE)
    endif()
    _emulsion_target(command emulsion)
    add_custom_command(OUTPUT ${outputs} COMMAND ${command} compile ${words} DEPENDS ${command} ${depends} VERBATIM)
    add_custom_target(${TARGET}.files DEPENDS ${outputs})
    find_package(Threads REQUIRED)
    _emulsion_target(device emulsion_device)
    add_library(${TARGET} INTERFACE)
    add_dependencies(${TARGET} ${TARGET}.files)
    target_include_directories(${TARGET} INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(${TARGET} INTERFACE ${base}.a ${device} Threads::Threads ${CMAKE_DL_LIBS})
endfunction()
