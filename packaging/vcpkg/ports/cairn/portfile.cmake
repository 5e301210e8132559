# An overlay port: it builds the clone of Cairn that this file is in. Not run by Cairn's tests.

get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(
    OUT_FEATURE_OPTIONS FEATURES_AS_OPTIONS
    FEATURES
        c CAIRN_C
        detour CAIRN_DETOUR
        formats CAIRN_FORMATS
        metis CAIRN_METIS
        render CAIRN_RENDER
        tbb CAIRN_TBB
        tiled CAIRN_TILED
        tool CAIRN_BUILD_APP)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURES_AS_OPTIONS}
        -DCAIRN_FLATC=${CURRENT_HOST_INSTALLED_DIR}/tools/flatbuffers/flatc${VCPKG_HOST_EXECUTABLE_SUFFIX}
        -DCAIRN_CUDA=OFF
        -DCAIRN_MPI=OFF
        -DCAIRN_BUILD_TESTS=OFF
        -DCAIRN_BUILD_EXAMPLES=OFF
        -DCAIRN_BUILD_BENCH=OFF
        -DCAIRN_BUILD_FUZZ=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/cairn)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES cairn AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
     "${CURRENT_PACKAGES_DIR}/share/doc")

file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
