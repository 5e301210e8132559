#pragma once
// Arrays of NumPy in files (.npy): maps and requests in, maps and rows of numbers out.
//
// Versions 1.0, 2.0 and 3.0 of the format are read, in either byte order, by rows (C) or by columns
// (Fortran). Elements are bool or integers of 1, 2, 4 or 8 bytes; for requests on meshes also
// floating-point numbers of 4 or 8 bytes. Readers take the bytes and a name that stands for the
// file in messages. Memory grows with the bytes, not with the sizes in the header. All functions
// are thread-safe and take linear time.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/raster.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/grid/terrain_image.hpp"
#include "cairn/parts.hpp"
#include "cairn/status.hpp"

#if CAIRN_HAS_MESH
#include "cairn/mesh/paths.hpp"
#endif

namespace cairn::formats {

/// The terrain of a two-dimensional array: row y and column x are the cell (x, y). `limits.cells`
/// says what the numbers mean. Errors: corrupt_file; wrong_version; unsupported (other
/// elements or dimensions; a weight above 9); too_large (a side above grid::Map::kMaxSide, or more
/// cells than limits.max_pixels).
[[nodiscard]] Result<TerrainImage> parse_npy_terrain(std::string_view bytes, std::string_view name,
                                                     const PictureLimits& limits = {}) noexcept;

/// The cells that are free ('.', 'G', 'S' and the digits '1' to '9') as true in an array of bool,
/// height x width. Errors: bad_option (sides out of range, or a vector of another size).
[[nodiscard]] Result<std::string> format_npy(const TerrainImage& image) noexcept;
/// Writes format_npy's bytes atomically. Further errors: io_error.
[[nodiscard]] Status write_npy(const std::string& path, const TerrainImage& image) noexcept;

/// Requests between cells: an array n x 4 of integers; a row is start x, start y, goal x, goal y.
/// Whether they lie on a map is checked by queries. Errors: corrupt_file (also a number beyond
/// int32); wrong_version; unsupported (other elements or dimensions).
[[nodiscard]] Result<std::vector<grid::Request>> parse_npy_requests(std::string_view bytes,
                                                                    std::string_view name) noexcept;
/// parse_npy_requests of a file. Further errors: io_error; too_large (more than 1 GiB).
[[nodiscard]] Result<std::vector<grid::Request>> load_npy_requests(
    const std::string& path) noexcept;

/// The requests of a file, read slice by slice, so that there may be more than memory holds. Those
/// on grids (`Request` is grid::Request) are as for parse_npy_requests. Those on meshes
/// (mesh::Request, if the build has meshes) are an array n x 6 of numbers; a row is start x, y, z,
/// goal x, y, z, and the polygons are still to be located. The file stays mapped and must not be
/// truncated meanwhile. Const members may be called from any number of threads.
template <class Request>
class NpyRequests {
public:
    /// Reads the header. Errors: io_error; corrupt_file; wrong_version; unsupported (other elements
    /// or dimensions); out_of_memory. O(1).
    [[nodiscard]] static Result<NpyRequests> open(const std::string& path) noexcept;

    NpyRequests(NpyRequests&&) noexcept;
    NpyRequests& operator=(NpyRequests&&) noexcept;
    ~NpyRequests();

    /// The number of requests.
    [[nodiscard]] std::uint64_t size() const noexcept;
    /// Sets `requests` to those from number `first` on; first + requests.size() is at most size().
    /// Errors: corrupt_file (a number beyond int32 on a grid); out_of_memory, for the message.
    /// Linear in `requests`.
    [[nodiscard]] Status read(std::uint64_t first, std::span<Request> requests) const noexcept;

private:
    struct File;
    explicit NpyRequests(std::unique_ptr<const File> file) noexcept;
    std::unique_ptr<const File> file_;
};

/// Numbers by rows as an array of int32 or float64, rows x `columns`, in version 1.0, by rows, with
/// the least byte first. Errors: bad_option (`columns` is 0, or the numbers fill no whole rows).
[[nodiscard]] Result<std::string> format_npy(std::span<const std::int32_t> numbers,
                                             std::size_t columns) noexcept;
[[nodiscard]] Result<std::string> format_npy(std::span<const double> numbers,
                                             std::size_t columns) noexcept;

}  // namespace cairn::formats
