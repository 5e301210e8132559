# Finds lodepng, which ships no CMake package: defines the imported target lodepng::lodepng.

find_path(lodepng_INCLUDE_DIR lodepng.h)
find_library(lodepng_LIBRARY lodepng)
mark_as_advanced(lodepng_INCLUDE_DIR lodepng_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(lodepng REQUIRED_VARS lodepng_LIBRARY lodepng_INCLUDE_DIR)

if(lodepng_FOUND AND NOT TARGET lodepng::lodepng)
    add_library(lodepng::lodepng UNKNOWN IMPORTED)
    set_target_properties(
        lodepng::lodepng PROPERTIES IMPORTED_LOCATION "${lodepng_LIBRARY}"
                              INTERFACE_INCLUDE_DIRECTORIES "${lodepng_INCLUDE_DIR}")
endif()
