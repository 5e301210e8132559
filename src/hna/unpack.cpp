#include "hna/unpack.hpp"

#include <algorithm>

namespace cairn::hna {
namespace {

using mesh::kNone;
using mesh::Link;
using mesh::twin;

/// The portal of the cheapest path from an endpoint, the first of equals; beyond(link) is the cost
/// of the rest of the path.
template <class Beyond>
PortalCost cheapest(const Endpoint& end, Beyond&& beyond) {
    PortalCost best;
    for (const PortalCost& portal : end.portals) {
        const Cost rest = beyond(portal.link);
        if (rest < kInfinity && portal.cost + rest < best.cost)
            best = {portal.link, portal.cost + rest};
    }
    return best;
}

PortalCost cheapest_by_rows(const Endpoint& end, const RowsView& rows,
                            const std::vector<std::uint32_t>& places, std::uint32_t slot) {
    return cheapest(end, [&](Link link) { return rows.cost(places[link], slot); });
}

PortalCost cheapest_by_search(const Endpoint& end, const ClusterSearch& search) {
    return cheapest(end, [&](Link link) { return search.cost(mesh::portal_of(link)); });
}

/// An endpoint may lie on a portal, and the cheapest path over it may go on in the same polygon.
/// Then the portal is not crossed.
void drop_if_touched(const Snapshot& snapshot, std::vector<Link>& links, std::size_t first) {
    const mesh::MeshData& mesh = snapshot.mesh();
    if (links.size() > first + 1 &&
        mesh.polygon_of(links[first + 1]) == mesh.polygon_of(links[first])) {
        links.erase(links.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

/// Reverses the links appended since `first`, a walk to an inter-edge.
void turn_round(std::vector<Link>& links, std::size_t first) {
    const auto begin = links.begin() + static_cast<std::ptrdiff_t>(first);
    std::reverse(begin, links.end());
    std::transform(begin, links.end(), begin, twin);
}

}  // namespace

void Unpack::leave_start(const Snapshot& snapshot, int level, const Endpoint& start,
                         const Step& step, std::vector<Link>& links) {
    const std::uint32_t cluster = snapshot.partition().cluster(level, start.place.polygon);
    if (start.by_centre) {
        return snapshot.centre_rows_of(cluster).append(snapshot.mesh(), start.place.polygon,
                                                       step.exit_slot, step.exit, links);
    }
    const LevelRows& all = *snapshot.rows_of(level);
    const RowsView rows = all.to_borders(cluster);
    const PortalCost portal = cheapest_by_rows(start, rows, *all.places, step.exit_slot);
    if (portal.link == kNone) return;
    const std::size_t first = links.size();
    links.push_back(portal.link);
    append_written(write({rows, (*all.places)[portal.link], step.exit_slot}, 0), links);
    drop_if_touched(snapshot, links, first);
}

void Unpack::reach_goal(const Snapshot& snapshot, int level, const Step& step, const Endpoint& goal,
                        std::vector<Link>& links) {
    const ClusterView view = snapshot.overlay.cluster(level, step.cluster);
    if (goal.by_centre) {
        const std::size_t first = links.size();
        snapshot.centre_rows_of(step.cluster)
            .append(snapshot.mesh(), goal.place.polygon, step.entry_slot,
                    view.base(step.entry_slot), links);
        links.pop_back();
        return turn_round(links, first);
    }
    const LevelRows& all = *snapshot.rows_of(level);
    const RowsView rows = all.from_borders(step.cluster);
    const PortalCost portal = cheapest_by_rows(goal, rows, *all.places, step.entry_slot);
    // Where the inter-edge is the goal's own, it has been crossed.
    if (portal.link == kNone || (*all.places)[portal.link] == step.entry_slot) return;
    // The walk's last link is that of the inter-edge; the reversed walk crosses the goal's portal
    // instead.
    const std::size_t first = links.size();
    links.push_back(portal.link);
    append_written(write({rows, (*all.places)[portal.link], step.entry_slot}, 0), links);
    drop_if_touched(snapshot, links, first);
    links.pop_back();
    turn_round(links, first);
}

// The rows of all clusters are looked up before the first is read, so that their loads do not wait
// for each other.
void Unpack::list_walks(const LevelRows& rows, std::span<const Step> steps) {
    walks_.clear();
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const Step& entered = steps[i - 1];
        const Walk& walk = walks_.emplace_back(
            Walk{rows.to_borders(entered.cluster), entered.entry_slot, steps[i].exit_slot});
        walk.rows.prefetch_path(walk.place, walk.border);
    }
}

// Links are written to memory of their own, to which nothing else points.
std::size_t Unpack::write(const Walk& walk, std::size_t count) {
    if (count + walk.rows.portals() > written_.size())
        written_.resize(2 * count + walk.rows.portals());
    Link* const first = written_.data();
    return static_cast<std::size_t>(walk.rows.write_path(walk.place, walk.border, first + count) -
                                    first);
}

void Unpack::append_written(std::size_t count, std::vector<Link>& links) const {
    links.insert(links.end(), written_.begin(),
                 written_.begin() + static_cast<std::ptrdiff_t>(count));
}

void Unpack::append_walks(std::vector<Link>& links) {
    std::size_t count = 0;
    for (const Walk& walk : walks_) {
        count = write(walk, count);
        links_at_.push_back(static_cast<std::uint32_t>(links.size() + count));
    }
    append_written(count, links);
}

void Unpack::leave(const Snapshot& snapshot, int level, const Endpoint& start,
                   std::span<const Step> steps, std::vector<Link>& links) {
    list_walks(*snapshot.rows_of(level), steps);
    leave_start(snapshot, level, start, steps.front(), links);
    links_at_.assign(1, static_cast<std::uint32_t>(links.size()));
    append_walks(links);
}

void Unpack::run(const Snapshot& snapshot, int level, const Endpoint& start,
                 std::span<const Step> steps, const Endpoint& goal, std::vector<Link>& links) {
    leave(snapshot, level, start, steps, links);
    reach_goal(snapshot, level, steps.back(), goal, links);
}

Cost search_cost(const Endpoint& start, const ClusterSearch& search) {
    return cheapest_by_search(start, search).cost;
}

void unpack_search(const Snapshot& snapshot, const Endpoint& start, const ClusterSearch& search,
                   std::vector<Link>& links) {
    Link link = cheapest_by_search(start, search).link;
    const std::size_t first = links.size();
    for (; link != kNone; link = search.next(mesh::portal_of(link))) links.push_back(link);
    drop_if_touched(snapshot, links, first);
}

}  // namespace cairn::hna
