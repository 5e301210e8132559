# Debian packages, which `cpack` makes of what is built: a package for each component of the install
# rules. docs/packages.md says how to use them.

if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()

set(CPACK_PACKAGE_CONTACT "The Cairn authors <cairn@example.org>"
    CACHE STRING "Maintainer of the packages that cpack makes: name and address")
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)
set(CPACK_CAIRN_STRIP ${CMAKE_STRIP})
set(CPACK_CAIRN_CHANGELOG ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE cairn)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_COMPONENTS_ALL "")

# cairn_debian(<component> <package> <section> <summary> <description> [DEPENDS <package>...]
#              [CONTROL <file>...])
#
# Makes a package of a component, which needs the packages of DEPENDS and those of the shared libraries
# that its files link. CONTROL are more control files.
macro(cairn_debian component package section summary description)
    cmake_parse_arguments(arg "" "" "DEPENDS;CONTROL" ${ARGN})
    string(TOUPPER ${component} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
    list(JOIN arg_DEPENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS)
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${arg_CONTROL})
endmacro()

set(about "Cairn finds paths on grid maps and navigation meshes: HPA*, HAA*, subgoal
graphs, HNA* and jump point search, on maps that may change.")
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(library libcairn${soversion})
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(control ${PROJECT_BINARY_DIR}/packages)

# The shared libraries: that for C, and with BUILD_SHARED_LIBS those of the parts.
set(shared "")
if(BUILD_SHARED_LIBS)
    set(shared ${CAIRN_BUILT_PARTS})
    list(TRANSFORM shared PREPEND cairn_)
endif()
if(TARGET cairn_c)
    list(APPEND shared cairn)
endif()
set(needs_library "")
if(shared)
    set(needs_library "${library} ${this_version}")
    list(TRANSFORM shared REPLACE "(.+)" "lib\\1 ${soversion} ${library} (>= ${PROJECT_VERSION})\n")
    string(CONCAT shared ${shared})
    file(CONFIGURE OUTPUT ${control}/shlibs CONTENT "${shared}")
    file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
    cairn_debian(
        library ${library} libs
        "hierarchical pathfinding on grids and meshes - shared library"
        "${about}\n\nThis package has the library that programs run with."
        CONTROL ${control}/shlibs ${control}/triggers)
endif()

# Users of static libraries link what these use; of shared ones they include what the headers use.
set(needs "")
foreach(part IN LISTS CAIRN_BUILT_PARTS)
    foreach(package IN LISTS CAIRN_USED_PACKAGES_${part})
        if(NOT BUILD_SHARED_LIBS OR package IN_LIST public_packages)
            list(APPEND needs ${CAIRN_DEBIAN_${package}})
        endif()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES needs)
cairn_debian(
    development libcairn-dev libdevel
    "hierarchical pathfinding on grids and meshes - development files"
    "${about}\n\nThis package has the headers for C and C++, the libraries, the CMake package\nand the files for pkg-config."
    DEPENDS ${needs_library} ${needs})

if(TARGET cairn)
    set(tool_needs "")
    if(BUILD_SHARED_LIBS)
        set(tool_needs ${needs_library})
    endif()
    cairn_debian(
        tool cairn science "hierarchical pathfinding on grids and meshes - command line tool"
        "${about}\n\nThis package has the tool cairn: it finds paths, makes and checks indexes,\nconverts and draws maps, and simulates crowds."
        DEPENDS ${tool_needs})
endif()

if(TARGET cairn_python)
    # The module is for one version of Python's binary interface.
    list(POP_FRONT CAIRN_PYTHON_VERSION major minor)
    math(EXPR next "${minor} + 1")
    foreach(script postinst prerm)
        configure_file(cmake/python_${script}.in ${control}/${script} @ONLY)
    endforeach()
    cairn_debian(
        python python3-cairn python "hierarchical pathfinding on grids and meshes - Python 3 package"
        "${about}\n\nThis package has the Python package cairn, which works on arrays of NumPy."
        DEPENDS ${needs_library} "python3 (>= ${major}.${minor})"
                "python3 (<< ${major}.${next})" python3-numpy
        CONTROL ${control}/postinst ${control}/prerm)
endif()

include(CPack)
