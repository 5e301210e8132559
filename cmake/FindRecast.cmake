# Finds Recast and Detour, which ship no CMake package in Debian: defines the imported targets
# Recast::Recast, Recast::Detour, Recast::DetourTileCache, and where it is installed
# Recast::DetourCrowd.

find_path(Recast_INCLUDE_DIR DetourNavMesh.h PATH_SUFFIXES recastnavigation)
find_library(Recast_LIBRARY Recast)
find_library(Recast_Detour_LIBRARY Detour)
find_library(Recast_DetourTileCache_LIBRARY DetourTileCache)
find_library(Recast_DetourCrowd_LIBRARY DetourCrowd)
mark_as_advanced(Recast_INCLUDE_DIR Recast_LIBRARY Recast_Detour_LIBRARY
                 Recast_DetourTileCache_LIBRARY Recast_DetourCrowd_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    Recast REQUIRED_VARS Recast_LIBRARY Recast_Detour_LIBRARY Recast_DetourTileCache_LIBRARY
                         Recast_INCLUDE_DIR)

if(Recast_FOUND AND NOT TARGET Recast::Recast)
    add_library(Recast::Recast UNKNOWN IMPORTED)
    set_target_properties(
        Recast::Recast PROPERTIES IMPORTED_LOCATION "${Recast_LIBRARY}"
                                  INTERFACE_INCLUDE_DIRECTORIES "${Recast_INCLUDE_DIR}")
    add_library(Recast::Detour UNKNOWN IMPORTED)
    set_target_properties(
        Recast::Detour PROPERTIES IMPORTED_LOCATION "${Recast_Detour_LIBRARY}"
                                  INTERFACE_INCLUDE_DIRECTORIES "${Recast_INCLUDE_DIR}")
    foreach(library DetourTileCache DetourCrowd)
        if(Recast_${library}_LIBRARY)
            add_library(Recast::${library} UNKNOWN IMPORTED)
            set_target_properties(
                Recast::${library}
                PROPERTIES IMPORTED_LOCATION "${Recast_${library}_LIBRARY}"
                           INTERFACE_INCLUDE_DIRECTORIES "${Recast_INCLUDE_DIR}"
                           INTERFACE_LINK_LIBRARIES Recast::Detour)
        endif()
    endforeach()
endif()
