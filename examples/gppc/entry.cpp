#if __has_include("Entry.h")
#include "Entry.h"  // the start kit's own
#else
#include "entry.hpp"
#endif

#include "planner.hpp"

namespace {

auto map_of(const std::vector<bool>& bits, int width, int height) {
    return gppc::make_map(width, height, std::vector<std::uint8_t>(bits.begin(), bits.end()));
}

}  // namespace

void PreprocessMap(const std::vector<bool>& bits, int width, int height,
                   const std::string& filename) {
    gppc::preprocess(map_of(bits, width, height), filename);
}

void PreprocessMap(std::vector<bool>& bits, int width, int height, const char* filename) {
    gppc::preprocess(map_of(bits, width, height), filename);
}

void* PrepareForSearch(const std::vector<bool>& bits, int width, int height,
                       const std::string& filename) {
    return gppc::Planner::open(map_of(bits, width, height), filename).release();
}

void* PrepareForSearch(std::vector<bool>& bits, int width, int height, const char* filename) {
    return gppc::Planner::open(map_of(bits, width, height), filename).release();
}

bool GetPath(void* data, xyLoc s, xyLoc g, std::vector<xyLoc>& path) {
    path.clear();
    if (data == nullptr) return true;
    auto& planner = *static_cast<gppc::Planner*>(data);
    gppc::to_points(planner.path({s.x, s.y}, {g.x, g.y}), planner.map().width(), path);
    return true;
}

// The kits of some years declare it as std::string, those of others as const char*.
decltype(GetName()) GetName() { return gppc::kName; }
