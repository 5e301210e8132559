#include "cairn/cut_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "cut_labels_kernels.hpp"
#include "cut_labels_query.hpp"
#include "label_pages.hpp"
#include "pieced_label_query.hpp"

namespace cairn {

std::size_t CutLabelScratch::memory() const noexcept {
    return memory_of(least_, from_, to_, keys_, items_, segments_, goal_side_) + pieces_.memory();
}

std::size_t PiecedLabelScratch::memory() const noexcept {
    const auto side = [](const Side& s) {
        return memory_of(s.portals, s.connectors, s.origins, s.places, s.labelled);
    };
    return climb_.memory() + side(from_) + side(to_) + memory_of(other_);
}

Cost CutLabels::distance(std::uint32_t from, std::uint32_t to) const noexcept {
    const CutLabelNode& a = arrays_.nodes[from];
    const CutLabelNode& b = arrays_.nodes[to];
    const std::uint32_t common = std::min({shared_entries(arrays_, a, b), a.length, b.length});
    const Pages* const pages = this->pages();
    const LabelEntries up(arrays_, pages, Way::up);
    const LabelEntries down(arrays_, pages, Way::down);
    return std::min(min_sum(up(a.first), down(b.first), common), kInfinity);
}

Cost CutLabels::distance(std::span<const Connector> from, std::span<const Connector> to,
                         Scratch& scratch) const {
    if (piece() > 0) return pieced_distance(from, to, scratch);
    CutLabelQuery query(*this, from, to, scratch);
    query.run<CutLabelQuery::kCostOnly>();
    return query.cost;
}

[[gnu::noinline]] Cost CutLabels::pieced_distance(std::span<const Connector> from,
                                                  std::span<const Connector> to,
                                                  Scratch& scratch) const {
    PiecedLabelQuery query(*this, from, to, scratch);
    query.run<ClimbQuery::kCostOnly>();
    return query.cost;
}

[[gnu::noinline]] Cost CutLabels::find_pieced_path(std::span<const Connector> from,
                                                   std::span<const Connector> to, Scratch& scratch,
                                                   std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    if (!has_paths()) return kInfinity;
    PiecedLabelQuery query(*this, from, to, scratch);
    query.run<ClimbQuery::kWithPath>();
    return query.take_path(nodes);
}

std::optional<Cost> CutLabels::quick_distance(std::span<const Connector> from,
                                              std::span<const Connector> to,
                                              Scratch& scratch) const {
    if (piece() > 0) return std::nullopt;
    CutLabelQuery query(*this, from, to, scratch);
    if (!query.run_if_quick<CutLabelQuery::kCostOnly>()) return std::nullopt;
    return query.cost;
}

Cost CutLabels::find_path(std::span<const Connector> from, std::span<const Connector> to,
                          Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    if (piece() > 0) return find_pieced_path(from, to, scratch, nodes);
    CutLabelQuery query(*this, from, to, scratch);
    if (has_paths()) query.run<CutLabelQuery::kKeepWinner>();
    return query.take_path(nodes);
}

CutLabels::Meeting CutLabels::find_meeting(std::span<const Connector> from,
                                           std::span<const Connector> to, Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_paths() && piece() == 0) query.run<CutLabelQuery::kKeepWinner>();
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
    if (piece() > 0) return std::nullopt;
    CutLabelQuery query(*this, from, to, scratch);
    if (has_paths() && !query.run_if_quick<CutLabelQuery::kKeepWinner>()) return std::nullopt;
    return query.take_path(nodes);
}

namespace {

/// The sum of bytes_of_way(labels) over the ways that labels keep.
template <class BytesOfWay>
std::uint64_t sum_of_ways(const CutLabelArrays& arrays, bool directed, BytesOfWay&& bytes_of_way) {
    return bytes_of_way(arrays.up) + (directed ? bytes_of_way(arrays.down) : 0);
}

std::uint64_t entry_bytes(const CutLabelArrays& arrays, bool directed) {
    return sum_of_ways(arrays, directed,
                       [](const CutLabelWay& way) { return way.entries.size_bytes(); });
}

/// The bytes of the hops, and of what is needed to follow them.
std::uint64_t hop_bytes(const CutLabelArrays& arrays, bool directed) {
    const std::uint64_t hops = sum_of_ways(arrays, directed, [](const CutLabelWay& way) {
        return way.hops.size_bytes() + way.wide_hops.size_bytes();
    });
    return hops + arrays.places.size_bytes() + arrays.head.size_bytes() +
           arrays.groups.size_bytes();
}

std::uint64_t tree_bytes(const CutLabelArrays& arrays) {
    return arrays.nodes.size_bytes() + arrays.group_common.size_bytes() +
           arrays.block_common.size_bytes();
}

}  // namespace

std::uint64_t bytes_of(const CutLabelArrays& arrays, bool directed) noexcept {
    return entry_bytes(arrays, directed) + hop_bytes(arrays, directed) + tree_bytes(arrays);
}

namespace {

tl::unexpected<Status> corrupt_labels(std::string_view fault) {
    return fail(StatusCode::corrupt_file, fmt::format("cut labels: {}", fault));
}

/// What is wrong with the record of node `v`; empty if queries can safely use it.
std::string_view node_fault(std::uint32_t v, const CutLabelArrays& arrays) {
    const CutLabelNode& node = arrays.nodes[v];
    const std::size_t entries = arrays.up.entries.size();
    if (node.first > entries || entries - node.first < node.length)
        return "a label lies outside the entries";
    if (node.length == 0 && node.place == CutLabelArrays::kNowhere && node.group == 0) return {};
    if (node.group >= arrays.group_common.size()) return "a node's group is out of range";
    if (arrays.places.empty()) return {};
    if (node.place >= arrays.places.size()) return "a node's place is out of range";
    if (node.length > 0 && arrays.places[node.place].node != v)
        return "a node's place has another node";
    if (node.wide != CutLabelArrays::kNotWide &&
        (node.wide > arrays.up.wide_hops.size() ||
         arrays.up.wide_hops.size() - node.wide < node.length)) {
        return "a node's hops lie outside the wide hops";
    }
    return {};
}

bool same_sizes(const CutLabelWay& a, const CutLabelWay& b) {
    return a.entries.size() == b.entries.size() && a.hops.size() == b.hops.size() &&
           a.wide_hops.size() == b.wide_hops.size();
}

/// What is wrong with the arrays that serve paths; empty if queries can safely use them.
std::string_view path_fault(const CutLabelArrays& arrays) {
    const std::size_t nodes = arrays.nodes.size();
    const std::size_t places = arrays.places.size();
    if (arrays.groups.size() != arrays.group_common.size()) return "group arrays differ in size";
    for (const CutLabelPlace& place : arrays.places) {
        if (place.node >= nodes && place.node != ClosureNode::kNone)
            return "a place's node is out of range";
        if (place.steps > arrays.head.size()) return "a node's steps lie outside the adjacency";
    }
    const auto is_empty = [&](std::uint32_t place) {
        return place >= places || arrays.places[place].node == ClosureNode::kNone;
    };
    if (std::any_of(arrays.head.begin(), arrays.head.end(), is_empty))
        return "an edge's head is out of range";
    for (std::size_t g = 0; g < arrays.groups.size(); ++g) {
        const CutLabelGroup& group = arrays.groups[g];
        if (group.place >= places) return "a group's top is out of range";
        if (arrays.group_common[g] > 0 && group.parent >= g) return "a group lies above itself";
    }
    return {};
}

}  // namespace

Result<CutLabels> CutLabels::from_arrays(Closure closure, const CutLabelArrays& arrays,
                                         std::shared_ptr<const void> owner) noexcept try {
    if (arrays.nodes.size() != closure.num_nodes())
        return corrupt_labels("labels and closure are of different graphs");
    if (closure.storage() == nullptr && arrays.piece > 0)
        return corrupt_labels("there are pieces but no nodes");
    if (arrays.group_common.size() > closure.num_places()) return corrupt_labels("too many groups");
    const std::size_t blocks =
        (arrays.group_common.size() + CutLabelArrays::kBlock - 1) / CutLabelArrays::kBlock;
    const auto rows = static_cast<std::size_t>(std::bit_width(blocks));
    if (arrays.block_common.size() != rows * blocks) {
        return corrupt_labels("the block table has a wrong size");
    }
    CutLabels labels(std::move(closure));
    labels.arrays_ = arrays;
    if (!labels.closure_.directed()) labels.arrays_.down = arrays.up;
    if (!same_sizes(labels.arrays_.up, labels.arrays_.down))
        return corrupt_labels("the labels up and down have different sizes");
    if (arrays.piece > 0 || !arrays.up.hops.empty()) {
        if (const std::string_view fault = path_fault(arrays); !fault.empty())
            return corrupt_labels(fault);
    }
    for (std::uint32_t v = 0; v < arrays.nodes.size(); ++v) {
        if (const std::string_view fault = node_fault(v, arrays); !fault.empty())
            return corrupt_labels(fault);
    }
    labels.owner_ = std::move(owner);
    labels.label_bytes_ = bytes_of(arrays, labels.closure_.directed());
    labels.with_hops_ = !arrays.up.hops.empty() || arrays.group_common.empty();
    return labels;
} catch (...) {
    return out_of_memory();
}

std::uint64_t CutLabels::bytes() const noexcept {
    if (has_labels()) return label_bytes_ + closure_.bytes();
    return (pages_ == nullptr ? 0 : pages_->bytes()) + closure_.bytes();
}

Result<CutLabels> CutLabels::in_one_piece() const noexcept {
    if (!in_pages()) return *this;
    return in_one_piece(closure_);
}

Result<CutLabels> CutLabels::in_one_piece(const Closure& renumbered) const noexcept {
    if (!has_labels()) return CutLabels(renumbered);
    CutLabelOptions options;
    options.piece = piece();
    options.max_bytes = std::numeric_limits<std::uint64_t>::max();
    BuildControl control;
    control.threads = 1;
    return build(renumbered, options, control);
}

Result<CutLabels::Statistics> CutLabels::statistics() const noexcept try {
    Statistics out;
    out.groups = static_cast<std::uint32_t>(arrays_.group_common.size());
    for (const CutLabelNode& node : arrays_.nodes) {
        if (node.length == 0) continue;
        out.entries += node.length;
        out.max_entries = std::max(out.max_entries, node.length);
        // A topmost group shares nothing with the group before it.
        if (arrays_.group_common[node.group] == 0) {
            out.root_separator = std::max(out.root_separator, node.length);
        }
    }
    // group_common of the groups from a root down to the current one: it rises along a path.
    std::vector<std::uint32_t> path;
    for (const std::uint32_t common : arrays_.group_common) {
        while (!path.empty() && path.back() >= common) path.pop_back();
        path.push_back(common);
        out.depth = std::max(out.depth, static_cast<std::uint32_t>(path.size()));
    }
    out.mean_entries = static_cast<double>(out.entries) / std::max(1U, num_nodes());
    out.hop_bytes = hop_bytes(arrays_, closure_.directed());
    out.label_bytes = label_bytes_ - out.hop_bytes - tree_bytes(arrays_);
    out.closure_bytes = closure_.bytes();
    out.tree_bytes = tree_bytes(arrays_);
    return out;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
