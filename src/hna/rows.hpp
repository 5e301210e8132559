#pragma once
// The rows of a cluster: from each of its portals, the cost to each of its inter-edges and the next
// hop of the path. This is the paper's table of connecting paths (PCCP, section 5.1), with portals
// instead of polygon centres, which removes the error in length (figure 7), and next hops instead
// of paths (section 7.1.1). Intra-edges are unpacked from it, too.
//
// Words of a record with p portals and b inter-edges:
//     p | b and the widths | portals (p) | costs: p rows of b | hops: b rows of p
// The portals of the inter-edges come first, by their slots in the cluster; the others follow,
// ascending. A portal's place is its index in this list, and the first b places are borders. A hop
// is the next link, as 2 * place of its portal + side. It is 0 at the inter-edge itself and where
// there is no path. Costs take 16 bits where all fit, hops 8, 16 or 32. The hops to one inter-edge
// are one row, often one cache line.

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

/// Reads a record, which must outlive it.
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

    /// The number of portals.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t portals() const noexcept { return portals_; }
    /// The number of inter-edges.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t borders() const noexcept { return borders_; }

    [[nodiscard]] CAIRN_HOST_DEVICE mesh::Portal portal(std::uint32_t place) const noexcept {
        return words_[place];
    }
    /// The cost from a place to a border; kInfinity if there is no path inside the cluster.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost cost(std::uint32_t place,
                                              std::uint32_t border) const noexcept {
        const std::size_t i = std::size_t{place} * borders_ + border;
        if (!narrow_) return costs_[i];
        const Cost cost = load<std::uint16_t>(costs_, i);
        return cost == kNarrowInfinity ? kInfinity : cost;
    }
    /// Lowers least[border] to `offset` + the cost from a place, if that is less, for all borders.
    void lower(std::uint32_t place, Cost offset, std::span<Cost> least) const noexcept {
        const std::size_t first = std::size_t{place} * borders_;
        for (std::uint32_t b = 0; b < borders_; ++b) {
            const Cost cost = narrow_ ? load<std::uint16_t>(costs_, first + b) : costs_[first + b];
            const Cost no_path = narrow_ ? kNarrowInfinity : kInfinity;
            least[b] = std::min(least[b], cost == no_path ? kInfinity : offset + cost);
        }
    }
    /// The hop at a place on the path to a border.
    [[nodiscard]] CAIRN_HOST_DEVICE std::uint32_t hop(std::uint32_t place,
                                                      std::uint32_t border) const noexcept {
        const std::size_t i = std::size_t{border} * portals_ + place;
        if (hop_bytes_ == 1) return load<std::uint8_t>(hops_, i);
        return hop_bytes_ == 2 ? load<std::uint16_t>(hops_, i) : hops_[i];
    }
    /// Prefetches what the first steps of follow_path read.
    void prefetch_path(std::uint32_t place, std::uint32_t border) const noexcept {
        const auto* const hops = reinterpret_cast<const unsigned char*>(hops_);
        __builtin_prefetch(hops + (std::size_t{border} * portals_ + place) * hop_bytes_);
        __builtin_prefetch(words_ + border);
    }
    /// Calls use(link) for the links of the path from a place to a border, fewer than `portals()`.
    /// The last one is the inter-edge's own. There must be a path. O(links).
    template <class Use>
    CAIRN_HOST_DEVICE void follow_path(std::uint32_t place, std::uint32_t border,
                                       Use&& use) const noexcept {
        if (hop_bytes_ == 1) return follow<std::uint8_t>(place, border, use);
        if (hop_bytes_ == 2) return follow<std::uint16_t>(place, border, use);
        follow<std::uint32_t>(place, border, use);
    }
    /// Writes the links of that path to `links`; returns the end of what it wrote.
    mesh::Link* write_path(std::uint32_t place, std::uint32_t border,
                           mesh::Link* links) const noexcept;

    /// Whether a record, which must not be empty, has as many words as its first two say.
    [[nodiscard]] static bool well_sized(std::span<const std::uint32_t> record) noexcept;

    /// Makes a record; empty without borders. The portals of the borders come first, `costs` are
    /// ordered by place, then by border, and `hops` by border, then by place.
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

    // The second word: the number of borders, a flag for narrow costs, the bytes of a hop.
    static constexpr std::uint32_t kCount = 0x0fff'ffff;
    static constexpr std::uint32_t kNarrow = 0x1000'0000;
    static constexpr int kHopBytesAt = 29;
    static constexpr std::uint32_t kNarrowInfinity = 0xffff;

    /// The i-th number of type T. Numbers fill words from the low bits (little-endian).
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
    const std::uint32_t* words_ = nullptr;  // portals
    const std::uint32_t* costs_ = nullptr;
    const std::uint32_t* hops_ = nullptr;
};

}  // namespace cairn::hna
