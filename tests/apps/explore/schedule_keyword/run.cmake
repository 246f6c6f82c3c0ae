# Exports a schedule and configures a project with it. Would catch parameters that get lost between the file and the generator, and
# files for another machine, generator, shape or parameter that are compiled without a word.
#   cmake -DCOMMAND=... -DHELPERS=... -DSOURCE=... -DWORK=... -P run.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(words add rank=2 --shape a=64,12 --shape b=64,12 --shape out=64,12 --key "tile_0=64 tile_1=4 depth=2")
execute_process(COMMAND ${COMMAND} explore export ${words} --max-emulations 1 -o ${WORK}/add.json COMMAND_ERROR_IS_FATAL ANY)

function(expect text schedule)
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -DCOMMAND=${COMMAND} -DHELPERS=${HELPERS} -DSCHEDULE=${schedule} "-DWORDS=${ARGN}"
        OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX REPLACE "[ \n]+" " " output "${output}")  # messages are wrapped
    string(FIND "${output}" "${text}" found)
    if(found EQUAL -1)
        message(FATAL_ERROR "with ${schedule} ${ARGN}: \"${text}\" is not in\n${output}")
    endif()
endfunction()

expect("compiles add rank=2;depth=2;tile_0=64;tile_1=4;machine=mobile;shape.a=64,12;shape.b=64,12;shape.out=64,12" ${WORK}/add.json)
expect("rank=2;depth=2" ${WORK}/add.json GENERATOR add MACHINE mobile SHAPES a=64,12 PARAMS rank=2)
expect("was made for generator add, this is sub" ${WORK}/add.json GENERATOR sub)
expect("was made for another machine, mobile; this is edge-32" ${WORK}/add.json MACHINE edge-32)
expect("this is a=64,13" ${WORK}/add.json SHAPES a=64,13)
expect("this is depth=1" ${WORK}/add.json PARAMS depth=1)
expect("no such schedule file" ${WORK}/nothing.json)
file(WRITE ${WORK}/other.json "{\"name\": 1}")
expect("is no schedule file" ${WORK}/other.json)
