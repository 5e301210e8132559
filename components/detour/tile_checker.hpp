#pragma once
// Checks a tile's bytes before Detour reads them: dtNavMesh::addTile trusts its data.

#include <DetourNavMesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/status.hpp"
#include "detour/tile_layout.hpp"

namespace cairn::detour {

[[nodiscard]] inline Status corrupt(std::string message) {
    return {StatusCode::corrupt_file, std::move(message)};
}

/// The edges of a tile, for an estimate of Detour's work: to join two tiles, it compares each edge
/// of one tile at their common border with all edges of the other.
struct TileWork {
    std::uint64_t edges = 0;  ///< of all its polygons
    /// The edges at the tile's border to x + 1, y + 1, x - 1 and y - 1.
    std::array<std::uint64_t, 4> outer_edges{};
};

/// Checks all bytes of a tile. Messages name neither the file nor the tile. Linear time.
class TileChecker {
public:
    /// The tile must have at least the bytes of a header. `link_size`: as in TileLayout.
    TileChecker(std::string_view tile, std::size_t link_size)
        : tile_(tile), header_(item<dtMeshHeader>({}, 0)), layout_(header_, link_size) {}

    /// Errors: corrupt_file; wrong_version.
    Status check();
    [[nodiscard]] const dtMeshHeader& header() const noexcept { return header_; }
    [[nodiscard]] const TileLayout& layout() const noexcept { return layout_; }
    /// Valid after a check without error.
    [[nodiscard]] const TileWork& work() const noexcept { return work_; }

private:
    template <class T, class Number>
    T item(const TilePart& part, Number i) const noexcept {
        return item_at<T>(tile_, part, static_cast<std::uint64_t>(i));
    }
    [[nodiscard]] int num_ground() const { return header_.offMeshBase; }

    Status counts();
    [[nodiscard]] Status place() const;
    Status measures();
    Status vertices();
    Status polygons();
    Status polygon(int p);
    bool count_edge(int polygon, std::uint16_t neighbour);
    Status details();
    [[nodiscard]] Status triangles(int p, unsigned corners, const dtPolyDetail& detail) const;
    Status tree();
    Status connections();

    std::string_view tile_;
    dtMeshHeader header_;
    TileLayout layout_;
    TileWork work_;
    // The links that Detour makes at least: one per edge with a neighbour, two per connection.
    std::uint64_t links_ = 0;
};

}  // namespace cairn::detour
