# Install rules and the package that find_package(cairn) reads. Each rule names its component, one for
# each Debian package (Packages.cmake) and `documents`; `cmake --install` installs all but `python`.

if(NOT CAIRN_INSTALL)
    return()
endif()

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
get_property(parts GLOBAL PROPERTY CAIRN_PARTS)

# The artifacts of a library: what programs run with, and what they are built with.
set(as_library LIBRARY COMPONENT library NAMELINK_COMPONENT development ARCHIVE COMPONENT development)
install(TARGETS ${parts} cairn_all EXPORT cairnTargets ${as_library})
set(not_built ${CAIRN_KNOWN_PARTS})
list(REMOVE_ITEM not_built ${CAIRN_BUILT_PARTS})
set(headers_not_built "")
foreach(part IN LISTS not_built)
    list(APPEND headers_not_built REGEX "/include/cairn/${part}$" EXCLUDE)
endforeach()
install(DIRECTORY include/cairn TYPE INCLUDE COMPONENT development ${headers_not_built})
install(FILES ${PROJECT_BINARY_DIR}/include/cairn/parts.hpp
              ${PROJECT_BINARY_DIR}/include/cairn/version.h
              ${PROJECT_BINARY_DIR}/include/cairn/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cairn COMPONENT development)
install(
    EXPORT cairnTargets
    NAMESPACE cairn::
    DESTINATION ${package_dir} COMPONENT development)

# For find_package: the packages that users of each part must have. Static libraries need all that
# they link, shared ones only those of the public headers.
set(public_packages tl-expected Recast)
set(packages_of_parts "")
set(find_modules "")
foreach(part IN LISTS CAIRN_BUILT_PARTS)
    set(used ${CAIRN_NEEDS_${part}})
    foreach(other IN LISTS CAIRN_MAY_USE_${part})
        if(other IN_LIST CAIRN_BUILT_PARTS)
            list(APPEND used ${CAIRN_NEEDS_${other}})
        endif()
    endforeach()
    set(packages "")
    foreach(need IN LISTS used)
        foreach(package IN LISTS CAIRN_USED_PACKAGES_${need})
            if(NOT BUILD_SHARED_LIBS OR package IN_LIST public_packages)
                list(APPEND packages ${package})
                if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/Find${package}.cmake)
                    list(APPEND find_modules cmake/Find${package}.cmake)
                endif()
            endif()
        endforeach()
        if(need STREQUAL "batch" AND CAIRN_HAS_CUDA AND NOT BUILD_SHARED_LIBS)
            list(APPEND packages CUDAToolkit)
        endif()
    endforeach()
    list(REMOVE_DUPLICATES packages)
    list(JOIN packages " " packages)
    string(APPEND packages_of_parts "set(cairn_packages_${part} ${packages})\n")
endforeach()
list(REMOVE_DUPLICATES find_modules)
list(JOIN CAIRN_BUILT_PARTS " " parts_in_package)
if(TARGET cairn_c) # the C library, which needs no package
    string(APPEND parts_in_package " c")
endif()
install(FILES ${find_modules} DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/cairnConfig.cmake.in ${PROJECT_BINARY_DIR}/cairnConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairnConfig.cmake ${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# For pkg-config: cairn-<part>.pc for each part, and cairn.pc for all. Users of static libraries
# call it with --static.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
function(cairn_pkgconfig file description requires libraries private_libraries)
    list(JOIN requires " " requires)
    list(JOIN libraries " " libraries)
    list(JOIN private_libraries " " private_libraries)
    set(name ${file})
    configure_file(cmake/cairn.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${file}.pc DESTINATION ${pc_dir}
            COMPONENT development)
endfunction()
set(all_requires "")
foreach(part IN LISTS CAIRN_BUILT_PARTS)
    set(requires ${CAIRN_NEEDS_${part}})
    list(REMOVE_ITEM requires ${part})
    foreach(other IN LISTS CAIRN_MAY_USE_${part})
        if(other IN_LIST CAIRN_BUILT_PARTS)
            list(APPEND requires ${other})
        endif()
    endforeach()
    list(TRANSFORM requires PREPEND cairn-)
    set(flags "")
    foreach(package IN LISTS CAIRN_USED_PACKAGES_${part})
        list(APPEND flags ${CAIRN_LINK_${package}})
    endforeach()
    if(part STREQUAL "batch" AND CAIRN_HAS_CUDA)
        list(APPEND flags -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt)
    endif()
    set(pc_includes "")
    if(part STREQUAL "detour")
        set(pc_includes " -I${Recast_INCLUDE_DIR}")
    endif()
    cairn_pkgconfig(cairn-${part} "Cairn's part ${part}" "${requires}"
                    "-L\${libdir};-lcairn_${part}" "${flags}")
    list(PREPEND all_requires cairn-${part})
endforeach()
set(pc_includes "")
cairn_pkgconfig(cairn "${PROJECT_DESCRIPTION}" "${all_requires}" "" "")
if(TARGET cairn_c)
    install(TARGETS cairn_c EXPORT cairnTargets ${as_library})
    install(FILES bindings/c/include/cairn.h TYPE INCLUDE COMPONENT development)
    cairn_pkgconfig(cairn-c "Cairn's C library" "" "-L\${libdir};-lcairn" "")
endif()

if(TARGET cairn)
    if(BUILD_SHARED_LIBS)
        file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(cairn PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
    endif()
    install(TARGETS cairn RUNTIME COMPONENT tool)
endif()
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC COMPONENT documents OPTIONAL)
include(cmake/Packages.cmake)
