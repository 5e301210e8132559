# Options, and the language settings every target shares.

option(CAIRN_BUILD_APP "Build the cairn command line tool" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_C "Build the C library, libcairn.so" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_PYTHON "Build the extension module of the Python package; setup.py does" OFF)
option(CAIRN_WEB "Build cairn.wasm; the preset `web` does" OFF)
option(CAIRN_FILES "Read and write files; OFF leaves the functions of cairn/file.hpp to the program" ON)
option(CAIRN_LAB "Build the laboratory, cairn-lab: benchmarks and the papers' experiments" OFF)
option(CAIRN_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_BUILD_BENCH "Build the micro-benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_BUILD_FUZZ "Build the fuzz targets" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_TBB "Run builds and batches on oneTBB's threads; else on the calling thread" ON)
option(CAIRN_METIS "HNA*: the paper's partition by METIS can be asked for" OFF)
option(CAIRN_INSTALL "Generate the install rules" ${PROJECT_IS_TOP_LEVEL})
option(CAIRN_DEVELOPER "Warnings as errors, compiler cache" OFF)
option(CAIRN_UNITY "Compile several sources at once: less work for a whole build" OFF)
option(CAIRN_NATIVE "Tune for this machine's processor (the binaries are not portable)" OFF)
option(CAIRN_SMALL "Compile for size, but for the sources of queries, and without checkpoints; with clang++" OFF)
set(CAIRN_TEST_LABEL "" CACHE STRING "Build only the tests of one label: golden or threads")
set(CAIRN_SANITIZE "" CACHE STRING "Value for -fsanitize=, for example address,undefined")

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    if(CAIRN_DEVELOPER)
        find_program(CAIRN_CCACHE ccache)
        if(CAIRN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
            # Without this, ccache does not cache sources that include a precompiled header.
            set(CMAKE_CXX_COMPILER_LAUNCHER
                ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CAIRN_CCACHE})
        endif()
    endif()
endif()

# In a unit, sources see the includes and names of those before them. The preset `tidy` compiles
# each source alone, and so finds missing includes.
set(CMAKE_UNITY_BUILD ${CAIRN_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)

if(CAIRN_SANITIZE)
    add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CAIRN_SANITIZE})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "MSVC" OR WIN32)
    message(FATAL_ERROR "Cairn needs GCC or Clang and a POSIX system: docs/building.md, \"Compilers and "
                        "systems\", says what a port takes")
endif()

# Settings that are never passed on to users of the library.
add_library(cairn_settings INTERFACE)
target_compile_features(cairn_settings INTERFACE cxx_std_20)
# Contracted floating-point operations would make answers differ between processors.
target_compile_options(cairn_settings INTERFACE -ffp-contract=off)
get_property(CAIRN_SHARED GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(CAIRN_SHARED)
    # Lets shared libraries inline their own functions, too.
    target_compile_options(cairn_settings INTERFACE -fno-semantic-interposition)
endif()
if(CAIRN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A unit includes its sources, so GCC warns of their unnamed namespaces as if they were headers.
    target_compile_options(cairn_settings
                           INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
if(CAIRN_NATIVE)
    target_compile_options(cairn_settings INTERFACE -march=native)
endif()
if(CAIRN_DEVELOPER)
    target_compile_options(cairn_settings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror
                                                    -Wno-sign-conversion)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 warns of ordinary std::string concatenation (GCC bug 105651).
        target_compile_options(cairn_settings INTERFACE -Wno-restrict -Wno-stringop-overflow)
    else()
        target_compile_options(cairn_settings INTERFACE -Wreserved-identifier)
        if(CMAKE_SIZEOF_VOID_P EQUAL 4)
            # Positions in arrays that are stored as 64-bit numbers fit, since the array does.
            target_compile_options(cairn_settings INTERFACE -Wno-shorten-64-to-32)
        endif()
    endif()
endif()
