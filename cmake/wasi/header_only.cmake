# cairn_header_only(<target> <header or folder> [<definition>...]): an imported target for a library
# of this system's whose headers are all that it takes. They alone are linked into a folder of the
# build, since those beside them are of another system.
function(cairn_header_only target entry)
    if(TARGET ${target})
        return()
    endif()
    set(folder ${PROJECT_BINARY_DIR}/headers)
    file(MAKE_DIRECTORY ${folder})
    if(NOT EXISTS ${folder}/${entry})
        file(CREATE_LINK /usr/include/${entry} ${folder}/${entry} SYMBOLIC)
    endif()
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${folder})
    target_compile_definitions(${target} INTERFACE ${ARGN})
endfunction()
