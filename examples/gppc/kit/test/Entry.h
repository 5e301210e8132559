#pragma once
// Stands in for the header of the classic start kit in tests: the declarations of 2023.

#include <cstdint>
#include <string>
#include <vector>

namespace GPPC {

struct xyLoc {
    std::int16_t x;
    std::int16_t y;
};

}  // namespace GPPC

typedef GPPC::xyLoc xyLoc;  // NOLINT(modernize-use-using): as in the kit

void PreprocessMap(const std::vector<bool>& bits, int width, int height,
                   const std::string& filename);
void* PrepareForSearch(const std::vector<bool>& bits, int width, int height,
                       const std::string& filename);
bool GetPath(void* data, xyLoc s, xyLoc g, std::vector<xyLoc>& path);
std::string GetName();
