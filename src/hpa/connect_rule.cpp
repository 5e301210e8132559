#include "hpa/connect_rule.hpp"

#include <utility>

namespace cairn::hpa {

Endpoint& StartRule::apply(const Snapshot& snapshot, const Query& query, Engine engine,
                           Endpoint& start) {
    all_ = query.connect == ConnectRule::towards_goal ? &start : nullptr;
    if (query.connect == ConnectRule::all) return start;
    // The other engines cross a cluster from S in one step, straight to the node by which they
    // leave, and never use a node before it.
    if (query.connect == ConnectRule::sparse && engine != Engine::cut_labels) return start;
    kept_ = start;
    kept_.levels = 1;
    kept_.snapshot_id = 0;  // never taken for the start's full connections
    if (query.connect == ConnectRule::sparse) {
        leave_out_replaceable(snapshot, start);
    } else {
        leave_out_backward(snapshot, query);
    }
    return kept_;
}

Endpoint* StartRule::lift() noexcept { return std::exchange(all_, nullptr); }

// A node left out is reached through the one that replaces it, which is nearer to S and so may be
// left out itself only for a nearer one still.
void StartRule::leave_out_replaceable(const Snapshot& snapshot, const Endpoint& start) {
    const auto& all = start.costs[0];
    const ClusterView view = snapshot.overlay.cluster(1, kept_.clusters[0]);
    for (std::uint32_t slot = 0; slot < all.size(); ++slot) {
        for (std::uint32_t via = 0; via < all.size(); ++via) {
            if (all[via] < all[slot] && all[via] + view.cost(via, slot) == all[slot])
                kept_.costs[0][slot] = kInfinity;
        }
    }
}

void StartRule::leave_out_backward(const Snapshot& snapshot, const Query& query) {
    const Overlay& overlay = snapshot.overlay;
    const ClusterView view = overlay.cluster(1, kept_.clusters[0]);
    const int dx = query.goal.x - query.start.x;
    const int dy = query.goal.y - query.start.y;
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const grid::Point p = overlay.base.map.point(view.base(slot));
        if ((p.x - query.start.x) * dx + (p.y - query.start.y) * dy < 0)
            kept_.costs[0][slot] = kInfinity;
    }
}

}  // namespace cairn::hpa
