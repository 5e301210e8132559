// Stands in for the classic start kit's program in tests: `run MAP SCENARIO` preprocesses the map,
// solves the scenario's problems, and exits with 1 if a path is not legal or not as long as the
// scenario says. It uses nothing but Entry.h and the standard library.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "Entry.h"

namespace {

struct Bits {
    int width = 0;
    int height = 0;
    std::vector<bool> free;

    [[nodiscard]] bool is_free(int x, int y) const {
        return x >= 0 && y >= 0 && x < width && y < height &&
               free[static_cast<std::size_t>(y * width + x)];
    }
};

Bits read_map(const char* file) {
    std::ifstream in(file);
    std::string word;
    Bits bits;
    in >> word >> word >> word >> bits.height >> word >> bits.width >> word;
    for (int y = 0; y < bits.height && in >> word; ++y) {
        for (const char letter : word)
            bits.free.push_back(letter == '.' || letter == 'G' || letter == 'S');
    }
    return bits;
}

/// The length of a path from s to g; negative if it has other ends or an illegal step.
double length_of(const Bits& bits, const std::vector<xyLoc>& path, xyLoc s, xyLoc g) {
    if (path.empty()) return 0;
    const xyLoc first = path.front();
    const xyLoc last = path.back();
    if (first.x != s.x || first.y != s.y || last.x != g.x || last.y != g.y) return -1;
    double length = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const xyLoc a = path[i - 1];
        const xyLoc b = path[i];
        const int dx = std::abs(b.x - a.x);
        const int dy = std::abs(b.y - a.y);
        if (dx > 1 || dy > 1 || dx + dy == 0) return -1;
        if (!bits.is_free(b.x, b.y) || !bits.is_free(a.x, b.y) || !bits.is_free(b.x, a.y))
            return -1;
        length += std::sqrt(static_cast<double>(dx + dy));
    }
    return length;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const Bits bits = read_map(argv[1]);
    const std::string index = "index_data/" + GetName() + "-test";
    PreprocessMap(bits.free, bits.width, bits.height, index);
    if (!std::ifstream(index)) return std::puts("there is no index file"), 1;
    void* const data = PrepareForSearch(bits.free, bits.width, bits.height, index);

    std::ifstream in(argv[2]);
    std::string word;
    in >> word >> word;  // "version 1"
    int problems = 0;
    int wrong = 0;
    int bucket = 0;
    int number = 0;
    double length = 0;
    std::vector<xyLoc> path;
    for (xyLoc s{}, g{};
         in >> bucket >> word >> number >> number >> s.x >> s.y >> g.x >> g.y >> length;) {
        path.clear();
        while (!GetPath(data, s, g, path)) {
        }
        if (std::abs(length_of(bits, path, s, g) - length) > 1e-4 * (1 + length)) ++wrong;
        ++problems;
    }
    std::printf("%d problems, %d wrong paths\n", problems, wrong);
    return problems > 0 && wrong == 0 ? 0 : 1;
}
