# How Cairn's own targets are made, so that every folder says only what is particular to it.

# cairn_sources(<variable> <pattern>...): the files that match, seen afresh by every build.
function(cairn_sources variable)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    file(GLOB found CONFIGURE_DEPENDS ${ARGN})
    set(${variable} ${found} PARENT_SCOPE)
endfunction()

# cairn_add_part(<name> FOLDERS <folder>... [PARTS <part>...] [PUBLIC <library>...]
#                [PRIVATE <library>...])
#
# One library of Cairn: target cairn_<name>, alias cairn::<name>, from every .cpp file of its
# folders. PARTS and PUBLIC are the parts and other libraries its public headers use, PRIVATE what
# only its sources use.
function(cairn_add_part name)
    cmake_parse_arguments(arg "" "" "FOLDERS;PARTS;PUBLIC;PRIVATE" ${ARGN})
    list(TRANSFORM arg_FOLDERS APPEND /*.cpp)
    cairn_sources(sources ${arg_FOLDERS})
    if(NOT sources)
        return()
    endif()
    set(target cairn_${name})
    add_library(${target} ${sources})
    add_library(cairn::${name} ALIAS ${target})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(
        ${target}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/components)
    list(TRANSFORM arg_PARTS PREPEND cairn_)
    foreach(part IN LISTS arg_PARTS)
        if(TARGET ${part})
            target_link_libraries(${target} PUBLIC ${part})
        endif()
    endforeach()
    target_link_libraries(
        ${target}
        PUBLIC tl::expected ${arg_PUBLIC}
        PRIVATE $<BUILD_INTERFACE:cairn_settings> fmt::fmt ${arg_PRIVATE})
    set_target_properties(
        ${target}
        PROPERTIES CXX_EXTENSIONS OFF
                   EXPORT_NAME ${name}
                   INSTALL_RPATH $ORIGIN
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
