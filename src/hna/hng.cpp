#include "hna/hng.hpp"

#include <cmath>
#include <utility>

#include "core/sort_unique.hpp"
#include "mesh/trace_points.hpp"

namespace cairn::hna {

using mesh::kNone;
using mesh::Link;
using mesh::Portal;
using mesh::portal_of;

Hng::Hng(const Overlay& overlay, int level) : level_(level) {
    const std::uint32_t clusters = overlay.base.clusters(level);
    std::vector<std::uint32_t> number_of(overlay.base.mesh.num_portals(), kNone);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(level, cluster).bases())
            number_of[portal_of(link)] = 0;  // its number follows
    }
    std::vector<Vertex> vertices;
    for (Portal portal = 0; portal < number_of.size(); ++portal) {
        if (number_of[portal] == kNone) continue;
        number_of[portal] = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back({portal, {}});
    }
    std::vector<std::vector<std::uint32_t>> numbers(clusters);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(level, cluster).bases()) {
            const std::uint32_t vertex = number_of[portal_of(link)];
            vertices[vertex].edge.cluster[link % 2] = cluster;
            vertices[vertex].edge.slot[link % 2] =
                static_cast<std::uint32_t>(numbers[cluster].size());
            numbers[cluster].push_back(vertex);
        }
    }
    numbers_ = RecordStore(numbers);
    vertices_ = PagedArray<Vertex>(std::span<const Vertex>(vertices));
    count_ = size();
}

Hng Hng::edited(const Overlay& before, const Overlay& after,
                std::span<const std::uint32_t> changed) const {
    using Numbered = std::pair<Portal, std::uint32_t>;
    Hng result = *this;
    result.numbers_.grow(after.base.clusters(level_));
    std::vector<std::uint32_t> renewed;  // clusters with other vertices than before
    std::vector<Numbered> old;           // their vertices before
    std::vector<Numbered> now;           // and after
    for (const std::uint32_t cluster : changed) {
        const auto bases = after.cluster(level_, cluster).bases();
        for (const Link link : bases) now.emplace_back(portal_of(link), kNone);
        if (cluster >= before.base.clusters(level_)) {
            renewed.push_back(cluster);
            continue;
        }
        const auto old_bases = before.cluster(level_, cluster).bases();
        for (std::size_t slot = 0; slot < old_bases.size(); ++slot)
            old.emplace_back(portal_of(old_bases[slot]), of(cluster)[slot]);
        if (!std::equal(old_bases.begin(), old_bases.end(), bases.begin(), bases.end()))
            renewed.push_back(cluster);
    }
    if (renewed.empty()) return result;
    sort_unique(old);
    sort_unique(now);

    PagedArray<Vertex>::Editor vertices(vertices_);
    auto was = old.begin();
    const auto remove_before = [&](Portal end) {
        for (; was != old.end() && was->first < end; ++was) vertices.set(was->second, {});
    };
    for (auto& [portal, number] : now) {
        remove_before(portal);
        if (was != old.end() && was->first == portal) {
            number = (was++)->second;
        } else {
            number = static_cast<std::uint32_t>(vertices.size());
            vertices.push_back({portal, {}});
        }
    }
    remove_before(kNone);
    std::vector<RecordStore::Change> numbers;
    for (const std::uint32_t cluster : renewed) {
        std::vector<std::uint32_t>& list = numbers.emplace_back(cluster, 0).second;
        for (const Link link : after.cluster(level_, cluster).bases()) {
            const std::uint32_t number =
                std::ranges::lower_bound(now, portal_of(link), {}, &Numbered::first)->second;
            Vertex vertex = vertices[number];
            vertex.edge.cluster[link % 2] = cluster;
            vertex.edge.slot[link % 2] = static_cast<std::uint32_t>(list.size());
            if (vertex.edge != vertices[number].edge) vertices.set(number, vertex);
            list.push_back(number);
        }
    }
    result.numbers_ = result.numbers_.with(numbers);
    result.vertices_ = vertices.take();
    result.count_ += static_cast<std::uint32_t>(now.size());
    result.count_ -= static_cast<std::uint32_t>(old.size());
    result.from_scratch_ = false;
    return result;
}

void Hng::list(std::uint32_t cluster, std::span<const Cost> costs,
               std::vector<Connector>& connectors) const {
    connectors.clear();
    const auto vertices = of(cluster);
    for (std::size_t slot = 0; slot < vertices.size(); ++slot) {
        if (costs[slot] < kInfinity) connectors.push_back({vertices[slot], costs[slot]});
    }
}

std::vector<NodePoint> Hng::points(const mesh::MeshData& mesh) const {
    const auto quantised = [&mesh](float coordinate) {
        constexpr double kMost = 1 << 30;
        return static_cast<std::int32_t>(
            std::clamp(std::floor(coordinate * mesh.units), -kMost, kMost));
    };
    std::vector<NodePoint> points(size());
    for (std::uint32_t vertex = 0; vertex < size(); ++vertex) {
        if (is_removed(vertex)) continue;
        const mesh::Point middle = mesh.midpoint(2 * portal(vertex));
        points[vertex] = {quantised(middle.x), quantised(middle.z)};
    }
    return points;
}

void HngSearch::reserve(const Hng& hng) {
    if (labels_.size() < hng.size()) {
        labels_.resize(hng.size());
        to_goal_.resize(hng.size());
    }
    stamp_ += Search::kNextStamp;
    if (stamp_ != 0) return;
    std::fill(labels_.begin(), labels_.end(), HngLabel{});
    stamp_ = Search::kNextStamp;
}

namespace {

// The names of vertices in a trace: their portals.
auto names(const HngGraph& graph) {
    return [&graph](std::uint32_t vertex) {
        return mesh::trace_node(graph.mesh(), graph.portal(vertex));
    };
}

}  // namespace

void HngSearch::begin(const HngGraph& graph, const mesh::MeshData& mesh, const Task& task,
                      TraceRecorder* trace) {
    reserve(graph.hng());
    graph_ = graph;
    trace_ = trace;
    astar_.begin(graph, {labels_.data(), to_goal_.data(), stamp_},
                 {task.anchor, mesh.least_factor, mesh.units}, task.bound);
    for (const Connector& c : task.to) astar_.add_goal(c.node, c.cost);
    with_observer(trace_, graph.hng().level(), names(graph_), [&](const auto& observer) {
        for (const Connector& c : task.from)
            astar_.add_start(graph.side_across(c.node, task.start_cluster), c.cost, observer);
    });
}

bool HngSearch::advance(std::uint64_t budget) {
    return with_observer(trace_, graph_.hng().level(), names(graph_),
                         [&](const auto& observer) { return astar_.advance(budget, observer); });
}

void HngSearch::record_end() const {
    if (trace_ == nullptr || astar_.last() == Search::kNoVertex) return;
    trace_->met(graph_.hng().level(), graph_.portal(astar_.last()), astar_.cost());
}

std::uint32_t HngSearch::stop_at_nearest() {
    const std::uint32_t side = astar_.stop_at_nearest();
    return side == Search::kNoVertex ? mesh::kNone : graph_.edge(side / 2).cluster[side % 2];
}

void HngSearch::find_path(std::vector<std::uint32_t>& path) const {
    path.clear();
    for (std::uint32_t v = astar_.last(); v != Search::kNoVertex; v = astar_.before(v))
        path.push_back(v);
    std::reverse(path.begin(), path.end());
}

}  // namespace cairn::hna
