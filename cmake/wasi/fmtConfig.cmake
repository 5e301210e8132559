include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
cairn_header_only(fmt::fmt fmt FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')
