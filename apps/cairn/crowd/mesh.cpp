#include <cmath>
#include <optional>
#include <utility>

#include "cairn/batch/batch.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/planner.hpp"
#include "cairn/mesh/reachability.hpp"
#include "cairn/render/flow_picture.hpp"
#include "crowd/device.hpp"
#include "crowd/index.hpp"
#include "crowd/planners.hpp"
#include "crowd/world.hpp"

namespace cairn::app {
namespace {

using mesh::Mesh;
using mesh::Point;
using mesh::Polygon;
using mesh::Waypoint;

constexpr int kTries = 64;

double length_between(const Point& a, const Point& b) {
    return std::hypot(double{b.x} - a.x, double{b.y} - a.y, double{b.z} - a.z);
}

Point part_of_way(const Point& a, const Point& b, double share) {
    const auto mix = [share](float from, float to) {
        return static_cast<float>(from + share * (double{to} - from));
    };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

class MeshWorld final : public CrowdWorld {
public:
    MeshWorld(const hna::Index& index, const CrowdControl& control)
        : index_(index, control.label_frames),
          control_(control),
          engines_(engine_ways<hna::Planner>(index)),
          ways_(engines_.begin(), engines_.end()),
          passes_(index.mesh().num_polygons()) {
        ways_.push_back({"A* for each agent"});
    }

    void use(std::unique_ptr<CrowdDevice<hna::Index, mesh::Request>> device) {
        device_ = std::move(device);
        ways_.insert(ways_.end() - 1, device_way());
    }

    const char* planner() const noexcept override { return "hna"; }
    const char* spot_word() const noexcept override { return "polygons"; }
    std::size_t spots() const noexcept override { return mesh().num_polygons(); }
    bool exact() const noexcept override { return true; }
    const std::vector<Way>& ways() const noexcept override { return ways_; }
    bool ready(std::size_t way) const noexcept override {
        return !ways_[way].waits || index_.closed();
    }

    Status settle(std::span<Walker> walkers, int goals, CrowdRandom& random) override {
        const auto reachability = mesh::Reachability::build(mesh());
        const std::uint32_t largest = reachability.largest();
        for (Polygon p = 0; p < mesh().num_polygons(); ++p) {
            if (!mesh().is_connection(p) && !mesh().blocked(p) &&
                reachability.component(p) == largest)
                places_.push_back(p);
        }
        if (places_.size() < 2)
            return {StatusCode::no_path, "no agent can go anywhere on this mesh: nothing to do"};
        for (int i = 0; i < goals; ++i) goals_.push_back(place(random));
        for (Walker& walker : walkers) {
            const Polygon polygon = place(random);
            walker.spots = {polygon};
            walker.crossings = {{mesh().centre(polygon)}};
            ++passes_[polygon];
            draw_goal(walker, random);
        }
        return {};
    }

    void draw_goal(Walker& walker, CrowdRandom& random) override {
        // With a single goal, an agent that has arrived leaves for a place of its own and returns.
        const bool own = goals_.empty() || (goals_.size() == 1 && goals_.front() == walker.spot());
        for (int i = 0; i < kTries; ++i) {
            walker.goal = own ? place(random) : goals_[random() % goals_.size()];
            if (walker.goal != walker.spot() && !mesh().blocked(walker.goal)) return;
        }
    }

    Result<Answers> ask(std::size_t way, std::span<Walker> walkers,
                        std::span<const std::uint32_t> who, bool take) override {
        std::vector<mesh::Request> requests;
        requests.reserve(who.size());
        for (const std::uint32_t i : who) {
            const Walker& walker = walkers[i];
            requests.push_back(
                {{walker.spot(), position(walker)}, {walker.goal, mesh().centre(walker.goal)}});
        }
        BuildControl control;
        control.cancel = control_.cancel;
        control.threads = control_.threads;
        if (ways_[way].on_device)
            return device_->ask(index_.get(), index_.version(), requests, control);
        mesh::AstarQuery astar;
        astar.limits.cancel = control_.cancel;
        const double begin = now();
        Status status = way + 1 == ways_.size()
                            ? astar_.find_paths(mesh(), requests, paths_, astar, {}, control)
                            : searcher_.find_paths(index_.get(), requests, paths_,
                                                   crowd_query<hna::Planner>(engines_[way].engine),
                                                   {}, control);
        const double seconds = now() - begin;
        if (!status.ok()) return tl::unexpected(std::move(status));
        if (take) {
            for (std::size_t i = 0; i < who.size(); ++i)
                send(walkers[who[i]], paths_.status[i], paths_.polygons[i], paths_.waypoints[i]);
        }
        return Answers{seconds, paths_.status, paths_.cost};
    }

    Walked walk(std::span<Walker> walkers, double length) override {
        Walked sum;
        for (Walker& walker : walkers) {
            if (walker.walks) go_on(walker, length, sum);
            sum.blocked += mesh().blocked(walker.spot()) ? 1 : 0;
        }
        return sum;
    }

    Status begin_frame(int frame) override { return index_.begin_frame(frame); }

    Status edit(int count, int frame, std::span<const Walker> walkers,
                CrowdRandom& random) override {
        std::vector<bool> taken(spots());
        for (const Walker& walker : walkers) taken[walker.spot()] = true;
        for (const Polygon goal : goals_) taken[goal] = true;
        Status status = index_.edit(count, [&] { return draw_edit(taken, random); });
        if (status.ok()) index_.close(frame);
        return status;
    }
    bool cut(Walker& walker) const override {
        if (!walker.walks) return false;
        for (std::size_t i = walker.at; i + 1 < walker.spots.size(); ++i) {
            if (!may_cross(walker, i)) return true;
        }
        return false;
    }
    const EditTimes& edit_times() const noexcept override { return index_.times(); }
    const DeviceTimes* device_times() const noexcept override {
        return device_ ? &device_->times() : nullptr;
    }

    Result<render::Drawing> draw_flow(const std::string& title) const override {
        render::MeshPicture picture;
        picture.title = title;
        picture.layers.portals = false;
        return render::draw_flow(mesh(), {passes_, {}}, picture);
    }
    Result<render::Drawing> draw_agents(std::span<const Walker> walkers,
                                        const std::string& title) const override {
        render::MeshPicture picture;
        picture.title = title;
        picture.layers.portals = false;
        render::Flow flow;
        flow.agents.reserve(walkers.size());
        for (const Walker& walker : walkers) {
            const Point at = position(walker);
            flow.agents.push_back({at.x, at.z});
        }
        return render::draw_flow(mesh(), flow, picture);
    }

private:
    using Drawn = DrawnEdit<mesh::PolygonEdit>;

    [[nodiscard]] const Mesh& mesh() const noexcept { return index_.get().mesh(); }
    [[nodiscard]] Polygon place(CrowdRandom& random) const {
        return places_[random() % places_.size()];
    }

    [[nodiscard]] static Point position(const Walker& walker) {
        const Point& a = walker.crossings[walker.at].point;
        if (!walker.walks || walker.done <= 0) return a;
        const Point& b = walker.crossings[walker.at + 1].point;
        const double length = length_between(a, b);
        return length <= walker.done ? b : part_of_way(a, b, walker.done / length);
    }

    static void send(Walker& walker, StatusCode status, std::span<const Polygon> polygons,
                     std::span<const Waypoint> waypoints) {
        const bool found = status == StatusCode::ok && waypoints.size() == polygons.size() + 1;
        const Point here = position(walker);
        if (found) {
            walker.spots.assign(polygons.begin(), polygons.end());
            walker.crossings.assign(waypoints.begin(), waypoints.end());
        } else {
            walker.spots = {walker.spot()};
            walker.crossings = {{here}};
        }
        walker.at = 0;
        walker.done = 0;
        walker.walks = found;
        walker.lost = !found;
    }

    /// Whether the portal from its polygon into the next one of its path is open.
    [[nodiscard]] bool may_cross(const Walker& walker, std::size_t at) const {
        const mesh::Link link = walker.crossings[at + 1].link;
        return link < mesh().num_links() && mesh().polygon_of(link) == walker.spots[at] &&
               mesh().polygon_of(mesh::twin(link)) == walker.spots[at + 1] && mesh().open(link);
    }

    void go_on(Walker& walker, double length, Walked& sum) {
        walker.done += length;
        while (walker.walks) {
            const std::size_t at = walker.at;
            const bool last = at + 1 == walker.spots.size();
            const bool legal = last || may_cross(walker, at);
            const double step =
                length_between(walker.crossings[at].point, walker.crossings[at + 1].point);
            if (legal && walker.done < step) return;
            sum.illegal += legal ? 0 : 1;
            if (last || !legal) {
                const Point here = position(walker);
                walker.spots = {walker.spot()};
                walker.crossings = {{here}};
                walker.at = 0;
                walker.walks = false;
                break;
            }
            walker.done -= step;
            ++walker.at;
            ++sum.steps;
            ++passes_[walker.spot()];
        }
        walker.done = 0;
    }

    /// Blocks a polygon, or frees one that was.
    [[nodiscard]] Result<std::optional<Drawn>> draw_edit(const std::vector<bool>& taken,
                                                         CrowdRandom& random) {
        if (!blocked_.empty() && random() % 2 == 0) {
            std::swap(blocked_[random() % blocked_.size()], blocked_.back());
            const Polygon polygon = blocked_.back();
            blocked_.pop_back();
            return Drawn{{polygon, mesh().area(polygon), false}, true};
        }
        for (int i = 0; i < kTries; ++i) {
            const Polygon polygon = place(random);
            if (taken[polygon] || mesh().blocked(polygon)) continue;
            blocked_.push_back(polygon);
            return Drawn{{polygon, mesh().area(polygon), true}, false};
        }
        return std::nullopt;
    }

    CrowdIndex<hna::Planner> index_;
    CrowdControl control_;
    std::vector<EngineWay<hna::Planner>> engines_;
    std::vector<Way> ways_;
    std::vector<Polygon> places_;  // the largest component
    std::vector<Polygon> goals_;   // shared goals
    std::vector<std::uint32_t> passes_;
    std::unique_ptr<CrowdDevice<hna::Index, mesh::Request>> device_;  // null if no device is used
    batch::Searcher<hna::Planner> searcher_;
    batch::Searcher<mesh::AstarPlanner> astar_;
    mesh::Paths paths_;
    std::vector<Polygon> blocked_;
};

}  // namespace

Result<std::unique_ptr<CrowdWorld>> make_world(const hna::Index& index,
                                               const CrowdControl& control) {
    auto world = std::make_unique<MeshWorld>(index, control);
    if (!control.device) return world;
    auto device = crowd_device<hna::Planner>(*control.device, index);
    if (!device) return tl::unexpected(std::move(device.error()));
    world->use(std::move(*device));
    return world;
}

}  // namespace cairn::app
