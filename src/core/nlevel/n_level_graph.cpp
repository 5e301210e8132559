#include "cairn/n_level_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/guarded.hpp"
#include "core/nlevel/n_level_search.hpp"

namespace cairn {
namespace {

tl::unexpected<Status> corrupt_levels(std::string_view fault) {
    return fail(StatusCode::corrupt_file, fmt::format("n-level graph: {}", fault));
}

/// What is wrong with a vertex's record; empty if queries can safely use it.
std::string_view vertex_fault(const NLevelArrays& arrays, std::uint32_t v,
                              std::uint32_t num_levels) {
    const std::uint32_t level = arrays.levels[v];
    const NLevelVertex row = arrays.vertices[v];
    const std::uint32_t end = arrays.vertices[v + 1].first;
    if (level == 0) return "a vertex has no level";
    if (row.first > row.lateral || row.lateral > end || end > arrays.arcs.size()) {
        return "a vertex's arcs lie outside the arcs";
    }
    const bool core = level == num_levels;
    if (core && row.lateral != end) return "a vertex of the core has lateral arcs";
    for (std::uint32_t e = row.first; e < end; ++e) {
        const auto [head, weight] = arrays.arcs[e];
        if (head >= arrays.levels.size()) return "an arc's head is out of range";
        if (weight >= kInfinity) return "an arc's weight is out of range";
        const std::uint32_t head_level = arrays.levels[head];
        const bool same_level = core || e >= row.lateral;
        const bool fits = same_level ? head_level == level : head_level > level;
        if (!fits) return "an arc leads to a wrong level";
    }
    return {};
}

}  // namespace

Result<NLevelGraph> NLevelGraph::from_arrays(const NLevelArrays& arrays,
                                             std::shared_ptr<const void> owner) noexcept try {
    const std::size_t count = arrays.levels.size();
    if (count > kMaxGraphNodes || arrays.arcs.size() > kMaxGraphArcs) {
        return corrupt_levels("too many vertices or arcs");
    }
    if (count == 0) {
        if (arrays.vertices.size() > 1 || !arrays.arcs.empty())
            return corrupt_levels("arcs of no vertex");
        return NLevelGraph(arrays, std::move(owner), 1);
    }
    if (arrays.vertices.size() != count + 1) {
        return corrupt_levels("the numbers of vertices and levels do not match");
    }
    const std::uint32_t num_levels = *std::max_element(arrays.levels.begin(), arrays.levels.end());
    for (std::uint32_t v = 0; v < count; ++v) {
        const std::string_view fault = vertex_fault(arrays, v, num_levels);
        if (!fault.empty()) return corrupt_levels(fault);
    }
    return NLevelGraph(arrays, std::move(owner), num_levels);
} catch (...) {
    return out_of_memory();
}

std::uint64_t NLevelGraph::bytes() const noexcept {
    return arrays_.vertices.size_bytes() + arrays_.levels.size_bytes() + arrays_.arcs.size_bytes();
}

Result<NLevelGraph::Statistics> NLevelGraph::statistics() const noexcept try {
    Statistics out;
    out.levels.resize(num_levels_);
    std::vector<std::uint64_t> arcs(num_levels_, 0);  // of edges stored at both ends
    for (std::uint32_t v = 0; v < num_nodes(); ++v) {
        Statistics::Level& level = out.levels[this->level(v) - 1U];
        ++level.vertices;
        const std::uint64_t rising = rising_arcs(v).size();
        (in_core(v) ? arcs[num_levels_ - 1] : level.edges) += rising;
        arcs[this->level(v) - 1U] += lateral_arcs(v).size();
    }
    for (std::size_t i = 0; i < out.levels.size(); ++i) {
        out.levels[i].edges += arcs[i] / 2;
        out.edges += out.levels[i].edges;
    }
    out.extra_edges = arrays_.extra_edges;
    out.bytes = bytes();
    return out;
} catch (...) {
    return out_of_memory();
}

Cost NLevelGraph::edge(std::uint32_t a, std::uint32_t b) const noexcept {
    Cost least = kInfinity;
    const auto look_up = [&](std::uint32_t from, std::uint32_t to) {
        for (const auto arcs : {rising_arcs(from), lateral_arcs(from)}) {
            for (const NLevelArc& arc : arcs) {
                if (arc.head == to) least = std::min(least, arc.weight);
            }
        }
    };
    look_up(a, b);
    if (level(b) < level(a)) look_up(b, a);
    return least;
}

NLevelScratch::NLevelScratch() : search_(std::make_unique<NLevelSearch>()) {}
NLevelScratch::~NLevelScratch() = default;
NLevelScratch::NLevelScratch(NLevelScratch&&) noexcept = default;
NLevelScratch& NLevelScratch::operator=(NLevelScratch&&) noexcept = default;

Cost NLevelGraph::distance(std::span<const Connector> from, std::span<const Connector> to,
                           Scratch& scratch) const {
    return scratch.search_->run(*this, from, to, kInfinity, NoHeuristic{});
}

Cost NLevelGraph::find_path(std::span<const Connector> from, std::span<const Connector> to,
                            Scratch& scratch, std::vector<std::uint32_t>& nodes) const {
    const Cost cost = distance(from, to, scratch);
    scratch.search_->path(nodes);
    return cost;
}

}  // namespace cairn
