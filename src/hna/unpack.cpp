#include "hna/unpack.hpp"

#include <algorithm>

namespace cairn::hna {
namespace {

using mesh::kNone;
using mesh::Link;
using mesh::twin;

/// The first portal of the cheapest path from an endpoint; of several, the one listed first.
/// beyond(link) is the cost of the path after the portal.
template <class Beyond>
PortalCost cheapest(const Endpoint& end, Beyond&& beyond) {
    PortalCost best;
    for (const PortalCost& portal : end.portals) {
        const Cost after = beyond(portal.link);
        if (after < kInfinity && portal.cost + after < best.cost)
            best = {portal.link, portal.cost + after};
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

/// Drops links[first], an endpoint's portal, if the path only touches it: if the next link leaves
/// the same polygon. That happens where the endpoint lies on the portal.
void drop_if_touched(const Snapshot& snapshot, std::vector<Link>& links, std::size_t first) {
    const mesh::MeshData& mesh = snapshot.mesh();
    if (links.size() > first + 1 &&
        mesh.polygon_of(links[first + 1]) == mesh.polygon_of(links[first])) {
        links.erase(links.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

/// Reverses the path whose links are those from links[first] on.
void reverse_path(std::vector<Link>& links, std::size_t first) {
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
    const LevelRows& level_rows = *snapshot.rows_of(level);
    const RowsView rows = level_rows.to_borders(cluster);
    const PortalCost portal = cheapest_by_rows(start, rows, *level_rows.places, step.exit_slot);
    if (portal.link == kNone) return;
    const std::size_t first = links.size();
    links.push_back(portal.link);
    append_written(write({rows, (*level_rows.places)[portal.link], step.exit_slot}, 0), links);
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
        return reverse_path(links, first);
    }
    const LevelRows& level_rows = *snapshot.rows_of(level);
    const RowsView rows = level_rows.from_borders(step.cluster);
    const PortalCost portal = cheapest_by_rows(goal, rows, *level_rows.places, step.entry_slot);
    // If the goal's own portal is the inter-edge, the last step has crossed it already.
    if (portal.link == kNone || (*level_rows.places)[portal.link] == step.entry_slot) return;
    // The walk leads from the goal to the inter-edge, whose link ends it and is dropped. The links
    // before it, reversed, lead from the inter-edge to the goal.
    const std::size_t first = links.size();
    links.push_back(portal.link);
    append_written(write({rows, (*level_rows.places)[portal.link], step.entry_slot}, 0), links);
    drop_if_touched(snapshot, links, first);
    links.pop_back();
    reverse_path(links, first);
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

// written_ has room for any walk, so links are stored without a check each.
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

void Unpack::run_to_exit(const Snapshot& snapshot, int level, const Endpoint& start,
                         std::span<const Step> steps, std::vector<Link>& links) {
    list_walks(*snapshot.rows_of(level), steps);
    leave_start(snapshot, level, start, steps.front(), links);
    links_at_.assign(1, static_cast<std::uint32_t>(links.size()));
    append_walks(links);
}

void Unpack::run(const Snapshot& snapshot, int level, const Endpoint& start,
                 std::span<const Step> steps, const Endpoint& goal, std::vector<Link>& links) {
    run_to_exit(snapshot, level, start, steps, links);
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
