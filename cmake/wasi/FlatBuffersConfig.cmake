include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
cairn_header_only(flatbuffers::flatbuffers flatbuffers FLATBUFFERS_LOCALE_INDEPENDENT=0)
