#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "cairn/n_level_graph.hpp"
#include "core/guarded.hpp"
#include "core/nlevel/n_level_contraction.hpp"
#include "core/threads.hpp"

namespace cairn {
namespace {

using Keyed = std::pair<std::int64_t, std::uint32_t>;

constexpr std::uint32_t kMaxLevels = 65'535;
/// The progress when the first pass is done, by far the longest.
constexpr double kFirstPassShare = 0.8;
constexpr std::uint32_t kReports = 50;

/// A number without pattern: splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
    return x ^ x >> 31;
}

/// Reports that rise, and not too many of them.
class ContractionProgress {
public:
    explicit ContractionProgress(const BuildControl& control) : control_(control) {}
    void report(double done) {
        if (!control_.progress || done < next_) return;
        next_ = done + 1.0 / kReports;
        control_.progress(done);
    }

private:
    const BuildControl& control_;
    double next_ = 0;
};

/// The passes of the partitioning.
class Partitioner {
public:
    Partitioner(const Graph& graph, const NLevelOptions& options, const ExtraEdgeProperty& property,
                const BuildControl& control)
        : options_(options),
          control_(control),
          progress_(control),
          contraction_(graph, options, property) {
        candidates_.resize(graph.num_nodes());
        std::iota(candidates_.begin(), candidates_.end(), 0U);
    }

    /// False if cancelled.
    bool run() {
        const std::uint32_t most =
            options_.max_levels == 0 ? kMaxLevels : std::min(options_.max_levels, kMaxLevels);
        for (level_ = 1; level_ < most && !candidates_.empty(); ++level_) {
            left_ = 0;
            if (options_.order == ContractionOrder::fewest_extra_edges) {
                cheapest_first();
            } else {
                in_order();
            }
            if (control_.cancelled()) return false;
            if (left_ == 0) break;
            candidates_ = contraction_.finish_pass();
            progress_.report(1.0 - (1.0 - kFirstPassShare) / (level_ + 1));
        }
        return !control_.cancelled();
    }

    [[nodiscard]] Contraction& result() noexcept { return contraction_; }

private:
    void leave_behind(std::uint32_t s) {
        contraction_.leave_behind(s, static_cast<std::uint16_t>(level_));
        ++left_;
    }

    void report_pass(std::size_t done, std::size_t all) {
        if (level_ == 1) {
            progress_.report(kFirstPassShare * static_cast<double>(done) /
                             static_cast<double>(all));
        }
    }

    [[nodiscard]] std::int64_t key(std::uint32_t v) const {
        switch (options_.order) {
            case ContractionOrder::ascending_degree:
                return contraction_.degree(v);
            case ContractionOrder::descending_degree:
                return -std::int64_t{contraction_.degree(v)};
            case ContractionOrder::random:
                return static_cast<std::int64_t>(mixed(mixed(options_.seed) + v) >> 1);
            default:
                return 0;
        }
    }

    void in_order() {
        std::vector<Keyed> order;
        order.reserve(candidates_.size());
        for (const std::uint32_t v : candidates_) order.emplace_back(key(v), v);
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size() && !control_.cancelled(); ++i) {
            if (contraction_.examine(order[i].second)) leave_behind(order[i].second);
            report_pass(i, order.size());
        }
    }

    /// The edge difference of `s`, which was just examined: extra edges minus the edges removed
    /// with it.
    [[nodiscard]] std::int64_t edge_difference(std::uint32_t s) const {
        return static_cast<std::int64_t>(contraction_.extra_edges_in_hand()) -
               std::int64_t{contraction_.degree(s)};
    }

    void cheapest_first() {
        std::priority_queue<Keyed, std::vector<Keyed>, std::greater<>> queue;
        const std::size_t all = candidates_.size();
        for (std::size_t i = 0; i < all && !control_.cancelled(); ++i) {
            const std::uint32_t v = candidates_[i];
            if (contraction_.examine(v)) queue.emplace(edge_difference(v), v);
            report_pass(i, 2 * all);
        }
        while (!queue.empty() && !control_.cancelled()) {
            const std::uint32_t v = queue.top().second;
            queue.pop();
            report_pass(2 * all - std::min(all, queue.size()), 2 * all);
            if (!contraction_.examine(v)) continue;
            const Keyed now{edge_difference(v), v};
            if (!queue.empty() && now > queue.top()) {
                queue.push(now);
            } else {
                leave_behind(v);
            }
        }
    }

    const NLevelOptions& options_;
    const BuildControl& control_;
    ContractionProgress progress_;
    Contraction contraction_;
    std::vector<std::uint32_t> candidates_;
    std::uint32_t level_ = 1;
    std::size_t left_ = 0;  ///< behind, in this pass
};

/// What a built NLevelGraph owns.
struct NLevelStorage {
    std::vector<NLevelVertex> vertices;
    std::vector<std::uint16_t> levels;
    std::vector<NLevelArc> arcs;
};

/// High vertices get the highest level. If there are none, the vertices left behind last have it.
std::uint32_t raise_high(std::vector<std::uint16_t>& levels) {
    std::uint32_t highest = 0;
    bool any_high = levels.empty();
    for (const std::uint16_t level : levels) {
        highest = std::max<std::uint32_t>(highest, level);
        any_high |= level == 0;
    }
    if (any_high) ++highest;
    std::replace(levels.begin(), levels.end(), std::uint16_t{0},
                 static_cast<std::uint16_t>(highest));
    return highest;
}

std::shared_ptr<const NLevelStorage> stored(Contraction& from, std::uint32_t& num_levels) {
    auto storage = std::make_shared<NLevelStorage>();
    storage->levels = std::move(from.levels());
    std::vector<std::uint16_t>& levels = storage->levels;
    num_levels = raise_high(levels);
    std::size_t arcs = 0;
    for (const auto& row : from.rows()) arcs += row.size();
    storage->arcs.reserve(arcs);
    storage->vertices.reserve(levels.size() + 1);
    const auto place = [&] { return static_cast<std::uint32_t>(storage->arcs.size()); };
    for (std::uint32_t v = 0; v < levels.size(); ++v) {
        std::vector<NLevelArc> row = std::move(from.rows()[v]);
        const auto lateral = [&](const NLevelArc& arc) {
            return levels[v] < num_levels && levels[arc.head] == levels[v];
        };
        std::sort(row.begin(), row.end(), [&](const NLevelArc& a, const NLevelArc& b) {
            if (lateral(a) != lateral(b)) return lateral(b);
            return a.weight != b.weight ? a.weight < b.weight : a.head < b.head;
        });
        const auto first_lateral = std::find_if(row.begin(), row.end(), lateral) - row.begin();
        storage->vertices.push_back({place(), place() + static_cast<std::uint32_t>(first_lateral)});
        storage->arcs.insert(storage->arcs.end(), row.begin(), row.end());
    }
    storage->vertices.push_back({place(), place()});
    return storage;
}

}  // namespace

Result<NLevelGraph> NLevelGraph::build(const Graph& graph, const Options& options,
                                       const ExtraEdgeProperty& property,
                                       const BuildControl& control) {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (options.order > ContractionOrder::random) {
        return fail(StatusCode::bad_option, "n-level graph: no such contraction order");
    }
    if (graph.num_nodes() > kMaxGraphNodes || graph.num_arcs() > kMaxGraphArcs) {
        return fail(StatusCode::too_large,
                    "n-level graph: the graph passes 2^31 - 2 nodes or arcs");
    }
    return guarded([&]() -> Result<NLevelGraph> {
        Partitioner partitioner(graph, options, property, control);
        if (!partitioner.run()) return fail(StatusCode::cancelled);
        const std::uint64_t extra_edges = partitioner.result().extra_edges();
        std::uint32_t num_levels = 1;
        const auto storage = stored(partitioner.result(), num_levels);
        if (control.progress) control.progress(1.0);
        return NLevelGraph({storage->vertices, storage->levels, storage->arcs, extra_edges},
                           storage, num_levels);
    });
}

}  // namespace cairn
