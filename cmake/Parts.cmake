# The parts of Cairn, what each of them needs, and which of them are built.

set(CAIRN_PARTS all CACHE STRING
    "Parts to build, with what they need: a list such as grid;hpa;subgoal, or all")
option(CAIRN_FORMATS "Formats beyond MovingAI's: images, YAML, palettes, Polyanya's meshes" ON)
option(CAIRN_TILED "Maps of the editor Tiled, a part of CAIRN_FORMATS" ON)
option(CAIRN_RENDER "Pictures of maps, graphs and paths" ON)
option(CAIRN_DETOUR "What reads, writes and serves Recast and Detour meshes" ON)

# cairn_part(<name> [NEEDS <part>...] [MAY_USE <part>...] [PACKAGES <package>...]
#            [SWITCHES <option>...])
#
# Declares a part. The parts that it NEEDS must be declared before it. For each part that it
# MAY_USE it has sources named <part>_*.cpp, which are compiled only if that part is built. PACKAGES
# are the libraries of its own sources. If one of SWITCHES is off, the part is not built. Sets
#
#   CAIRN_NEEDS_<name>      the part and all parts that it needs, in the order of declaration
#   CAIRN_MAY_USE_<name>    its MAY_USE
#   CAIRN_PACKAGES_<name>   its PACKAGES
#   CAIRN_OFF_<name>        its SWITCHES that are off
set(CAIRN_KNOWN_PARTS "")
macro(cairn_part name)
    cmake_parse_arguments(arg "" "" "NEEDS;MAY_USE;PACKAGES;SWITCHES" ${ARGN})
    set(CAIRN_NEEDS_${name} "")
    foreach(need IN LISTS arg_NEEDS)
        list(APPEND CAIRN_NEEDS_${name} ${CAIRN_NEEDS_${need}})
    endforeach()
    list(APPEND CAIRN_NEEDS_${name} ${name})
    list(REMOVE_DUPLICATES CAIRN_NEEDS_${name})
    set(CAIRN_MAY_USE_${name} ${arg_MAY_USE})
    set(CAIRN_PACKAGES_${name} ${arg_PACKAGES})
    set(CAIRN_OFF_${name} "")
    foreach(switch IN LISTS arg_SWITCHES)
        if(NOT ${switch})
            list(APPEND CAIRN_OFF_${name} ${switch})
        endif()
    endforeach()
    list(APPEND CAIRN_KNOWN_PARTS ${name})
endmacro()

set(format_packages "")
if(CAIRN_FORMATS)
    set(format_packages lodepng yaml-cpp nlohmann_json pugixml ZLIB zstd)
endif()

cairn_part(core PACKAGES tl-expected fmt TBB METIS xxHash)
cairn_part(grid NEEDS core)
cairn_part(hpa NEEDS grid)
cairn_part(haa NEEDS hpa)
cairn_part(subgoal NEEDS grid)
cairn_part(mesh NEEDS grid)
cairn_part(hna NEEDS mesh)
cairn_part(batch NEEDS grid MAY_USE hpa haa subgoal mesh hna)
cairn_part(world NEEDS batch MAY_USE hpa haa subgoal mesh hna)
cairn_part(formats NEEDS grid MAY_USE haa mesh PACKAGES ${format_packages})
cairn_part(index_file NEEDS grid MAY_USE hpa haa subgoal hna PACKAGES FlatBuffers)
cairn_part(any NEEDS grid MAY_USE hpa haa subgoal mesh hna batch world index_file)
cairn_part(render NEEDS hpa haa subgoal hna formats PACKAGES Cairo lodepng
           SWITCHES CAIRN_RENDER CAIRN_FORMATS)
cairn_part(detour NEEDS hna PACKAGES Recast SWITCHES CAIRN_DETOUR)

# Sets CAIRN_BUILT_PARTS, in the order of declaration, and CAIRN_HAS_<PART> for every part.
set(chosen ${CAIRN_PARTS})
if("all" IN_LIST chosen OR NOT chosen)
    set(chosen ${CAIRN_KNOWN_PARTS})
    foreach(part IN LISTS CAIRN_KNOWN_PARTS)
        if(CAIRN_OFF_${part})
            list(REMOVE_ITEM chosen ${part})
        endif()
    endforeach()
endif()
set(wanted "")
foreach(part IN LISTS chosen)
    if(NOT part IN_LIST CAIRN_KNOWN_PARTS)
        list(JOIN CAIRN_KNOWN_PARTS ", " known)
        message(FATAL_ERROR "CAIRN_PARTS names '${part}', which is no part of Cairn; "
                            "there are ${known}, and all")
    endif()
    if(CAIRN_OFF_${part})
        message(FATAL_ERROR "CAIRN_PARTS names '${part}', but it is switched off by "
                            "${CAIRN_OFF_${part}}")
    endif()
    list(APPEND wanted ${CAIRN_NEEDS_${part}})
endforeach()
set(CAIRN_BUILT_PARTS "")
foreach(part IN LISTS CAIRN_KNOWN_PARTS)
    string(TOUPPER ${part} upper)
    set(CAIRN_HAS_${upper} OFF)
    if(part IN_LIST wanted)
        list(APPEND CAIRN_BUILT_PARTS ${part})
        set(CAIRN_HAS_${upper} ON)
    endif()
endforeach()

# Whether cairn::batch has batch::Device, which takes all planners with an index.
set(CAIRN_HAS_DEVICE OFF)
if(CAIRN_HAS_BATCH AND CAIRN_HAS_HAA AND CAIRN_HAS_SUBGOAL AND CAIRN_HAS_HNA)
    set(CAIRN_HAS_DEVICE ON)
endif()

# cairn_leave_out_without(<option> <part>...): if one of the parts is not built, turns the option
# off for this run of CMake, with a message.
macro(cairn_leave_out_without option)
    if(${option})
        set(missing ${ARGN})
        list(REMOVE_ITEM missing ${CAIRN_BUILT_PARTS})
        if(missing)
            list(JOIN missing ", " missing)
            message(STATUS "${option} is ON, but it takes parts that are not built (${missing}): "
                           "left out")
            set(${option} OFF)
        endif()
    endif()
endmacro()

set(planner_parts hpa haa subgoal hna)
cairn_leave_out_without(CAIRN_C any)
cairn_leave_out_without(CAIRN_BUILD_APP ${planner_parts} any batch world formats index_file render)
cairn_leave_out_without(CAIRN_BUILD_TESTS ${planner_parts} any batch world formats index_file)
cairn_leave_out_without(CAIRN_BUILD_EXAMPLES ${planner_parts} batch world formats index_file)
cairn_leave_out_without(CAIRN_BUILD_BENCH ${planner_parts} formats index_file)
cairn_leave_out_without(CAIRN_BUILD_FUZZ ${planner_parts} formats index_file)
foreach(switch IN ITEMS CAIRN_FORMATS CAIRN_TILED)
    foreach(option IN ITEMS CAIRN_BUILD_TESTS CAIRN_BUILD_FUZZ)
        if(${option} AND NOT ${switch})
            message(STATUS "${option} is ON, but it takes ${switch}: left out")
            set(${option} OFF)
        endif()
    endforeach()
endforeach()

list(JOIN CAIRN_BUILT_PARTS " " built)
message(STATUS "Parts of Cairn: ${built}")
