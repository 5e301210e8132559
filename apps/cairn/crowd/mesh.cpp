// The world of `cairn crowd` on meshes, for HNA*.

#include <cmath>
#include <optional>
#include <utility>

#include "cairn/mesh/planner.hpp"
#include "cairn/mesh/reachability.hpp"
#include "cairn/render/flow_picture.hpp"
#include "crowd/planner_world.hpp"

namespace cairn::app {
namespace {

using mesh::Mesh;
using mesh::Point;
using mesh::Polygon;

double length_between(const Point& a, const Point& b) {
    return std::hypot(double{b.x} - a.x, double{b.y} - a.y, double{b.z} - a.z);
}

Point point_between(const Point& a, const Point& b, double share) {
    const auto mix = [share](float from, float to) {
        return static_cast<float>(from + share * (double{to} - from));
    };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

class MeshWorld final : public PlannerWorld<hna::Planner> {
public:
    using PlannerWorld::PlannerWorld;

    const char* spot_word() const noexcept override { return "polygons"; }
    std::size_t num_spots() const noexcept override { return mesh().num_polygons(); }

    Status place_agents(std::span<Walker> walkers, int goals, CrowdRandom& random) override {
        const auto reachability = mesh::Reachability::build(mesh()).value();
        const std::uint32_t largest = reachability.largest();
        std::vector<Polygon> polygons;
        for (Polygon p = 0; p < mesh().num_polygons(); ++p) {
            if (!mesh().is_connection(p) && !mesh().blocked(p) &&
                reachability.component(p) == largest)
                polygons.push_back(p);
        }
        Status status = place_agents_on({std::move(polygons)}, walkers, goals, random);
        if (!status.ok()) return status;
        for (Walker& walker : walkers) walker.crossings = {{mesh().centre(walker.spot())}};
        return {};
    }

private:
    [[nodiscard]] const Mesh& mesh() const noexcept { return index().mesh(); }

    [[nodiscard]] bool passable(std::uint32_t /*kind*/, Spot polygon) const noexcept override {
        return !mesh().blocked(polygon);
    }
    [[nodiscard]] mesh::Request request_of(const Walker& walker) const override {
        return {{walker.spot(), position(walker)}, {walker.goal, mesh().centre(walker.goal)}};
    }
    [[nodiscard]] Result<Answers> find_by_astar(std::span<const mesh::Request> requests,
                                                std::span<const Walker> /*walkers*/,
                                                std::span<const std::uint32_t> /*chosen*/,
                                                const BuildControl& control) override {
        mesh::AstarQuery query;
        query.detail = mesh::Detail::corridor;
        query.limits.cancel = control.cancel;
        const double begin = now();
        Status status = astar_.find_paths(mesh(), requests, measured_, query, {}, control);
        const double seconds = now() - begin;
        if (!status.ok()) return tl::unexpected(std::move(status));
        return Answers{seconds, measured_.status, measured_.cost};
    }

    [[nodiscard]] Result<render::Drawing> draw(const render::Flow& flow,
                                               const std::string& title) const override {
        render::MeshPicture picture;
        picture.title = title;
        picture.layers.portals = false;
        return render::draw_flow(mesh(), flow, picture);
    }
    [[nodiscard]] render::Position drawn_at(const Walker& walker) const override {
        const Point at = position(walker);
        return {at.x, at.z};
    }

    /// Where an agent is, on the straight line between two crossings.
    [[nodiscard]] static Point position(const Walker& walker) {
        const Point& a = walker.crossings[walker.at].point;
        if (!walker.walking || walker.progress <= 0) return a;
        const Point& b = walker.crossings[walker.at + 1].point;
        const double length = length_between(a, b);
        return length <= walker.progress ? b : point_between(a, b, walker.progress / length);
    }

    void follow(Walker& walker, const mesh::Paths& paths, std::size_t number) override {
        const auto polygons = paths.polygons[number];
        const auto waypoints = paths.waypoints[number];
        const bool found =
            paths.status[number] == StatusCode::ok && waypoints.size() == polygons.size() + 1;
        const Point here = position(walker);
        if (found) {
            walker.spots.assign(polygons.begin(), polygons.end());
            walker.crossings.assign(waypoints.begin(), waypoints.end());
        } else {
            walker.spots = {walker.spot()};
            walker.crossings = {{here}};
        }
        walker.at = 0;
        walker.progress = 0;
        walker.walking = found;
        walker.lost = !found;
    }

    /// Whether the portal from polygon `at` of the path into the next one is open.
    [[nodiscard]] bool may_cross(const Walker& walker, std::size_t at) const {
        const mesh::Link link = walker.crossings[at + 1].link;
        return link < mesh().num_links() && mesh().polygon_of(link) == walker.spots[at] &&
               mesh().polygon_of(mesh::twin(link)) == walker.spots[at + 1] && mesh().open(link);
    }

    void advance(Walker& walker, double length, WalkCounts& sum) override {
        walker.progress += length;
        while (walker.walking) {
            const std::size_t at = walker.at;
            const bool last = at + 1 == walker.spots.size();
            const bool legal = last || may_cross(walker, at);
            const double step =
                length_between(walker.crossings[at].point, walker.crossings[at + 1].point);
            if (legal && walker.progress < step) return;
            sum.illegal += legal ? 0 : 1;
            if (last || !legal) {
                const Point here = position(walker);
                walker.spots = {walker.spot()};
                walker.crossings = {{here}};
                walker.at = 0;
                walker.walking = false;
                break;
            }
            walker.progress -= step;
            ++walker.at;
            ++sum.steps;
            ++passes_[walker.spot()];
        }
        walker.progress = 0;
    }

    void mark_taken(std::span<const Walker> walkers) override {
        taken_.assign(num_spots(), false);
        for (const Walker& walker : walkers) taken_[walker.spot()] = true;
        for (const Polygon goal : goals_.front()) taken_[goal] = true;
    }
    Result<std::optional<Drawn>> draw_edit(CrowdRandom& random) override {
        constexpr int kTries = 64;
        if (!blocked_.empty() && random() % 2 == 0) {
            std::swap(blocked_[random() % blocked_.size()], blocked_.back());
            const Polygon polygon = blocked_.back();
            blocked_.pop_back();
            return Drawn{{polygon, mesh().area(polygon), false}, true};
        }
        for (int i = 0; i < kTries; ++i) {
            const Polygon polygon = random_spot(0, random);
            if (taken_[polygon] || mesh().blocked(polygon)) continue;
            taken_[polygon] = true;
            blocked_.push_back(polygon);
            return Drawn{{polygon, mesh().area(polygon), true}, false};
        }
        return std::nullopt;
    }

    batch::Searcher<mesh::AstarPlanner> astar_;
    std::vector<bool> taken_;       // by polygon
    std::vector<Polygon> blocked_;  // by edits
};

}  // namespace

Result<std::unique_ptr<CrowdWorld>> make_world(const hna::Index& index,
                                               const CrowdControl& control) {
    return open_world<MeshWorld>(index, control);
}

}  // namespace cairn::app
