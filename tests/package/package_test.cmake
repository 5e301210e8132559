# cmake -P script: builds and runs the project in consumer/ against Cairn. WAY is
#   find_package      all of Cairn, installed from the build in BINARY_DIR and found by CMake
#   components        only the component hpa, found without the libraries that other parts need
#   shared_object     the component hpa in a shared object that a program loads
#   c_library         the component c in a program in C, installed and found by CMake and, if there
#                     is one, by pkg-config, as docs/c.md says
#   pkg_config        Cairn installed and found by pkg-config, with the compiler called directly
#   add_subdirectory  all of SOURCE_DIR as a sub-folder of the consumer's project
#   fetch_content     only the part hpa by FetchContent, without the libraries that others need
# components, pkg_config and fetch_content do what docs/building.md says.

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/../support/code_blocks.cmake)

# run_block(<page> <number> <file> <source> [<word> <other>]): runs a page's shell block, which compiles
# <file>, a copy of a source of consumer/, as a user types it, perhaps with another word in place of
# one; then runs the program.
function(run_block page number file source)
    cairn_code_block(commands ${SOURCE_DIR}/docs/${page} sh ${number})
    if(ARGN)
        string(REPLACE ${ARGN} commands "${commands}")
    endif()
    if(SHARED)
        string(REPLACE " --static" "" commands "${commands}")
    endif()
    set(folder ${WORK_DIR}/typed)
    file(COPY ${CMAKE_CURRENT_LIST_DIR}/consumer/ DESTINATION ${folder})
    file(RENAME ${folder}/${source} ${folder}/${file})
    file(WRITE ${folder}/bin/cc "#!/bin/sh\nexec '${C_COMPILER}' \"$@\"\n")
    file(WRITE ${folder}/bin/c++ "#!/bin/sh\nexec '${COMPILER}' ${FLAGS} \"$@\"\n")
    file(CHMOD ${folder}/bin/cc ${folder}/bin/c++ PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set(ENV{PATH} "${folder}/bin:$ENV{PATH}")
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
    run(sh -ec "${commands}" WORKING_DIRECTORY ${folder})
    run(${folder}/a.out)
endfunction()

set(prefix ${WORK_DIR}/prefix)
set(options "")
file(REMOVE_RECURSE ${WORK_DIR})
if(WAY MATCHES "^(find_package|components|shared_object|c_library|pkg_config)$")
    run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${prefix})
    # The tool, if it is built, comes with what it prints for man and for shells.
    if(EXISTS ${prefix}/bin/cairn AND NOT EXISTS ${prefix}/share/man/man1/cairn.1)
        message(FATAL_ERROR "the manual page is not installed")
    endif()
    list(APPEND options -DCMAKE_PREFIX_PATH=${prefix})
else()
    list(APPEND options -DCAIRN_SOURCE_DIR=${SOURCE_DIR} -DBUILD_SHARED_LIBS=${SHARED})
endif()

if(WAY STREQUAL "pkg_config")
    run_block(building.md 1 game.cpp hpa.cpp)
    run_block(building.md 1 game.cpp main.cpp cairn-hpa cairn) # the whole library, as it says
    return()
endif()

if(WAY STREQUAL "c_library" AND PKG_CONFIG)
    run_block(c.md 1 game.c main.c)
endif()

# What the pages say for a project's CMakeLists.txt.
if(WAY STREQUAL "components")
    cairn_code_block(lines ${SOURCE_DIR}/docs/building.md cmake 2)
elseif(WAY STREQUAL "c_library")
    cairn_code_block(lines ${SOURCE_DIR}/docs/c.md cmake 1)
elseif(WAY STREQUAL "fetch_content")
    cairn_code_block(lines ${SOURCE_DIR}/docs/building.md cmake 1)
    string(REGEX REPLACE "add_subdirectory\\(cairn\\) *# or ([^\n]+)" "\\1" lines "${lines}")
endif()
file(WRITE ${WORK_DIR}/page.cmake "${lines}")
list(APPEND options -DPAGE=${WORK_DIR}/page.cmake)

if(WAY MATCHES "^(components|shared_object|c_library|fetch_content)$")
    # Packages that CMake must do without.
    set(absent Cairo yaml-cpp FlatBuffers Recast lodepng nlohmann_json pugixml ZLIB zstd CUDAToolkit)
    if(WAY STREQUAL "fetch_content")
        list(APPEND absent METIS)
        list(APPEND options -DCAIRN_UNITY=ON)
    endif()
    if(WAY STREQUAL "c_library" AND SHARED) # it links the parts
        list(REMOVE_ITEM absent Recast)
    endif()
    list(TRANSFORM absent REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON")
    list(APPEND options ${absent})
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK_DIR}/build
    -DWAY=${WAY} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_C_COMPILER=${C_COMPILER} --no-warn-unused-cli ${options})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --target game -j 2)
run(${WORK_DIR}/build/game)
