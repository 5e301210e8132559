#include "core/separator/disjoint_paths.hpp"

#include <algorithm>
#include <limits>

namespace cairn {

bool DisjointPaths::run(const Piece& piece, std::size_t limit) {
    piece_ = &piece;
    begin();
    std::size_t count = 0;
    while (find_levels()) {
        for (const Node source : sources_) {
            if (on_path(source) || level_[at(source)] != last_ || !augment(source)) continue;
            if (++count > limit) return false;
        }
    }
    return true;
}

/// Clears the paths, and finds the nodes that they may need: all but the sources and sinks whose
/// neighbours all have the same role.
void DisjointPaths::begin() {
    const std::size_t count = role.size();
    before_.assign(count, kNone);
    after_.assign(count, kNone);
    level_.assign(count, kUnusable);
    next_.resize(count);
    active_.clear();
    sources_.clear();
    sinks_.clear();
    for (Node v = 0; at(v) < count; ++v) {
        const Role own = role[at(v)];
        const auto near = piece_->neighbours(at(v));
        if (own != Role::middle &&
            std::all_of(near.begin(), near.end(), [&](Node to) { return role[at(to)] == own; }))
            continue;
        active_.push_back(v);
        if (own == Role::source) sources_.push_back(v);
        if (own == Role::sink) sinks_.push_back(v);
    }
}

void DisjointPaths::reach(Node v, Node level) {
    if (level_[at(v)] != kUnseen) return;
    level_[at(v)] = level;
    next_[at(v)] = kBack;
    queue_.push_back(v);
}

/// Sets the levels of a phase, breadth-first from free sinks against the direction of augmenting
/// paths, up to the first level with a free source. False if there is no free source.
bool DisjointPaths::find_levels() {
    for (const Node v : active_) level_[at(v)] = kUnseen;
    queue_.clear();
    for (const Node sink : sinks_) {
        if (!on_path(sink)) reach(sink, 0);
    }
    last_ = std::numeric_limits<Node>::max();
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const Node v = queue_[i];
        const Node level = level_[at(v)];
        if (level == last_) return true;
        Node over = v;  // paths reach v over this node
        if (on_path(v)) {
            over = after_[at(v)];
            if (over == kPathEnd) continue;
            reach(over, level + 1);
        } else if (role[at(v)] == Role::source) {
            last_ = level;
            return true;
        }
        for (const Node from : piece_->neighbours(at(over))) reach(from, level + 1);
    }
    return false;
}

/// Finds and takes an augmenting path from a source along falling levels. False: there is none.
bool DisjointPaths::augment(Node source) {
    walk_.clear();
    for (Node v = source;;) {
        if (step_from(v)) {
            v = walk_.back().to;
            if (level_[at(v)] > 0) continue;
            take_walk();
            return true;
        }
        level_[at(v)] = kUnusable;
        if (walk_.empty()) return false;
        v = walk_.back().from;
        walk_.pop_back();
    }
}

/// Adds the next step from a node to walk_; false if none is left.
bool DisjointPaths::step_from(Node v) {
    const Node below = level_[at(v)] - 1;
    const auto near = piece_->neighbours(at(v));
    for (Node& i = next_[at(v)]; i < static_cast<Node>(near.size());) {
        const Node over = i == kBack ? kBack : near[at(i)];
        const Node previous = before_[at(i == kBack ? v : over)];
        ++i;
        const Node to = previous == kNone && over != kBack ? over : previous;
        if (to < 0 || level_[at(to)] != below) continue;
        walk_.push_back({v, over, to});
        return true;
    }
    return false;
}

/// Adds walk_ to the paths. A path that it pushes back is rerouted along it.
void DisjointPaths::take_walk() {
    before_[at(walk_.front().from)] = kPathEnd;
    for (const Step& step : walk_) {
        level_[at(step.from)] = kUnusable;
        if (step.over == kBack) {
            before_[at(step.from)] = after_[at(step.from)] = kNone;
        } else {
            after_[at(step.from)] = step.over;
            before_[at(step.over)] = step.from;
        }
    }
    after_[at(walk_.back().to)] = kPathEnd;
    level_[at(walk_.back().to)] = kUnusable;
}

void DisjointPaths::cut_at_sources(std::span<Side> sides) {
    entered_.assign(sides.size(), 0);
    for (const Node v : active_) level_[at(v)] = kUnseen;
    queue_.clear();
    for (const Node source : sources_) {
        entered_[at(source)] = 1;
        if (!on_path(source)) reach(source, 0);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const Node v = queue_[i];
        const auto enter = [&](Node over) {
            if (entered_[at(over)] != 0) return;
            entered_[at(over)] = 1;
            if (const Node to = on_path(over) ? before_[at(over)] : over; to >= 0) reach(to, 0);
        };
        if (before_[at(v)] >= 0) enter(v);
        for (const Node to : piece_->neighbours(at(v))) enter(to);
    }
    for (std::size_t v = 0; v < sides.size(); ++v)
        sides[v] = role[v] == Role::source ? Side::left : Side::right;
    for (const Node v : active_) {
        sides[at(v)] = level_[at(v)] == 0     ? Side::left
                       : entered_[at(v)] != 0 ? Side::separator
                                              : Side::right;
    }
}

void DisjointPaths::cut_at_sinks(std::span<Side> sides) const {
    for (std::size_t v = 0; v < sides.size(); ++v)
        sides[v] = role[v] == Role::sink ? Side::right : Side::left;
    for (const Node v : active_) {
        const Node previous = before_[at(v)];
        const bool on_from = level_[at(v)] >= 0 || role[at(v)] == Role::sink;
        const bool into = previous == kNone ? on_from : previous >= 0 && level_[at(previous)] >= 0;
        sides[at(v)] = into ? Side::right : on_from ? Side::separator : Side::left;
    }
}

}  // namespace cairn
