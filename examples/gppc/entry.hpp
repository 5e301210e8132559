#pragma once
// The functions that the harness of the classic track calls: Grid-based Path Planning Competition,
// N. Sturtevant, J. Traish, J. Tulip, T. Uras, S. Koenig, B. Strasser, A. Botea, D. Harabor,
// S. Rabin, "The Grid-Based Path Planning Competition: 2014 Entries and Results", SoCS 2015.
//
// This header stands in for the start kit's Entry.h, which takes its place where there is one
// (docs/gppc.md). It declares the functions as the kit of 2023 does, and those that took other
// arguments from 2012 to 2014.

#include <cstdint>
#include <string>
#include <vector>

struct xyLoc {
    std::int16_t x;
    std::int16_t y;
};

/// Saves the index of a map to `filename`. `bits` holds the cells row by row, true if traversable.
void PreprocessMap(const std::vector<bool>& bits, int width, int height,
                   const std::string& filename);
void PreprocessMap(std::vector<bool>& bits, int width, int height, const char* filename);

/// Returns the `data` of GetPath. May be called in another run of the program than PreprocessMap.
void* PrepareForSearch(const std::vector<bool>& bits, int width, int height,
                       const std::string& filename);
void* PrepareForSearch(std::vector<bool>& bits, int width, int height, const char* filename);

/// Replaces `path` by every cell of a shortest path from `s` to `g`. It is empty if there is none,
/// or if `s` equals `g`. Returns true, as the path is complete: an entry that gives a path in
/// pieces returns false until the last piece.
bool GetPath(void* data, xyLoc s, xyLoc g, std::vector<xyLoc>& path);

std::string GetName();
