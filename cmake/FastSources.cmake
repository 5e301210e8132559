# The sources of queries. With CAIRN_SMALL they are compiled for speed, and all others for size.
set(CAIRN_FAST_SOURCES
    core/labels/cut_labels.cpp
    core/labels/cut_labels_kernels.cpp
    grid/astar.cpp
    grid/bit_grid.cpp
    grid/jps.cpp
    grid/line.cpp
    grid/local_search.cpp
    grid/smooth.cpp
    haa/query_run.cpp
    haa/views.cpp
    hna/cluster_search.cpp
    hna/connect.cpp
    hna/hng.cpp
    hna/locate.cpp
    hna/path_tree.cpp
    hna/query_run.cpp
    hna/unpack.cpp
    hpa/connect.cpp
    hpa/query_run.cpp
    hpa/refine.cpp
    mesh/astar.cpp
    mesh/disc_string.cpp
    mesh/funnel.cpp
    mesh/locator.cpp
    mesh/shorten.cpp
    subgoal/connectors.cpp
    subgoal/engines.cpp
    subgoal/line_test.cpp
    subgoal/query_run.cpp
    subgoal/refine.cpp
    subgoal/search.cpp)
foreach(source IN LISTS CAIRN_FAST_SOURCES)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${source})
        message(FATAL_ERROR "cmake/FastSources.cmake: there is no src/${source}")
    endif()
endforeach()
