// Any bytes as an array of NumPy give terrain and requests, or errors that name the file. What was
// read can be written and read again.

#include <cstdlib>

#include "cairn/formats/npy.hpp"

namespace {

using namespace cairn;
using namespace cairn::formats;

/// Whether an error is one of those that the header promises.
bool known(const Status& error) {
    return error.message.starts_with("fuzz.npy:") &&
           (error.code == StatusCode::corrupt_file || error.code == StatusCode::unsupported ||
            error.code == StatusCode::wrong_version || error.code == StatusCode::too_large);
}

void check_terrain(std::string_view bytes, ArrayCells cells) {
    const auto image = parse_npy_terrain(bytes, "fuzz.npy", {.cells = cells});
    if (!image) {
        if (!known(image.error())) std::abort();
        return;
    }
    if (image->terrain.size() !=
        static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height))
        std::abort();
    const auto written = format_npy(*image);
    if (!written) std::abort();
    const auto again = parse_npy_terrain(*written, "again");
    if (!again || again->width != image->width) std::abort();
    for (std::size_t i = 0; i < image->terrain.size(); ++i) {
        if ((again->terrain[i] == '@') != (image->terrain[i] == '@')) std::abort();
    }
}

void check_requests(std::string_view bytes) {
    const auto requests = parse_npy_requests(bytes, "fuzz.npy");
    if (!requests) {
        if (!known(requests.error())) std::abort();
        return;
    }
    std::vector<std::int32_t> numbers;
    for (const auto& [start, goal] : *requests)
        numbers.insert(numbers.end(), {start.x, start.y, goal.x, goal.y});
    const auto written = format_npy(std::span<const std::int32_t>(numbers), 4);
    if (!written || parse_npy_requests(*written, "again") != *requests) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const ArrayCells cells : {ArrayCells::free, ArrayCells::obstacles, ArrayCells::weights})
        check_terrain(bytes, cells);
    check_requests(bytes);
    return 0;
}
