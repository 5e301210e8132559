# Install rules and the package that find_package(cairn) reads.

if(NOT CAIRN_INSTALL)
    return()
endif()

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
get_property(parts GLOBAL PROPERTY CAIRN_PARTS)

install(TARGETS ${parts} cairn_all EXPORT cairnTargets)
install(DIRECTORY include/cairn TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(
    EXPORT cairnTargets
    NAMESPACE cairn::
    DESTINATION ${package_dir})

# Users of the static libraries link what those use; users of the shared ones do not.
if(BUILD_SHARED_LIBS)
    set(CAIRN_IS_STATIC OFF)
else()
    set(CAIRN_IS_STATIC ON)
    install(FILES cmake/FindCairo.cmake cmake/FindMETIS.cmake cmake/FindxxHash.cmake
                  cmake/Findlodepng.cmake
            DESTINATION ${package_dir})
endif()
if(CAIRN_DETOUR)
    install(FILES cmake/FindRecast.cmake DESTINATION ${package_dir})
endif()
configure_package_config_file(cmake/cairnConfig.cmake.in ${PROJECT_BINARY_DIR}/cairnConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairnConfig.cmake ${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
        DESTINATION ${package_dir})

if(TARGET cairn)
    if(BUILD_SHARED_LIBS)
        file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(cairn PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
    endif()
    install(TARGETS cairn RUNTIME)
endif()
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC OPTIONAL)
