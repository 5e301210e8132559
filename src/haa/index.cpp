#include "cairn/haa/index.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "core/guarded.hpp"
#include "core/parallel_loop.hpp"
#include "core/part_of_work.hpp"
#include "haa/annotated_cluster.hpp"
#include "haa/snapshot.hpp"
#include "haa/view_making.hpp"

namespace cairn::haa {
namespace {

// The view of an agent class, made if it does not exist.
Result<hpa::Index> view_of(const Snapshot& snapshot, std::uint32_t agent_class) {
    Views& views = *snapshot.views;
    if (auto view = views.find(agent_class)) return *view;
    const std::scoped_lock lock(views.making(agent_class));
    if (auto view = views.find(agent_class)) return *view;
    auto view = make_view(snapshot, agent_class);
    if (!view) return view;
    const bool complete = is_complete(*view, snapshot.options);
    return views.keep(agent_class, std::move(*view), complete);
}

Status complete_view(const Snapshot& snapshot, std::uint32_t agent_class,
                     const BuildControl& control) {
    auto view = view_of(snapshot, agent_class);
    if (!view) return view.error();
    if (is_complete(*view, snapshot.options)) return {};
    auto complete = completed(*view, snapshot.options, control);
    if (!complete) return complete.error();
    snapshot.views->keep(agent_class, std::move(*complete), true);
    return {};
}

}  // namespace

const AnnotatedMap& Index::map() const noexcept { return snapshot_->map; }
const Options& Index::options() const noexcept { return snapshot_->options; }
std::uint64_t Index::snapshot_id() const noexcept { return snapshot_->id; }

Result<hpa::Index> Index::view(Agent agent) const {
    if (Status s = check(map(), agent); !s.ok()) return tl::unexpected(std::move(s));
    return guarded([&] { return view_of(*snapshot_, map().class_of(agent)); });
}

Result<Index> Index::with_labels(std::span<const Agent> agents, const BuildControl& control) const {
    return guarded([&]() -> Result<Index> {
        if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
        for (const Agent agent : agents) {
            if (Status s = check(map(), agent); !s.ok()) return tl::unexpected(std::move(s));
        }
        const auto share = [&](std::size_t i) {
            return static_cast<double>(i) / static_cast<double>(agents.size());
        };
        for (std::size_t i = 0; i < agents.size(); ++i) {
            Status s = complete_view(*snapshot_, map().class_of(agents[i]),
                                     part_of(control, share(i), share(i + 1)));
            if (!s.ok()) return tl::unexpected(std::move(s));
        }
        if (control.progress) control.progress(1);
        return *this;
    });
}

Result<Index> Index::with_labels(const BuildControl& control) const {
    return guarded([&] {
        std::vector<Agent> agents;
        for (const Views::Kept& kept : snapshot_->views->all())
            agents.push_back(map().agent(kept.agent_class));
        return with_labels(agents, control);
    });
}

Status Index::labels_status(Agent agent) const {
    if (Status s = check(map(), agent); !s.ok()) return s;
    const auto view = snapshot_->views->find(map().class_of(agent));
    if (!view) return {StatusCode::unsupported, "the agent has no view yet"};
    return view->labels_status();
}

bool Index::has_labels(Agent agent) const { return labels_status(agent).ok(); }

bool Index::has_labels() const {
    const std::vector<Views::Kept> views = snapshot_->views->all();
    return !views.empty() && std::all_of(views.begin(), views.end(), [](const Views::Kept& kept) {
        return kept.view.has_labels();
    });
}

bool Index::reachable(Agent agent, grid::Point a, grid::Point b) const {
    const auto of_agent = view(agent);
    return of_agent && of_agent->reachable(a, b);
}

std::size_t Index::memory() const {
    const IndexStatistics of = statistics();
    return of.graph_bytes + of.map_bytes + of.view_bytes;
}

IndexStatistics Index::statistics() const {
    const Snapshot& s = *snapshot_;
    IndexStatistics result;
    result.clusters = s.clusters.size();
    for (std::size_t id = 0; id < s.clusters.size(); ++id) {
        const AnnotatedCluster cluster(s.clusters[id]);
        result.nodes += cluster.count();
        result.intra_edges += cluster.edges();
        for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
            result.inter_edges +=
                static_cast<std::size_t>(std::popcount(cluster.node(slot).crossings));
        }
    }
    result.inter_edges /= 2;  // both nodes store it
    result.graph_bytes = s.clusters.bytes();
    result.map_bytes = s.map.bytes();
    result.views = s.views->count();
    result.view_bytes = s.views->bytes();
    return result;
}

bool operator==(const Index& a, const Index& b) {
    const Snapshot& x = *a.snapshot_;
    const Snapshot& y = *b.snapshot_;
    Options options = x.options;  // options of views are not compared
    options.move_tables = y.options.move_tables;
    options.labels = y.options.labels;
    options.label_bytes = y.options.label_bytes;
    options.view_bytes = y.options.view_bytes;
    return options == y.options && x.map == y.map && x.clusters == y.clusters;
}

}  // namespace cairn::haa
