# cmake -P script: builds and runs the project in consumer/ against Cairn. WAY is
#   find_package      all of Cairn, installed from the build in BINARY_DIR and found by CMake
#   components        only the component hpa, found without the libraries that other parts need
#   shared_object     the component hpa in a shared object that a program loads
#   c_library         the component c in a program in C, installed and found by CMake and, if there
#                     is one, by pkg-config
#   pkg_config        Cairn installed and found by pkg-config, with the compiler called directly
#   add_subdirectory  all of SOURCE_DIR as a sub-folder of the consumer's project
#   fetch_content     only the part hpa by FetchContent, without the libraries that others need

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
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
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
    set(static --static)
    if(SHARED)
        set(static "")
    endif()
    separate_arguments(flags UNIX_COMMAND "${FLAGS}")
    # Packages, each with the program in consumer/ that uses it.
    foreach(case IN ITEMS cairn-hpa:hpa cairn:main)
        string(REPLACE ":" ";" case ${case})
        list(POP_FRONT case package program)
        execute_process(
            COMMAND ${PKG_CONFIG} ${static} --cflags --libs ${package}
            OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        separate_arguments(found UNIX_COMMAND "${found}")
        run(${COMPILER} ${flags} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/${program}.cpp
            ${found} -o ${WORK_DIR}/${program})
        run(${WORK_DIR}/${program})
    endforeach()
    return()
endif()

if(WAY STREQUAL "c_library" AND PKG_CONFIG)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
    execute_process(
        COMMAND ${PKG_CONFIG} --cflags --libs cairn-c
        OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(found UNIX_COMMAND "${found}")
    run(${C_COMPILER} -std=c99 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.c ${found}
        -o ${WORK_DIR}/main_c)
    run(${WORK_DIR}/main_c)
endif()

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
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --target consumer -j 2)
run(${WORK_DIR}/build/consumer)
