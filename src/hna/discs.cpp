#include "cairn/hna/discs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cairn/mesh/astar.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/parallel_loop.hpp"
#include "core/sort_unique.hpp"
#include "hna/locate.hpp"
#include "hna/snapshot.hpp"
#include "mesh/endpoints.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::hna {

struct DiscData {
    mesh::Clearance clearance;
    std::vector<double> radii;          // ascending
    std::vector<Index> indexes;         // per radius
    std::vector<float> widths;          // of the portals that are closed to some, ascending
    std::vector<std::size_t> narrower;  // per radius: how many of them are closed to it

    [[nodiscard]] std::size_t closed(double radius) const noexcept {
        return static_cast<std::size_t>(std::lower_bound(widths.begin(), widths.end(), 2 * radius) -
                                        widths.begin());
    }
};

namespace {

constexpr std::size_t kMostClasses = 64;

Status check(std::span<const double> radii) {
    if (radii.empty() || radii.size() > kMostClasses)
        return {StatusCode::bad_option,
                fmt::format("{} radii: give 1 to {}", radii.size(), kMostClasses)};
    for (const double radius : radii) {
        if (!(radius > 0) || !std::isfinite(radius))
            return {StatusCode::bad_option, fmt::format("radius {}: give one above 0", radius)};
    }
    return {};
}

std::vector<float> limited_widths(const mesh::Mesh& mesh) {
    std::vector<float> widths = mesh.data().topology->widths;
    std::erase(widths, mesh::kNoLimit);
    sort_unique(widths);
    return widths;
}

// The place in the cut mesh of a place in the whole mesh; without a polygon if it has none there.
mesh::Place in_pieces(const mesh::Clearance& clearance, const mesh::Place& place) noexcept {
    return mesh::inside(clearance.whole(), place) ? clearance.place(place)
                                                  : mesh::Place{mesh::kNone, place.point};
}

// The same; a place without a polygon is located, and one too near to walls is moved.
mesh::Place placed(const DiscIndex& index, mesh::Place place, const DiscQuery& query) noexcept {
    const mesh::Clearance& clearance = index.clearance();
    place = index.located(place, query.reach);
    if (!mesh::inside(clearance.whole(), place)) return {mesh::kNone, place.point};
    return clearance.place(clearance.make_room(place, query.radius, query.reach).value_or(place));
}

mesh::Place origin(const mesh::Clearance& clearance, const mesh::Place& place) noexcept {
    const bool exists = place.polygon != mesh::kNone;
    return {exists ? clearance.origin(place.polygon) : mesh::kNone, place.point};
}

// As if nothing was found; the memory is kept.
void clear(DiscAnswer& answer) noexcept {
    answer.cost = kInfinity;
    answer.start = {};
    answer.goal = {};
    answer.engine = Engine::automatic;
    answer.links.clear();
    answer.polygons.clear();
    answer.waypoints.clear();
    answer.length = 0;
}

}  // namespace

Result<DiscIndex> DiscIndex::build(const mesh::Mesh& mesh, std::span<const double> radii,
                                   const Options& options, const BuildControl& control) noexcept
    try {
    if (Status status = check(radii); !status.ok()) return tl::unexpected(std::move(status));
    auto data = std::make_shared<DiscData>();
    data->radii.assign(radii.begin(), radii.end());
    sort_unique(data->radii);
    const auto classes = static_cast<double>(data->radii.size());
    auto clearance = mesh::Clearance::build(mesh, {.most_radius = data->radii.back()},
                                            part_of(control, 0, 0.5 / (classes + 0.5)));
    if (!clearance) return tl::unexpected(std::move(clearance.error()));
    data->clearance = std::move(*clearance);
    data->widths = limited_widths(data->clearance.mesh());
    for (std::size_t i = 0; i < data->radii.size(); ++i) {
        const double radius = data->radii[i];
        const double done = static_cast<double>(i) + 0.5;
        const BuildControl part =
            part_of(control, done / (classes + 0.5), (done + 1) / (classes + 0.5));
        auto made = [&]() -> Result<Index> {
            if (i > 0) return data->indexes.front().with_radius(radius, part);
            const auto cut = data->clearance.mesh().with_radius(radius);
            if (!cut) return tl::unexpected(cut.error());
            return Index::build(*cut, options, part);
        }();
        if (!made) return tl::unexpected(std::move(made.error()));
        data->indexes.push_back(std::move(*made));
        data->narrower.push_back(data->closed(radius));
    }
    return DiscIndex(std::move(data));
} catch (...) {
    return out_of_memory();
}

const mesh::Clearance& DiscIndex::clearance() const noexcept { return data_->clearance; }
std::span<const double> DiscIndex::radii() const noexcept { return data_->radii; }
const Index& DiscIndex::index(std::size_t i) const noexcept { return data_->indexes[i]; }

std::size_t DiscIndex::class_of(double radius) const noexcept {
    const auto& narrower = data_->narrower;
    const std::size_t closed = data_->closed(radius);
    const auto found = std::lower_bound(narrower.begin(), narrower.end(), closed);
    return found != narrower.end() && *found == closed
               ? static_cast<std::size_t>(found - narrower.begin())
               : narrower.size();
}

StatusCode DiscIndex::reachable(const mesh::Place& from, const mesh::Place& to,
                                double radius) const noexcept {
    const mesh::Clearance& clearance = data_->clearance;
    return clearance.reachable(in_pieces(clearance, from), in_pieces(clearance, to), radius);
}

StatusCode DiscIndex::widest(const mesh::Place& from, const mesh::Place& to,
                             double& radius) const noexcept {
    radius = 0;
    const mesh::Clearance& clearance = data_->clearance;
    const mesh::Place a = in_pieces(clearance, from);
    const mesh::Place b = in_pieces(clearance, to);
    StatusCode status = clearance.reachable(a, b, 0);
    if (status != StatusCode::ok) return status;
    const double most = data_->radii.back();
    const double room = std::min(clearance.clearance(a, most), clearance.clearance(b, most));
    status = clearance.reachable(a, b, room);
    if (status == StatusCode::ok) {
        radius = room;
        return status;
    }
    // Then a portal is in the way, and half the width of one is the answer.
    std::size_t open = 0;
    std::size_t shut = data_->closed(room);
    while (status != StatusCode::out_of_memory && open < shut) {
        const std::size_t middle = open + (shut - open) / 2;
        const double half = double{data_->widths[middle]} / 2;
        status = clearance.reachable(a, b, half);
        if (status == StatusCode::ok) {
            radius = half;
            open = middle + 1;
        } else {
            shut = middle;
        }
    }
    if (status != StatusCode::out_of_memory) return StatusCode::ok;
    radius = 0;
    return status;
}

mesh::Place DiscIndex::located(const mesh::Place& place, double reach) const noexcept {
    if (place.polygon != mesh::kNone) return place;
    mesh::Place out = place;
    const bool valid = reach >= 0 && reach <= kMaxReach;
    if (!valid || !locate_place(data_->indexes.front().snapshot(), reach, out))
        return {mesh::kNone, place.point};
    out.polygon = data_->clearance.origin(out.polygon);
    return out;
}

std::size_t DiscIndex::memory() const noexcept {
    const DiscData& d = *data_;
    std::size_t bytes = sizeof d + d.clearance.bytes() + memory_of(d.radii, d.widths, d.narrower);
    for (std::size_t i = 0; i < d.indexes.size(); ++i) {
        const auto statistics = d.indexes[i].statistics();
        if (!statistics) continue;
        if (i == 0) bytes += statistics->mesh_bytes + statistics->partition_bytes;
        bytes += statistics->bytes() - statistics->partition_bytes;
    }
    return bytes;
}

struct DiscSearcher::State {
    Searcher searcher;
    Answer answer;
    mesh::Astar astar;
    mesh::Path path;
    std::optional<mesh::Mesh> mesh;  // of the last radius without a class
    mesh::DiscString string;

    StatusCode search(const DiscIndex& index, const DiscQuery& query, const mesh::Place& start,
                      const mesh::Place& goal, DiscAnswer& out) {
        const bool corridor = query.detail > Detail::cost;
        const std::size_t i = index.class_of(query.radius);
        if (i < index.radii().size()) {
            Query q;
            q.start = start;
            q.goal = goal;
            q.detail = corridor ? Detail::corridor : Detail::cost;
            q.limits = query.limits;
            const StatusCode status = searcher.find(index.index(i), q, answer);
            out.cost = answer.cost;
            out.engine = answer.engine;
            out.links.assign(answer.links.begin(), answer.links.end());
            return status;
        }
        const mesh::Mesh& cut = index.clearance().mesh();
        if (!mesh || mesh->options().radius != query.radius ||
            mesh->data().topology != cut.data().topology) {
            auto made = cut.with_radius(query.radius);
            if (!made) return made.error().code;
            mesh = std::move(*made);
        }
        mesh::AstarOptions options;
        options.cost_only = !corridor;
        const StatusCode status = astar.find_path(*mesh, start, goal, path, options, query.limits);
        out.cost = path.cost;
        out.engine = Engine::astar;
        out.links.assign(path.links.begin(), path.links.end());
        return status;
    }
};

DiscSearcher::DiscSearcher() noexcept = default;
DiscSearcher::~DiscSearcher() = default;
DiscSearcher::DiscSearcher(DiscSearcher&&) noexcept = default;
DiscSearcher& DiscSearcher::operator=(DiscSearcher&&) noexcept = default;

StatusCode DiscSearcher::find(const DiscIndex& index, const DiscQuery& query,
                              DiscAnswer& answer) noexcept try {
    clear(answer);
    const mesh::Clearance& clearance = index.clearance();
    if (!(query.reach >= 0 && query.reach <= kMaxReach))
        return answer.status = StatusCode::bad_option;
    const mesh::Place start = placed(index, query.start, query);
    const mesh::Place goal = placed(index, query.goal, query);
    answer.start = origin(clearance, start);
    answer.goal = origin(clearance, goal);
    answer.status = clearance.reachable(start, goal, query.radius);
    if (answer.status != StatusCode::ok || query.detail == Detail::reachable) return answer.status;
    if (state_ == nullptr) state_ = std::make_unique<State>();
    answer.status = state_->search(index, query, start, goal, answer);
    if (answer.status != StatusCode::ok || query.detail <= Detail::cost) return answer.status;
    answer.polygons.push_back(answer.start.polygon);
    for (const mesh::Link link : answer.links) {
        const mesh::Polygon next = clearance.origin(clearance.mesh().polygon_of(mesh::twin(link)));
        if (next != answer.polygons.back()) answer.polygons.push_back(next);
    }
    if (query.detail != Detail::path) return answer.status;
    const StatusCode line =
        state_->string.pull(clearance, query.radius, start, goal, answer.links, answer.waypoints);
    if (line == StatusCode::out_of_memory) {
        clear(answer);
        return answer.status = line;
    }
    answer.length = mesh::length(std::span<const mesh::DiscWaypoint>(answer.waypoints));
    return answer.status;
} catch (...) {
    clear(answer);
    return answer.status = StatusCode::out_of_memory;
}

std::size_t DiscSearcher::memory() const noexcept {
    if (state_ == nullptr) return 0;
    return sizeof(State) + state_->searcher.memory() + state_->astar.memory() +
           state_->string.memory() + memory_of(state_->answer.links, state_->path.links);
}

}  // namespace cairn::hna
