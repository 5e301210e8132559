// Partitions a graph into an N-level graph: passes that each leave some vertices of the highest
// level behind and lift the others (Uras, Koenig, Game AI Pro 2, Listing 15.2).

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "cairn/n_level_graph.hpp"
#include "core/guarded.hpp"
#include "core/open_heap.hpp"
#include "core/sort_unique.hpp"
#include "core/threads.hpp"

namespace cairn {
namespace {

using KeyAndVertex = std::pair<std::int64_t, std::uint32_t>;  ///< the least key comes first

constexpr std::uint32_t kMaxLevels = 65'535;
/// The progress when the first pass is done, by far the longest.
constexpr double kFirstPassShare = 0.8;
constexpr std::uint32_t kMaxReports = 50;

/// A pseudorandom number for x: splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e37'79b9'7f4a'7c15;
    x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
    return x ^ x >> 31;
}

/// The arcs of a vertex, sorted by head, without loops; of parallel arcs only the cheapest.
std::vector<NLevelArc> simple_row(const Graph& graph, std::uint32_t v) {
    std::vector<NLevelArc> row;
    row.reserve(graph.degree(v));
    for (std::uint32_t i = 0; i < graph.degree(v); ++i) {
        const std::uint32_t to = graph.neighbours(v)[i];
        if (to != v) row.push_back({to, graph.weights(v)[i]});
    }
    std::sort(row.begin(), row.end(), [](const NLevelArc& a, const NLevelArc& b) {
        return a.head != b.head ? a.head < b.head : a.weight < b.weight;
    });
    const auto same_head = [](const NLevelArc& a, const NLevelArc& b) { return a.head == b.head; };
    row.erase(std::unique(row.begin(), row.end(), same_head), row.end());
    return row;
}

/// The graph during the passes, and the test of Listing 15.2 whether a vertex can stay behind.
///
/// There are three kinds of vertices: those left behind in earlier passes, which are ignored; those
/// left behind in this pass (local), where paths may begin and end but not pass; the others (high).
/// A witness path joins two neighbours of a vertex around it, no longer than the path through it.
class Contraction {
public:
    Contraction(const Graph& graph, const NLevelOptions& options, const ExtraEdgeProperty& property)
        : options_(options),
          property_(property),
          levels_(graph.num_nodes(), 0),
          needed_by_(graph.num_nodes()),
          marks_(graph.num_nodes()) {
        const std::uint64_t room = (kMaxGraphArcs - graph.num_arcs()) / 2;
        const std::uint64_t wanted = options.max_extra_edges != 0
                                         ? options.max_extra_edges
                                         : std::uint64_t{4} * graph.num_arcs();
        max_extra_edges_ = std::min(room, wanted);
        rows_.reserve(graph.num_nodes());
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) rows_.push_back(simple_row(graph, v));
    }

    /// Whether the high vertex `s` can stay behind: without it, but with allowed extra edges, no
    /// shortest path between two of its neighbours gets longer. leave_behind() adds these edges.
    [[nodiscard]] bool examine(std::uint32_t s) {
        extra_.clear();
        for (std::size_t i = 0; i + 1 < rows_[s].size(); ++i) {
            const std::size_t before = extra_.size();
            find_short_witnesses(s, i);
            if (take_extra_edges(s, i)) continue;
            // An extra edge is not allowed. Only then the longer search for a witness path pays.
            extra_.resize(before);
            find_long_witnesses(s, i);
            if (!take_extra_edges(s, i)) return false;
        }
        return true;
    }

    /// The number of extra edges that the vertex examined last needs.
    [[nodiscard]] std::size_t needed_extra_edges() const noexcept { return extra_.size(); }

    /// Leaves `s` behind on `level`. The last call of examine() was for `s` and returned true.
    void leave_behind(std::uint32_t s, std::uint16_t level) {
        levels_[s] = level;
        left_.push_back(s);
        for (const Edge& edge : extra_) add_edge(edge);
    }

    /// Ends a pass: removes the vertices left behind from the rows of the high vertices. Returns,
    /// sorted, those high vertices that may now be able to stay behind: the next candidates.
    [[nodiscard]] std::vector<std::uint32_t> finish_pass() {
        std::vector<std::uint32_t> touched = shortened_;
        for (const std::uint32_t v : left_) {
            for (const NLevelArc& arc : rows_[v]) touched.push_back(arc.head);
        }
        sort_unique(touched);
        std::erase_if(touched, [&](std::uint32_t v) { return !is_high(v); });
        for (const std::uint32_t v : touched) {
            std::erase_if(rows_[v], [&](const NLevelArc& arc) { return !is_high(arc.head); });
        }
        std::sort(shortened_.begin(), shortened_.end());
        std::erase_if(touched, [&](std::uint32_t v) {
            const auto [p, q] = needed_by_[v];
            return is_high(p) && is_high(q) &&
                   !std::binary_search(shortened_.begin(), shortened_.end(), v);
        });
        left_.clear();
        shortened_.clear();
        return touched;
    }

    [[nodiscard]] bool is_high(std::uint32_t v) const noexcept { return levels_[v] == 0; }
    [[nodiscard]] std::uint32_t degree(std::uint32_t v) const noexcept {
        return static_cast<std::uint32_t>(rows_[v].size());
    }
    [[nodiscard]] std::uint64_t extra_edges() const noexcept { return extra_edges_; }

    /// After the last pass, by vertex: its level (0: high); its arcs, none to a lower level.
    [[nodiscard]] std::vector<std::uint16_t>& levels() noexcept { return levels_; }
    [[nodiscard]] std::vector<std::vector<NLevelArc>>& rows() noexcept { return rows_; }

private:
    static constexpr Cost kUnwanted = 0xffff'ffff;
    /// What a search for witness paths from the neighbour p of s knows of a vertex.
    struct Mark {
        std::uint32_t stamp = 0;  ///< differs from stamp_: untouched in this search
        Cost distance = 0;        ///< of the best path from p so far
        Cost wanted = 0;          ///< the greatest length of a witness path; kUnwanted if none
        /// Whether a witness path is wanted and not found yet.
        [[nodiscard]] bool missing() const noexcept { return distance > wanted; }
    };

    Mark& touch(std::uint32_t v) noexcept {
        Mark& mark = marks_[v];
        if (mark.stamp != stamp_) mark = {stamp_, kInfinity, kUnwanted};
        return mark;
    }

    /// Adds an edge to extra_ for each witness path that is missing; false if one is not allowed.
    bool take_extra_edges(std::uint32_t s, std::size_t from) {
        const std::vector<NLevelArc>& row = rows_[s];
        const std::uint32_t p = row[from].head;
        for (std::size_t j = from + 1; j < row.size(); ++j) {
            const std::uint32_t q = row[j].head;
            const Mark& mark = marks_[q];
            if (!mark.missing()) continue;
            if (!may_join(p, q, mark.wanted)) {
                needed_by_[s] = {p, q};
                return false;
            }
            extra_.push_back({p, q, mark.wanted});
        }
        return true;
    }

    /// Whether one more extra edge, between p and q, is allowed.
    bool may_join(std::uint32_t p, std::uint32_t q, Cost length) const {
        if (!property_ || extra_edges_ + extra_.size() >= max_extra_edges_) return false;
        if (!options_.lateral_extra_edges && !is_high(p) && !is_high(q)) return false;
        return property_(p, q, length);
    }

    /// Begins a search: no mark is valid.
    void forget_marks() noexcept {
        missing_ = 0;
        bound_ = 0;
        if (++stamp_ != 0) return;
        std::fill(marks_.begin(), marks_.end(), Mark{});
        stamp_ = 1;
    }

    /// Asks for a witness path to `q` that is no longer than `through`, the path through s.
    void want(std::uint32_t q, Cost through) noexcept {
        Mark& mark = touch(q);
        if (through >= kInfinity) return;
        mark.wanted = through;
        bound_ = std::max(bound_, through);
        ++missing_;
    }

    void reach(std::uint32_t v, Cost distance) noexcept {
        Mark& mark = touch(v);
        if (distance >= mark.distance) return;
        if (mark.missing() && distance <= mark.wanted) --missing_;
        mark.distance = distance;
    }

    /// Looks for witness paths from the neighbour p of `s` at index `from` to each later neighbour.
    /// Tries paths of up to three edges, which nearly all witness paths have.
    void find_short_witnesses(std::uint32_t s, std::size_t from) {
        const std::vector<NLevelArc>& row = rows_[s];
        const std::uint32_t p = row[from].head;
        forget_marks();
        for (std::size_t j = from + 1; j < row.size(); ++j) {
            want(row[j].head, row[from].weight + row[j].weight);
        }
        touch(p).distance = 0;
        const auto spread = [&](std::uint32_t v, Cost distance) {
            for (const auto& [to, weight] : rows_[v]) {
                if (to != s && distance + weight <= bound_) reach(to, distance + weight);
            }
        };
        spread(p, 0);
        add_last_edges(s, from);
        if (missing_ == 0) return;
        for (const auto& [x, weight] : rows_[p]) {
            if (x != s && is_high(x) && weight < bound_) spread(x, weight);
            if (missing_ == 0) return;
        }
        add_last_edges(s, from);
    }

    /// Extends the paths found so far by one edge, where that completes a witness path.
    void add_last_edges(std::uint32_t s, std::size_t from) {
        const std::vector<NLevelArc>& row = rows_[s];
        for (std::size_t j = from + 1; j < row.size() && missing_ > 0; ++j) {
            const std::uint32_t q = row[j].head;
            const Mark mark = marks_[q];
            if (!mark.missing()) continue;
            for (const auto& [x, weight] : rows_[q]) {
                const Mark& last = marks_[x];
                if (last.stamp != stamp_ || x == s || !is_high(x)) continue;
                if (last.distance + weight > mark.wanted) continue;
                reach(q, last.distance + weight);
                break;
            }
        }
    }

    /// Looks for the missing witness paths among paths of any number of edges (Dijkstra).
    void find_long_witnesses(std::uint32_t s, std::size_t from) {
        const std::vector<NLevelArc>& row = rows_[s];
        still_missing_.clear();
        for (std::size_t j = from + 1; j < row.size(); ++j) {
            const Mark& mark = marks_[row[j].head];
            still_missing_.push_back(mark.missing() ? mark.wanted : kInfinity);
        }
        forget_marks();
        for (std::size_t j = from + 1; j < row.size(); ++j) {
            want(row[j].head, still_missing_[j - from - 1]);
        }
        touch(row[from].head).distance = 0;
        open_.clear();
        open_.push(row[from].head, 0, 0);
        std::uint32_t settled = 0;
        for (std::uint32_t x = 0; missing_ > 0 && open_.pop(x);) {
            const Cost distance = marks_[x].distance;
            if (distance < open_.least_f()) continue;  // was improved after it was pushed
            if (settled++ > options_.max_witness_settled) return;  // p is not counted
            for (const auto& [y, weight] : rows_[x]) {
                const Cost to_y = distance + weight;
                if (y == s || to_y > bound_ || to_y >= touch(y).distance) continue;
                reach(y, to_y);
                if (is_high(y)) open_.push(y, to_y, to_y);
            }
        }
    }

    /// Adds an edge, or shortens the edge between the same vertices.
    void add_edge(const Edge& edge) {
        const auto arc_to = [this](std::uint32_t from, std::uint32_t to) {
            return std::find_if(rows_[from].begin(), rows_[from].end(),
                                [to](const NLevelArc& arc) { return arc.head == to; });
        };
        ++extra_edges_;
        const auto old = arc_to(edge.a, edge.b);
        if (old == rows_[edge.a].end()) {
            rows_[edge.a].push_back({edge.b, edge.cost});
            rows_[edge.b].push_back({edge.a, edge.cost});
            return;
        }
        old->weight = arc_to(edge.b, edge.a)->weight = edge.cost;
        shortened_.push_back(edge.a);
        shortened_.push_back(edge.b);
    }

    const NLevelOptions& options_;
    const ExtraEdgeProperty& property_;
    std::uint64_t max_extra_edges_ = 0;
    std::uint64_t extra_edges_ = 0;
    std::vector<std::vector<NLevelArc>> rows_;  ///< by vertex
    std::vector<std::uint16_t> levels_;         ///< by vertex; 0 while it is high
    /// By high vertex: two neighbours whose shortest path needs it. While both stay high and none
    /// of its edges is shortened, it need not be examined again.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> needed_by_;
    std::vector<std::uint32_t> left_;       ///< vertices left behind in this pass
    std::vector<std::uint32_t> shortened_;  ///< ends of edges that were shortened in this pass
    std::vector<Edge> extra_;               ///< that the vertex examined last needs
    std::vector<Mark> marks_;               ///< by vertex
    std::uint32_t stamp_ = 0;
    std::uint64_t missing_ = 0;  ///< witness paths that are wanted and not found yet
    Cost bound_ = 0;             ///< the greatest length of a wanted path
    std::vector<Cost> still_missing_;
    OpenHeap open_;
};

/// The passes of the partitioning.
class Partitioner {
public:
    Partitioner(const Graph& graph, const NLevelOptions& options, const ExtraEdgeProperty& property,
                const BuildControl& control)
        : options_(options), control_(control), contraction_(graph, options, property) {
        candidates_.resize(graph.num_nodes());
        std::iota(candidates_.begin(), candidates_.end(), 0U);
    }

    /// False if cancelled.
    bool run() {
        const std::uint32_t max_levels =
            options_.max_levels == 0 ? kMaxLevels : std::min(options_.max_levels, kMaxLevels);
        for (level_ = 1; level_ < max_levels && !candidates_.empty(); ++level_) {
            left_behind_ = 0;
            if (options_.order == ContractionOrder::fewest_extra_edges) {
                run_pass_by_extra_edges();
            } else {
                run_pass_by_key();
            }
            if (control_.cancelled()) return false;
            if (left_behind_ == 0) break;
            candidates_ = contraction_.finish_pass();
            report(1.0 - (1.0 - kFirstPassShare) / (level_ + 1));
        }
        return !control_.cancelled();
    }

    [[nodiscard]] Contraction& result() noexcept { return contraction_; }

private:
    void leave_behind(std::uint32_t s) {
        contraction_.leave_behind(s, static_cast<std::uint16_t>(level_));
        ++left_behind_;
    }

    void report_pass(std::size_t done, std::size_t all) {
        if (level_ == 1)
            report(kFirstPassShare * static_cast<double>(done) / static_cast<double>(all));
    }

    /// Reports progress that rises, at most about kMaxReports times.
    void report(double done) {
        if (!control_.progress || done < next_report_) return;
        next_report_ = done + 1.0 / kMaxReports;
        control_.progress(done);
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

    void run_pass_by_key() {
        std::vector<KeyAndVertex> order;
        order.reserve(candidates_.size());
        for (const std::uint32_t v : candidates_) order.emplace_back(key(v), v);
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size() && !control_.cancelled(); ++i) {
            if (contraction_.examine(order[i].second)) leave_behind(order[i].second);
            report_pass(i, order.size());
        }
    }

    /// Of the vertex examined last: extra edges minus the edges removed with it.
    [[nodiscard]] std::int64_t edge_difference(std::uint32_t s) const {
        return static_cast<std::int64_t>(contraction_.needed_extra_edges()) -
               std::int64_t{contraction_.degree(s)};
    }

    /// Least edge difference first. A vertex taken off the queue is examined again, because the
    /// pass may have changed its neighbourhood, and goes back if its difference has risen.
    void run_pass_by_extra_edges() {
        std::priority_queue<KeyAndVertex, std::vector<KeyAndVertex>, std::greater<>> queue;
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
            const KeyAndVertex current{edge_difference(v), v};
            if (!queue.empty() && current > queue.top()) {
                queue.push(current);
            } else {
                leave_behind(v);
            }
        }
    }

    const NLevelOptions& options_;
    const BuildControl& control_;
    double next_report_ = 0;
    Contraction contraction_;
    std::vector<std::uint32_t> candidates_;  ///< high vertices to examine in this pass
    std::uint32_t level_ = 1;                ///< of the vertices that this pass leaves behind
    std::size_t left_behind_ = 0;            ///< number of vertices, in this pass
};

/// The memory behind the NLevelArrays of a graph that was built.
struct NLevelStorage {
    std::vector<NLevelVertex> vertices;
    std::vector<std::uint16_t> levels;
    std::vector<NLevelArc> arcs;
};

/// Gives the high vertices a level above all others; if there are none, the vertices left behind
/// last are the highest. Returns the number of levels.
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

/// Moves the result of the passes into the arrays of an NLevelGraph.
std::shared_ptr<const NLevelStorage> store(Contraction& from, std::uint32_t& num_levels) {
    auto storage = std::make_shared<NLevelStorage>();
    storage->levels = std::move(from.levels());
    std::vector<std::uint16_t>& levels = storage->levels;
    num_levels = raise_high(levels);
    std::size_t arcs = 0;
    for (const auto& row : from.rows()) arcs += row.size();
    storage->arcs.reserve(arcs);
    storage->vertices.reserve(levels.size() + 1);
    const auto arcs_stored = [&] { return static_cast<std::uint32_t>(storage->arcs.size()); };
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
        storage->vertices.push_back(
            {arcs_stored(), arcs_stored() + static_cast<std::uint32_t>(first_lateral)});
        storage->arcs.insert(storage->arcs.end(), row.begin(), row.end());
    }
    storage->vertices.push_back({arcs_stored(), arcs_stored()});
    return storage;
}

}  // namespace

Result<NLevelGraph> NLevelGraph::build(const Graph& graph, const Options& options,
                                       const ExtraEdgeProperty& property,
                                       const BuildControl& control) noexcept try {
    if (Status s = check_threads(control); !s.ok()) return tl::unexpected(std::move(s));
    if (options.order > ContractionOrder::random) {
        return fail(StatusCode::bad_option, "n-level graph: no such contraction order");
    }
    if (graph.directed)
        return fail(StatusCode::unsupported, "n-level graph: the graph must be undirected");
    if (graph.num_nodes() > kMaxGraphNodes || graph.num_arcs() > kMaxGraphArcs) {
        return fail(StatusCode::too_large,
                    "n-level graph: the graph passes 2^31 - 2 nodes or arcs");
    }
    Partitioner partitioner(graph, options, property, control);
    if (!partitioner.run()) return fail(StatusCode::cancelled);
    const std::uint64_t extra_edges = partitioner.result().extra_edges();
    std::uint32_t num_levels = 1;
    const auto storage = store(partitioner.result(), num_levels);
    if (control.progress) control.progress(1.0);
    return NLevelGraph({storage->vertices, storage->levels, storage->arcs, extra_edges}, storage,
                       num_levels);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
