#pragma once
// The functions that the harness of the dynamic track calls, in C so that an entry may be a shared
// library of any language. The map begins as it was preprocessed, and then changes in rectangles
// between queries.
//
// This header stands in for the start kit's Entry.h, which takes its place where there is one
// (docs/gppc.md).

#include <cstdint>

extern "C" {

struct gppc_point {
    std::uint16_t x;
    std::uint16_t y;
};

/// A rectangle of cells at `pos`, or the whole map. Its cell (x, y) is bit y * width + x, counted
/// from the lowest bit of the first byte: 1 for a traversable cell.
struct gppc_patch {
    const std::uint8_t* bitarray;
    std::uint16_t width;
    std::uint16_t height;
    gppc_point pos;
};

struct gppc_path {
    const gppc_point* path;
    std::uint32_t length;     ///< in points; 0 if there is no path
    std::uint8_t incomplete;  ///< 1 if the next call gives more of the path
};

/// Saves the index of a map to a file.
void gppc_preprocess_init_map(gppc_patch init_map, const char* preprocess_filename);

/// Returns the `data` of the other functions. The harness keeps `active_map.bitarray` valid, and
/// equal to the current map at every call.
void* gppc_search_init(gppc_patch active_map, const char* preprocess_filename);

/// Tells the entry where the map has changed. The active map has the changes already.
void gppc_map_change(void* data, const gppc_patch* changes, std::uint32_t changes_length);

/// A shortest path, complete. The points are valid until the next call.
gppc_path gppc_get_path(void* data, gppc_point start, gppc_point goal);

void gppc_free_data(void* data);

const char* gppc_get_name();
}
