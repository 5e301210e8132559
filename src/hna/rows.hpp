#pragma once
// The rows of a cluster: from every portal in it, the cost to each of its inter-edges and the next
// link of the path. This is the paper's table of connecting paths (PCCP, section 5.1), with portals
// instead of polygon centres, which removes the error in length (figure 7), and next hops instead
// of paths (section 7.1.1). Intra-edges are unpacked from it, too.
//
// Words of a record with p portals and b inter-edges, those of the cluster's overlay record:
//     p | b and the widths | portals (p) | costs: p rows of b | next links: b rows of p
// The portals of the inter-edges come first, in their order; the others follow, ascending. A next
// link is twice the portal's place in this record and the side; at the inter-edge itself and where
// there is no path it is 0. Costs take 16 bits where they fit, next links 8, 16 or 32. A path to an
// inter-edge stays in one row of next links: mostly one cache line.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/host_device.hpp"

namespace cairn::hna {

class RowsView {
public:
    CAIRN_HOST_DEVICE explicit RowsView(std::span<const std::uint32_t> record) noexcept {
        if (record.empty()) return;
        portals_ = record[0];
        borders_ = record[1] & kCount;
        narrow_ = (record[1] & kNarrow) != 0;
        hop_bytes_ = record[1] >> kHopBytesAt;
        const std::size_t cells = std::size_t{portals_} * borders_;
        words_ = record.data() + 2;
        costs_ = words_ + portals_;
        hops_ = costs_ + (narrow_ ? (cells + 1) / 2 : cells);
    }

    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t portals() const noexcept { return portals_; }
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t borders() const noexcept { return borders_; }

    [[nodiscard]] CAIRN_HOST_DEVICE mesh::Portal portal(std::uint32_t place) const noexcept {
        return words_[place];
    }
    /// The cost from a portal to an inter-edge; kInfinity if there is no path inside the cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost cost(std::uint32_t place,
                                              std::uint32_t border) const noexcept {
        const std::size_t i = std::size_t{place} * borders_ + border;
        if (!narrow_) return costs_[i];
        const Cost cost = load<std::uint16_t>(costs_, i);
        return cost == kNarrowInfinity ? kInfinity : cost;
    }
    /// Lowers least[border] to `offset` + the cost from a portal, for all inter-edges.
    void lower(std::uint32_t place, Cost offset, std::span<Cost> least) const noexcept {
        const std::size_t first = std::size_t{place} * borders_;
        for (std::uint32_t b = 0; b < borders_; ++b) {
            const Cost cost = narrow_ ? load<std::uint16_t>(costs_, first + b) : costs_[first + b];
            const Cost none = narrow_ ? kNarrowInfinity : kInfinity;
            least[b] = std::min(least[b], cost == none ? kInfinity : offset + cost);
        }
    }
    /// The next link as twice a portal's place and a side.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t hop(std::uint32_t place,
                                                      std::uint32_t border) const noexcept {
        const std::size_t i = std::size_t{border} * portals_ + place;
        if (hop_bytes_ == 1) return load<std::uint8_t>(hops_, i);
        return hop_bytes_ == 2 ? load<std::uint16_t>(hops_, i) : hops_[i];
    }
    /// Prefetches the memory of the first links from a portal to an inter-edge.
    void prefetch_path(std::uint32_t place, std::uint32_t border) const noexcept {
        const auto* const hops = reinterpret_cast<const unsigned char*>(hops_);
        __builtin_prefetch(hops + (std::size_t{border} * portals_ + place) * hop_bytes_);
        __builtin_prefetch(words_ + border);
    }
    /// Calls use(link) for the links from a portal to an inter-edge, that of the latter last: fewer
    /// than `portals()`. There must be a path. O(links).
    template <class Use>
    CAIRN_HOST_DEVICE void follow_path(std::uint32_t place, std::uint32_t border,
                                       Use&& use) const noexcept {
        if (hop_bytes_ == 1) return follow<std::uint8_t>(place, border, use);
        if (hop_bytes_ == 2) return follow<std::uint16_t>(place, border, use);
        follow<std::uint32_t>(place, border, use);
    }
    /// Writes those links and returns the end of what is written.
    mesh::Link* write_path(std::uint32_t place, std::uint32_t border,
                           mesh::Link* links) const noexcept;

    /// Whether a record that is not empty has as many words as its first ones say.
    [[nodiscard]] static bool well_sized(std::span<const std::uint32_t> record) noexcept;

    /// A record of `portals` (the inter-edges' first), `costs` portal by portal and `hops`
    /// inter-edge by inter-edge. Empty without inter-edges.
    [[nodiscard]] static std::vector<std::uint32_t> record(std::uint32_t borders,
                                                           std::span<const std::uint32_t> portals,
                                                           std::span<const Cost> costs,
                                                           std::span<const std::uint32_t> hops);

private:
    template <class Hop, class Use>
    CAIRN_HOST_DEVICE void follow(std::uint32_t place, std::uint32_t border,
                                  Use& use) const noexcept {
        const std::uint32_t* const words = hops_;
        const std::uint32_t* const portals = words_;
        const std::size_t row = std::size_t{border} * portals_;
        while (place != border) {
            const std::uint32_t hop = load<Hop>(words, row + place);
            place = hop / 2;
            use(mesh::Link{2 * portals[place] + hop % 2});
        }
    }

    static constexpr std::uint32_t kCount = 0x0fff'ffff;
    static constexpr std::uint32_t kNarrow = 0x1000'0000;
    static constexpr int kHopBytesAt = 29;
    static constexpr std::uint32_t kNarrowInfinity = 0xffff;

    /// Numbers in words are little-endian.
    template <class T>
    [[nodiscard]] CAIRN_HOST_DEVICE static T load(const std::uint32_t* words,
                                                  std::size_t i) noexcept {
        T value;
        std::memcpy(&value, reinterpret_cast<const unsigned char*>(words) + i * sizeof(T),
                    sizeof(T));
        return value;
    }

    std::uint32_t portals_ = 0;
    std::uint32_t borders_ = 0;
    bool narrow_ = false;
    std::uint32_t hop_bytes_ = 0;
    const std::uint32_t* words_ = nullptr;
    const std::uint32_t* costs_ = nullptr;
    const std::uint32_t* hops_ = nullptr;
};

}  // namespace cairn::hna
