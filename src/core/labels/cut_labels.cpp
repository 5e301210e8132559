#include "cairn/cut_labels.hpp"

#include <algorithm>

#include "cut_labels_kernels.hpp"
#include "cut_labels_query.hpp"

namespace cairn {

Cost CutLabels::distance(std::uint32_t from, std::uint32_t to) const noexcept {
    const CutLabelNode& a = arrays_.nodes[from];
    const CutLabelNode& b = arrays_.nodes[to];
    const std::uint32_t common = std::min({shared_entries(arrays_, a, b), a.length, b.length});
    const Cost* const entries = arrays_.entries.data();
    return std::min(min_sum(entries + a.first, entries + b.first, common), kInfinity);
}

Cost CutLabels::distance(std::span<const Connector> from, std::span<const Connector> to,
                         Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    query.run<false>();
    return query.cost;
}

std::optional<Cost> CutLabels::quick_distance(std::span<const Connector> from,
                                              std::span<const Connector> to,
                                              Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (!query.run_if_quick<false>()) return std::nullopt;
    return query.cost;
}

Cost CutLabels::find_path(std::span<const Connector> from, std::span<const Connector> to,
                          Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_hops()) query.run<true>();
    return query.take_path(nodes);
}

CutLabels::Meeting CutLabels::find_meeting(std::span<const Connector> from,
                                           std::span<const Connector> to, Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_hops()) query.run<true>();
    return query.take_meeting();
}

bool CutLabels::find_path(const Meeting& meeting, std::span<const Connector> from,
                          std::span<const Connector> to, Scratch& scratch,
                          std::vector<std::uint32_t>& nodes) const {
    return CutLabelQuery(*this, from, to, scratch).write_path(meeting, nodes);
}

std::optional<Cost> CutLabels::quick_path(std::span<const Connector> from,
                                          std::span<const Connector> to, Scratch& scratch,
                                          std::vector<std::uint32_t>& nodes) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_hops() && !query.run_if_quick<true>()) return std::nullopt;
    return query.take_path(nodes);
}

}  // namespace cairn
