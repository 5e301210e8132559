include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
cairn_header_only(xxHash::xxHash xxhash.h XXH_INLINE_ALL)
