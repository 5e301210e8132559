#include "cairn/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "climb_query.hpp"
#include "closure_build.hpp"
#include "closure_view.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"

namespace cairn {

std::size_t ClosureScratch::memory() const noexcept {
    return memory_of(keys_, sources_, visits_, least_, trail_, start_places_, goal_places_,
                     halves_);
}

Cost Closure::distance(std::span<const Connector> from, std::span<const Connector> to,
                       Scratch& scratch) const {
    if (storage_ == nullptr) return kInfinity;
    ClimbQuery query(*storage_, from, to, scratch);
    query.run<ClimbQuery::kCostOnly>();
    return query.cost;
}

Cost Closure::find_path(std::span<const Connector> from, std::span<const Connector> to,
                        Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    nodes.clear();
    if (storage_ == nullptr) return kInfinity;
    ClimbQuery query(*storage_, from, to, scratch);
    query.run<ClimbQuery::kWithPath>();
    return query.take_path(nodes);
}

bool Closure::directed() const noexcept { return num_places() > 0 && storage_->directed; }
std::uint32_t Closure::num_nodes() const noexcept {
    return storage_ == nullptr ? 0 : static_cast<std::uint32_t>(storage_->places.size());
}
std::uint32_t Closure::num_places() const noexcept {
    return storage_ == nullptr ? 0 : storage_->num_places;
}
double Closure::wear() const noexcept {
    if (storage_ == nullptr || storage_->present == 0) return 1;
    const double fresh = storage_->fresh_mean();
    return fresh == 0 ? std::numeric_limits<double>::infinity()
                      : storage_->mean_ancestors() / fresh;
}

std::uint64_t Closure::num_edges() const noexcept {
    std::uint64_t edges = 0;
    for (std::uint32_t p = 0; p < num_places(); ++p) edges += ClosureView(*storage_).row(p).length;
    return edges;
}

std::uint64_t Closure::bytes() const noexcept {
    if (storage_ == nullptr) return 0;
    const std::uint64_t num_ways = storage_->directed ? 2 : 1;
    const ClosureView view(*storage_);
    std::uint64_t bytes =
        storage_->pages.size() * (sizeof(ClosurePage) + sizeof(std::shared_ptr<const void>)) +
        storage_->places.size() * sizeof(std::uint32_t);
    if (storage_->positions) bytes += storage_->positions->size() * sizeof(std::uint32_t);
    if (storage_->ranks) bytes += storage_->ranks->size() * sizeof(std::uint32_t);
    const std::uint16_t* depths = nullptr;  // of the rows before, which overlap
    std::uint32_t overlap = 0;
    for (std::uint32_t p = 0; p < view.num_places(); ++p) {
        const ClosureNode& node = view.node(p);
        const std::uint64_t way =
            node.length * sizeof(Cost) + (std::uint64_t{node.length} << (node.middles & 3));
        bytes += sizeof node + num_ways * way;
        const ClosureRow row = view.row(p);
        if (row.depth != std::exchange(depths, row.depth)) overlap = 0;
        if (row.length <= overlap) continue;
        bytes += (row.length - overlap) * sizeof(std::uint16_t);
        overlap = row.length;
    }
    return bytes;
}

bool Closure::in_pages() const noexcept {
    return storage_ != nullptr && storage_->num_places > 0 && storage_->arrays.nodes.empty();
}

const ClosureArrays& Closure::arrays() const noexcept {
    static constexpr ClosureArrays kEmpty;
    return storage_ == nullptr ? kEmpty : storage_->arrays;
}

Result<Closure> Closure::in_one_piece() const noexcept try {
    if (!in_pages()) return *this;
    const ClosureView view(*storage_);
    const auto flat = std::make_shared<FlatClosure>();
    flat->directed = storage_->directed;
    for (std::uint32_t v = 0; v < storage_->places.size(); ++v)
        flat->places.push_back(storage_->places[v]);
    for (std::uint32_t p = 0; p < view.num_places(); ++p) {
        const ClosureRow row = view.row(p);
        ClosureNode node = view.node(p);
        const std::uint32_t width = node.middles & 3;
        node.first = static_cast<std::uint32_t>(flat->costs.up.size());
        node.depths = flat->add_depths({row.depth, row.length});
        node.middles = static_cast<std::uint32_t>(flat->middles.up.size() / 4) << 2 | width;
        flat->nodes.push_back(node);
        for (const Way way : ways(flat->directed)) {
            const Cost* const costs = view.row(p, way).cost;
            flat->costs[way].insert(flat->costs[way].end(), costs, costs + row.length);
            append_bytes(view.middles(p, way), flat->middles[way]);
        }
    }
    flat->pad_depths();
    flat->pad_middles();
    if (storage_->ranks) flat->ranks = *storage_->ranks;
    ClosureArrays arrays = flat->arrays();
    arrays.fresh_nodes = storage_->fresh_present;
    arrays.fresh_ancestors = storage_->fresh_ancestors;
    return Closure(storage_of(arrays, flat));
} catch (...) {
    return out_of_memory();
}

Result<Closure> Closure::renumbered(std::span<const std::uint32_t> now,
                                    std::uint32_t num_nodes) const noexcept try {
    const auto wrong = [] {
        return fail(StatusCode::bad_option, "closure: the new numbers of nodes are wrong");
    };
    if (now.size() != this->num_nodes()) return wrong();
    if (storage_ == nullptr) return *this;
    /// The records of all places, and what they index.
    struct Renumbered {
        std::vector<ClosureNode> nodes;
        std::vector<std::uint32_t> places;
        std::shared_ptr<const Storage> rows;
    };
    const auto owner = std::make_shared<Renumbered>();
    owner->rows = storage_;
    const ClosureView view(*storage_);
    std::vector<std::uint32_t>& places = owner->places;
    places.resize(num_nodes, ClosureNode::kNone);
    for (std::uint32_t p = 0; p < view.num_places(); ++p) {
        ClosureNode node = view.node(p);
        if (node.node != ClosureNode::kNone) {
            node.node = now[node.node];
        }
        if (node.node != ClosureNode::kNone) {
            if (node.node >= num_nodes || places[node.node] != ClosureNode::kNone) return wrong();
            places[node.node] = p;
        }
        owner->nodes.push_back(node);
    }
    if (!storage_->arrays.nodes.empty()) {
        ClosureArrays arrays = storage_->arrays;
        arrays.nodes = owner->nodes;
        arrays.places = places;
        return Closure(storage_of(arrays, owner));
    }
    auto storage = std::make_shared<Storage>(*storage_);
    storage->ancestors = 0;
    storage->present = 0;
    for (const ClosureNode& node : owner->nodes) {
        if (node.node == ClosureNode::kNone) continue;
        storage->ancestors += node.depth + 1U;
        ++storage->present;
    }
    storage->places = PagedArray<std::uint32_t>(std::span<const std::uint32_t>(places));
    for (std::size_t i = 0; i < storage->pages.size(); ++i) {
        storage->pages[i].nodes = owner->nodes.data() + i * ClosurePage::kPlaces;
        storage->owners[i] = owner;
    }
    return Closure(std::move(storage));
} catch (...) {
    return out_of_memory();
}

namespace {

/// What is wrong with the record of a place; empty if queries can safely use it.
std::string_view node_fault(const ClosureArrays& arrays, std::uint32_t place) {
    const ClosureNode& node = arrays.nodes[place];
    const bool present = node.node != ClosureNode::kNone;
    if (present && (node.node >= arrays.places.size() || arrays.places[node.node] != place))
        return "a place's node is wrong";
    if (node.parent == ClosureNode::kNone
            ? node.depth != 0
            : node.parent >= arrays.nodes.size() ||
                  arrays.nodes[node.parent].depth + 1U != node.depth) {
        return "a place's parent is wrong";
    }
    if (arrays.costs.size() < node.length || node.first > arrays.costs.size() - node.length)
        return "a row lies outside the arrays";
    const std::size_t stored = arrays.directed
                                   ? std::min(arrays.middles.size(), arrays.down_middles.size())
                                   : arrays.middles.size();
    const std::size_t middles = stored - ClosureArrays::kPadding;
    const std::size_t begin = std::size_t{node.middles >> 2} * 4;
    const std::uint32_t width = node.middles & 3;
    if (width > 2 || begin > middles || middles - begin < std::size_t{node.length} << width)
        return "a row's middles lie outside the arrays";
    if (arrays.depths.size() - ClosureArrays::kPadding < node.length ||
        node.depths > arrays.depths.size() - ClosureArrays::kPadding - node.length)
        return "a row's depths lie outside the arrays";
    const auto depths = arrays.depths.subspan(node.depths, node.length);
    if (!depths.empty() && depths.back() >= node.depth) return "a row is too deep";
    if (std::adjacent_find(depths.begin(), depths.end(), std::greater_equal<>()) != depths.end())
        return "a row is not sorted";
    return {};
}

/// What is wrong with the arrays; empty if queries can safely use them.
std::string_view fault_of(const ClosureArrays& arrays) {
    constexpr std::size_t kPadding = ClosureArrays::kPadding;
    if (arrays.places.size() > kMaxGraphNodes || arrays.nodes.size() > kMaxGraphNodes)
        return "too many nodes";
    if (arrays.depths.size() < kPadding || arrays.middles.size() < kPadding) {
        return "the arrays have wrong sizes";
    }
    if (arrays.directed && (arrays.down_costs.size() != arrays.costs.size() ||
                            arrays.down_middles.size() < kPadding)) {
        return "the arrays have wrong sizes";
    }
    const auto too_high = [](Cost cost) { return cost > kInfinity; };
    if (std::ranges::any_of(arrays.costs, too_high) ||
        (arrays.directed && std::ranges::any_of(arrays.down_costs, too_high))) {
        return "a cost is above infinity";
    }
    if (!arrays.ranks.empty() && arrays.ranks.size() != arrays.nodes.size())
        return "the arrays have wrong sizes";
    for (std::uint32_t v = 0; v < arrays.places.size(); ++v) {
        const std::uint32_t place = arrays.places[v];
        if (place == ClosureNode::kNone) continue;
        if (place >= arrays.nodes.size() || arrays.nodes[place].node != v)
            return "a node's place is wrong";
    }
    for (std::uint32_t p = 0; p < arrays.nodes.size(); ++p) {
        if (const std::string_view fault = node_fault(arrays, p); !fault.empty()) return fault;
    }
    return {};
}

}  // namespace

Result<Closure> Closure::from_arrays(const ClosureArrays& arrays,
                                     const std::shared_ptr<const void>& owner) noexcept try {
    if (arrays.places.empty() && arrays.nodes.empty() && arrays.depths.empty()) return Closure();
    if (const std::string_view fault = fault_of(arrays); !fault.empty())
        return fail(StatusCode::corrupt_file, fmt::format("closure: {}", fault));
    return Closure(storage_of(arrays, owner));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
