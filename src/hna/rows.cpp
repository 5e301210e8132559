#include "hna/rows.hpp"

namespace cairn::hna {

using mesh::Link;

namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

[[nodiscard]] std::size_t words_for(std::size_t bytes) noexcept {
    return (bytes + kWord - 1) / kWord;
}

/// Appends numbers of the given width in bytes; the last word is padded with zeros.
void append(std::vector<std::uint32_t>& record, std::span<const std::uint32_t> numbers,
            std::size_t bytes) {
    const std::size_t first = record.size();
    record.resize(first + words_for(numbers.size() * bytes));
    const std::size_t per_word = kWord / bytes;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        record[first + i / per_word] |= numbers[i] << (i % per_word * bytes * 8);
}

/// The bytes that hold every hop of so many portals.
[[nodiscard]] std::uint32_t hop_bytes(std::size_t portals) noexcept {
    return 2 * portals <= 0x100 ? 1 : 2 * portals <= 0x1'0000 ? 2 : 4;
}

}  // namespace

std::vector<std::uint32_t> RowsView::record(std::uint32_t borders,
                                            std::span<const std::uint32_t> portals,
                                            std::span<const Cost> costs,
                                            std::span<const std::uint32_t> hops) {
    if (borders == 0) return {};
    const bool narrow = std::all_of(costs.begin(), costs.end(), [](Cost cost) {
        return cost < kNarrowInfinity || cost == kInfinity;
    });
    const std::uint32_t bytes = hop_bytes(portals.size());
    std::vector<std::uint32_t> record{static_cast<std::uint32_t>(portals.size()),
                                      borders | (narrow ? kNarrow : 0) | bytes << kHopBytesAt};
    record.insert(record.end(), portals.begin(), portals.end());
    if (narrow) {
        std::vector<std::uint32_t> shortened(costs.begin(), costs.end());
        for (std::uint32_t& cost : shortened) cost = std::min(cost, kNarrowInfinity);
        append(record, shortened, sizeof(std::uint16_t));
    } else {
        append(record, costs, sizeof(Cost));
    }
    append(record, hops, bytes);
    return record;
}

Link* RowsView::write_path(std::uint32_t place, std::uint32_t border, Link* links) const noexcept {
    follow_path(place, border, [&links](Link link) { *links++ = link; });
    return links;
}

bool RowsView::well_sized(std::span<const std::uint32_t> record) noexcept {
    if (record.size() < 2) return false;
    const std::uint64_t portals = record[0];
    const std::uint64_t borders = record[1] & kCount;
    const std::uint32_t bytes = record[1] >> kHopBytesAt;
    if (borders == 0 || borders > portals || bytes != hop_bytes(portals)) return false;
    const std::uint64_t cells = portals * borders;
    if (cells > record.size() * std::uint64_t{kWord}) return false;
    const std::size_t cost_bytes =
        (record[1] & kNarrow) != 0 ? sizeof(std::uint16_t) : sizeof(Cost);
    return record.size() == 2 + portals + words_for(cells * cost_bytes) + words_for(cells * bytes);
}

}  // namespace cairn::hna
