#include "cairn/cut_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "climb_query.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "cut_labels_kernels.hpp"
#include "cut_labels_query.hpp"

namespace cairn {

std::size_t CutLabelScratch::memory() const noexcept {
    return memory_of(least_, from_, to_, items_, segments_, goal_side_, sources_, visits_,
                     climb_least_, climb_trail_, start_places_, goal_places_, halves_);
}

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
    query.run<CutLabelQuery::kCostOnly>();
    return query.cost;
}

std::optional<Cost> CutLabels::quick_distance(std::span<const Connector> from,
                                              std::span<const Connector> to,
                                              Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (!query.run_if_quick<CutLabelQuery::kCostOnly>()) return std::nullopt;
    return query.cost;
}

bool CutLabels::is_quick(std::span<const Connector> from, std::span<const Connector> to,
                         Scratch& scratch) const {
    return CutLabelQuery(*this, from, to, scratch).is_quick();
}

Cost CutLabels::find_path(std::span<const Connector> from, std::span<const Connector> to,
                          Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_hops()) query.run<CutLabelQuery::kKeepWinner>();
    return query.take_path(nodes);
}

CutLabels::Meeting CutLabels::find_meeting(std::span<const Connector> from,
                                           std::span<const Connector> to, Scratch& scratch) const {
    CutLabelQuery query(*this, from, to, scratch);
    if (has_hops()) query.run<CutLabelQuery::kKeepWinner>();
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
    if (has_hops() && !query.run_if_quick<CutLabelQuery::kKeepWinner>()) return std::nullopt;
    return query.take_path(nodes);
}

Cost CutLabels::climb_distance(std::span<const Connector> from, std::span<const Connector> to,
                               Scratch& scratch) const {
    ClimbQuery query(*this, from, to, scratch);
    query.run<ClimbQuery::kCostOnly>();
    return query.cost;
}

Cost CutLabels::climb_path(std::span<const Connector> from, std::span<const Connector> to,
                           Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    ClimbQuery query(*this, from, to, scratch);
    query.run<ClimbQuery::kWithPath>();
    return query.take_path(nodes);
}

namespace {

tl::unexpected<Status> corrupt_labels(std::string_view fault) {
    return fail(StatusCode::corrupt_file, fmt::format("cut labels: {}", fault));
}

std::uint64_t closure_bytes(const CutLabelArrays& arrays) {
    return arrays.closure.size_bytes() + arrays.closure_costs.size_bytes() +
           arrays.closure_depths.size_bytes() + arrays.closure_middles.size_bytes();
}

/// What is wrong with a node's record; empty if queries can safely use it.
std::string_view node_fault(const CutLabelNode& node, const CutLabelArrays& arrays) {
    if (!arrays.entries.empty() &&
        (node.first > arrays.entries.size() || arrays.entries.size() - node.first < node.length)) {
        return "a label lies outside the entries";
    }
    if (node.group >= arrays.group_common.size()) return "a node's group is out of range";
    if (node.length == 0 || node.length > arrays.nodes.size()) return "a label's length is wrong";
    if (node.place >= arrays.nodes.size()) return "a node's place is out of range";
    if (!arrays.closure.empty() && node.length != arrays.closure[node.place].depth + 1U)
        return "a label is not as long as its node is deep";
    if (arrays.hops.empty()) return {};
    if (node.wide != CutLabelArrays::kNotWide &&
        (node.wide > arrays.wide_hops.size() ||
         arrays.wide_hops.size() - node.wide < node.length)) {
        return "a node's hops lie outside the wide hops";
    }
    return {};
}

/// What is wrong with the closure; empty if queries can safely use it.
std::string_view closure_fault(const CutLabelArrays& arrays) {
    constexpr std::size_t kPadding = CutLabelArrays::kClosurePadding;
    if (arrays.closure.empty()) return {};
    const std::size_t nodes = arrays.nodes.size();
    if (arrays.closure.size() != nodes) return "closure and nodes differ in number";
    if (arrays.closure_depths.size() != arrays.closure_costs.size() + kPadding ||
        arrays.closure_middles.size() < kPadding) {
        return "the closure's arrays have wrong sizes";
    }
    const std::size_t middles = arrays.closure_middles.size() - kPadding;
    for (std::size_t p = 0; p < nodes; ++p) {
        const CutLabelClosure& node = arrays.closure[p];
        if (node.node >= nodes) return "a place's node is out of range";
        const bool root = node.parent == CutLabelClosure::kNoParent;
        if (root ? node.depth != 0
                 : node.parent >= p || arrays.closure[node.parent].depth + 1U != node.depth) {
            return "a node's parent is wrong";
        }
        if (arrays.closure_costs.size() < node.length ||
            node.first > arrays.closure_costs.size() - node.length) {
            return "a row lies outside the closure";
        }
        const std::size_t begin = std::size_t{node.middles >> 2} * 4;
        const std::uint32_t width = node.middles & 3;
        if (width > 2 || begin > middles || middles - begin < std::size_t{node.length} << width)
            return "a row's middles lie outside the closure";
        const auto depths = arrays.closure_depths.subspan(node.first, node.length);
        if (!depths.empty() && depths.back() >= node.depth) return "a row is too deep";
        if (std::adjacent_find(depths.begin(), depths.end(), std::greater_equal<>()) !=
            depths.end()) {
            return "a row is not sorted";
        }
    }
    return {};
}

/// What is wrong with the arrays that serve paths; empty if queries can safely use them.
std::string_view path_fault(const CutLabelArrays& arrays) {
    const std::size_t nodes = arrays.nodes.size();
    if (arrays.hops.size() != arrays.entries.size()) return "hops and entries differ in number";
    if (arrays.places.size() != nodes) return "places and nodes differ in number";
    if (arrays.groups.size() != arrays.group_common.size()) return "group arrays differ in size";
    const auto out_of_range = [=](std::uint32_t number) { return number >= nodes; };
    if (std::any_of(arrays.head.begin(), arrays.head.end(), out_of_range)) {
        return "an edge's head is out of range";
    }
    for (const CutLabelPlace& place : arrays.places) {
        if (place.node >= nodes) return "a place's node is out of range";
        if (place.edges > arrays.head.size()) return "a node's edges lie outside the adjacency";
    }
    for (std::size_t g = 0; g < arrays.groups.size(); ++g) {
        const CutLabelGroup& group = arrays.groups[g];
        if (group.place >= nodes) return "a group's top is out of range";
        if (arrays.group_common[g] > 0 && group.parent >= g) return "a group lies above itself";
    }
    return {};
}

}  // namespace

Result<CutLabels> CutLabels::from_arrays(const CutLabelArrays& arrays,
                                         std::shared_ptr<const void> owner) noexcept try {
    if (arrays.nodes.size() > kMaxGraphNodes) return corrupt_labels("too many nodes");
    if (arrays.group_common.size() > arrays.nodes.size()) return corrupt_labels("too many groups");
    const std::size_t blocks =
        (arrays.group_common.size() + CutLabelArrays::kBlock - 1) / CutLabelArrays::kBlock;
    const auto rows = static_cast<std::size_t>(std::bit_width(blocks));
    if (arrays.block_common.size() != rows * blocks) {
        return corrupt_labels("the block table has a wrong size");
    }
    if (const std::string_view fault = closure_fault(arrays); !fault.empty())
        return corrupt_labels(fault);
    if (!arrays.hops.empty()) {
        if (const std::string_view fault = path_fault(arrays); !fault.empty())
            return corrupt_labels(fault);
    }
    for (const CutLabelNode& node : arrays.nodes) {
        if (const std::string_view fault = node_fault(node, arrays); !fault.empty())
            return corrupt_labels(fault);
    }
    CutLabels labels(arrays, std::move(owner));
    labels.label_bytes_ = labels.bytes() - closure_bytes(arrays);
    return labels;
} catch (...) {
    return out_of_memory();
}

namespace {

/// The bytes of the arrays that only paths by labels need.
std::uint64_t hop_bytes(const CutLabelArrays& arrays) {
    return arrays.hops.size_bytes() + arrays.wide_hops.size_bytes() + arrays.places.size_bytes() +
           arrays.head.size_bytes() + arrays.groups.size_bytes();
}

std::uint64_t tree_bytes(const CutLabelArrays& arrays) {
    return arrays.nodes.size_bytes() + arrays.group_common.size_bytes() +
           arrays.block_common.size_bytes();
}

}  // namespace

std::uint64_t CutLabels::bytes() const noexcept {
    return arrays_.entries.size_bytes() + hop_bytes(arrays_) + tree_bytes(arrays_) +
           closure_bytes(arrays_);
}

Result<CutLabels::Statistics> CutLabels::statistics() const noexcept try {
    Statistics out;
    out.entries = arrays_.entries.size();
    out.groups = static_cast<std::uint32_t>(arrays_.group_common.size());
    for (const CutLabelNode& node : arrays_.nodes) {
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
    out.mean_entries = mean_;
    out.label_bytes = arrays_.entries.size_bytes();
    out.closure_bytes = closure_bytes(arrays_);
    out.hop_bytes = hop_bytes(arrays_);
    out.tree_bytes = tree_bytes(arrays_);
    return out;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
