#include "core/nlevel/n_level_contraction.hpp"

#include <algorithm>

namespace cairn {
namespace {

/// The arcs of a vertex without loops, and of parallel arcs the cheapest.
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

}  // namespace

Contraction::Contraction(const Graph& graph, const NLevelOptions& options,
                         const ExtraEdgeProperty& property)
    : options_(options),
      property_(property),
      levels_(graph.num_nodes(), 0),
      needed_by_(graph.num_nodes()),
      marks_(graph.num_nodes()) {
    const std::uint64_t room = (kMaxGraphArcs - graph.num_arcs()) / 2;
    const std::uint64_t wanted = options.max_extra_edges != 0 ? options.max_extra_edges
                                                              : std::uint64_t{4} * graph.num_arcs();
    max_extra_edges_ = std::min(room, wanted);
    rows_.reserve(graph.num_nodes());
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) rows_.push_back(simple_row(graph, v));
}

bool Contraction::examine(std::uint32_t s) {
    extra_.clear();
    for (std::size_t i = 0; i + 1 < rows_[s].size(); ++i) {
        const std::size_t before = extra_.size();
        look_near(s, i);
        if (take_extra_edges(s, i)) continue;
        // An extra edge is not allowed. Now the longer search for a witness path pays.
        extra_.resize(before);
        look_far(s, i);
        if (!take_extra_edges(s, i)) return false;
    }
    return true;
}

/// Collects an extra edge for each witness path that was wanted and not found; false if one of them
/// is not allowed.
bool Contraction::take_extra_edges(std::uint32_t s, std::size_t from) {
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

/// Whether an extra edge may join two neighbours, beside those collected.
bool Contraction::may_join(std::uint32_t p, std::uint32_t q, Cost length) const {
    if (!property_ || extra_edges_ + extra_.size() >= max_extra_edges_) return false;
    if (!options_.lateral_extra_edges && !is_high(p) && !is_high(q)) return false;
    return property_(p, q, length);
}

void Contraction::forget_marks() noexcept {
    missing_ = 0;
    bound_ = 0;
    if (++stamp_ != 0) return;
    std::fill(marks_.begin(), marks_.end(), Mark{});
    stamp_ = 1;
}

void Contraction::want(std::uint32_t q, Cost through) noexcept {
    Mark& mark = touch(q);
    if (through >= kInfinity) return;
    mark.wanted = through;
    bound_ = std::max(bound_, through);
    ++missing_;
}

void Contraction::reach(std::uint32_t v, Cost distance) noexcept {
    Mark& mark = touch(v);
    if (distance >= mark.distance) return;
    if (mark.missing() && distance <= mark.wanted) --missing_;
    mark.distance = distance;
}

/// From the neighbour p of `s` at index `from` to the later neighbours: looks for witness paths,
/// which are no longer than the path through `s`. Those of up to three edges come first: nearly all
/// witness paths are that short.
void Contraction::look_near(std::uint32_t s, std::size_t from) {
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
    finish_ways(s, from);
    if (missing_ == 0) return;
    for (const auto& [x, weight] : rows_[p]) {
        if (x != s && is_high(x) && weight < bound_) spread(x, weight);
        if (missing_ == 0) return;
    }
    finish_ways(s, from);
}

/// Adds a last edge to the paths so far, where that completes a witness path.
void Contraction::finish_ways(std::uint32_t s, std::size_t from) {
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

/// Looks for the missing witness paths of any number of edges (Dijkstra).
void Contraction::look_far(std::uint32_t s, std::size_t from) {
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
        if (distance < open_.least_f()) continue;              // was improved after it was pushed
        if (settled++ > options_.max_witness_settled) return;  // p itself is free
        for (const auto& [y, weight] : rows_[x]) {
            const Cost there = distance + weight;
            if (y == s || there > bound_ || there >= touch(y).distance) continue;
            reach(y, there);
            if (is_high(y)) open_.push(y, there, there);
        }
    }
}

void Contraction::leave_behind(std::uint32_t s, std::uint16_t level) {
    levels_[s] = level;
    left_.push_back(s);
    for (const Edge& edge : extra_) add_edge(edge);
}

/// Also replaces a longer edge between the same vertices.
void Contraction::add_edge(const Edge& edge) {
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

std::vector<std::uint32_t> Contraction::finish_pass() {
    std::vector<std::uint32_t> touched = shortened_;
    for (const std::uint32_t v : left_) {
        for (const NLevelArc& arc : rows_[v]) touched.push_back(arc.head);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
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

}  // namespace cairn
