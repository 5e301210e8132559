# Functions that make the targets of Cairn's folders.

# cairn_sources(<variable> <pattern>...): sets the variable to the files that match. Every build
# checks whether files were added or removed.
function(cairn_sources variable)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    file(GLOB found CONFIGURE_DEPENDS ${ARGN})
    set(${variable} ${found} PARENT_SCOPE)
endfunction()

# cairn_add_part(<name> FOLDERS <folder>... [PUBLIC <library>...] [PRIVATE <library>...]
#                [EXCEPT <pattern>...])
#
# Makes the library of a part, if the part is built: target cairn_<name>, alias cairn::<name>, from
# the .cpp files of its folders. PUBLIC are the libraries that its public headers use, PRIVATE those
# that only its sources use. The parts that it needs are declared in cmake/Parts.cmake. Files whose
# names begin with a match of a regular expression of EXCEPT are left out.
function(cairn_add_part name)
    if(NOT name IN_LIST CAIRN_BUILT_PARTS)
        return()
    endif()
    cmake_parse_arguments(arg "" "" "FOLDERS;PUBLIC;PRIVATE;EXCEPT" ${ARGN})
    list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
    cairn_sources(sources ${arg_FOLDERS})
    set(parts ${CAIRN_NEEDS_${name}})
    list(REMOVE_ITEM parts ${name})
    foreach(part IN LISTS CAIRN_MAY_USE_${name})
        if(part IN_LIST CAIRN_BUILT_PARTS)
            list(APPEND parts ${part})
        else()
            list(APPEND arg_EXCEPT ${part}_)
        endif()
    endforeach()
    foreach(pattern IN LISTS arg_EXCEPT)
        list(FILTER sources EXCLUDE REGEX "/${pattern}[^/]*$")
    endforeach()
    set(target cairn_${name})
    add_library(${target} ${sources})
    add_library(cairn::${name} ALIAS ${target})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(
        ${target}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
               $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/components)
    list(TRANSFORM parts PREPEND cairn_)
    target_link_libraries(
        ${target}
        PUBLIC ${parts} tl::expected ${arg_PUBLIC}
        PRIVATE $<BUILD_INTERFACE:cairn_settings> fmt::fmt ${arg_PRIVATE})
    if(CAIRN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC inlines less in large units, which costs a query up to 6 % more instructions.
        target_compile_options(
            ${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=large-unit-insns=1000000>)
    endif()
    if(CAIRN_SMALL)
        target_compile_definitions(${target} PRIVATE CAIRN_NO_CHECKPOINTS)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Oz>)
        set_source_files_properties(
            ${CAIRN_FAST_SOURCES} PROPERTIES COMPILE_OPTIONS
                                             $<$<CONFIG:Release,RelWithDebInfo>:-O2>)
    endif()
    if(CAIRN_C AND NOT BUILD_SHARED_LIBS)
        # The C library leaves out the functions that it does not use.
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ffunction-sections
                                                 -fdata-sections>)
    endif()
    set_target_properties(
        ${target}
        PROPERTIES CXX_EXTENSIONS OFF
                   EXPORT_NAME ${name}
                   INSTALL_RPATH $ORIGIN
                   POSITION_INDEPENDENT_CODE ${CAIRN_SHARED}
                   SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                   VERSION ${PROJECT_VERSION})
    set_property(GLOBAL APPEND PROPERTY CAIRN_PARTS ${target})
endfunction()

# cairn_add_executable(<target> <source>... [LIBRARIES <library>...]): a program of this project.
function(cairn_add_executable target)
    cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${target} PRIVATE cairn_settings ${arg_LIBRARIES})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# cairn_precompile(<target> <header>...): precompiles headers for the target's sources.
# cairn_precompile(<target> FROM <target>): takes those of another target with the same flags.
# Each source still includes what it uses: with CMAKE_DISABLE_PRECOMPILE_HEADERS nothing is
# precompiled.
function(cairn_precompile target)
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
        return()
    endif()
    if("${ARGV1}" STREQUAL "FROM")
        target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    else()
        target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
    # ccache needs these flags to cache such sources.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
endfunction()

# cairn_optimise_little(<target>...): compiles optimised builds with -O1, for programs whose own
# code takes long to compile and little time to run.
function(cairn_optimise_little)
    foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
    endforeach()
endfunction()
