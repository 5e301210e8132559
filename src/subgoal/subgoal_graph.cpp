#include "subgoal/subgoal_graph.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel_loop.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/octants.hpp"

namespace cairn::subgoal {
namespace {

using Record = std::vector<std::uint32_t>;

// Makes the record of a tile (see the header), subgoal by subgoal in their order.
class RecordMaker {
public:
    void add(std::uint32_t local, std::span<const std::uint32_t> edges) {
        nodes_.push_back(local | static_cast<std::uint32_t>(edges_.size()) << 8);
        edges_.insert(edges_.end(), edges.begin(), edges.end());
    }
    // The record, empty if there are no subgoals. Begins the next tile.
    Record take() {
        Record record;
        if (!nodes_.empty()) {
            const auto n = static_cast<std::uint32_t>(nodes_.size());
            record.reserve(1 + nodes_.size() + edges_.size());
            record.push_back(n);
            for (const std::uint32_t node : nodes_) record.push_back(node + ((1 + n) << 8));
            record.insert(record.end(), edges_.begin(), edges_.end());
        }
        nodes_.clear();
        edges_.clear();
        return record;
    }

private:
    Record nodes_;  // `begin` is still an index in edges_
    Record edges_;
};

// Adds the cells of the direct-h-reachable subgoals of (x, y) in some quadrants, and sorts `out`,
// which may hold those of the other quadrants.
void add_direct_edges(const SubgoalBits& bits, int x, int y, Corners quadrants, Record& out) {
    for_each_direct(bits, x, y, quadrants, [&](int to_x, int to_y, Octants) {
        out.push_back(static_cast<std::uint32_t>(to_y * bits.width() + to_x));
    });
    std::sort(out.begin(), out.end());
}

// Calls use(x, y) for each subgoal of a tile, in the order of its record.
template <class Use>
void for_each_in_tile(const SubgoalBits& bits, grid::Point corner, Use&& use) {
    const int right = std::min(corner.x + SubgoalGraph::kTileSide, bits.width());
    const int bottom = std::min(corner.y + SubgoalGraph::kTileSide, bits.height());
    for (int y = corner.y; y < bottom; ++y) bits.for_each_in_row(y, corner.x, right, use);
}

}  // namespace

Result<SubgoalGraph> SubgoalGraph::build(const SubgoalBits& bits, Edges edges,
                                         const BuildControl& control) {
    SubgoalGraph graph(bits.width(), {});
    std::vector<Record> records(tile_count(bits.width(), bits.height()));
    std::atomic<bool> cancelled = false;
    const auto make_records = [&](std::size_t, std::size_t begin, std::size_t end) {
        RecordMaker maker;
        Record targets;
        for (std::size_t t = begin; t < end; ++t) {
            if (control.cancelled()) cancelled = true;
            if (cancelled) return;
            for_each_in_tile(bits, graph.tile_corner(t), [&](int x, int y) {
                targets.clear();
                add_direct_edges(bits, x, y, kAllCorners, targets);
                maker.add(local(x, y), targets);
            });
            records[t] = maker.take();
        }
    };
    constexpr std::size_t kGrain = 64;
    for_each_range(records.size(), kGrain, control, make_records);
    if (cancelled) return fail(StatusCode::cancelled);
    graph.records_ = RecordStore(records);
    if (edges == Edges::direct) {
        if (control.progress) control.progress(1);
        return graph;
    }
    return graph.with_h_reachable_edges(bits, control);
}

Result<SubgoalGraph> SubgoalGraph::with_h_reachable_edges(const SubgoalBits& bits,
                                                          const BuildControl& control) const {
    HReachableEdges h_reachable(bits, *this);
    std::vector<Record> records(records_.size());
    RecordMaker maker;
    Record targets;
    const std::size_t hundredth = records.size() / 100 + 1;
    for (std::size_t t = 0; t < records.size(); ++t) {
        if (control.cancelled()) return fail(StatusCode::cancelled);
        if (control.progress && t % hundredth == 0) {
            control.progress(static_cast<double>(t) / static_cast<double>(records.size()));
        }
        for_each_in_tile(bits, tile_corner(t), [&](int x, int y) {
            h_reachable.find(x, y, targets);
            maker.add(local(x, y), targets);
        });
        records[t] = maker.take();
        if (records[t].size() >= kMaxRecordWords) {
            return fail(StatusCode::too_large,
                        "subgoal graph: too many h-reachable edges; use direct ones");
        }
    }
    SubgoalGraph out = *this;
    out.records_ = RecordStore(records);
    return out;
}

namespace {

// The quadrants of the cell (x, y), by their diagonals, that hold a cell of `area`.
Corners quadrants_with(const grid::Rect& area, int x, int y) {
    const bool north = area.y <= y;
    const bool east = area.x + area.width > x;
    const bool south = area.y + area.height > y;
    const bool west = area.x <= x;
    Corners out = 0;
    if (north && east) out |= corner_bit(grid::kNorthEast);
    if (south && east) out |= corner_bit(grid::kSouthEast);
    if (south && west) out |= corner_bit(grid::kSouthWest);
    if (north && west) out |= corner_bit(grid::kNorthWest);
    return out;
}

// The cells of an edit and their neighbours, which may become subgoals or cease to be subgoals.
grid::Rect changed_area(const grid::TerrainEdit& edit) {
    const grid::Rect& a = edit.area;
    return {a.x - 1, a.y - 1, a.width + 2, a.height + 2};
}

// The subgoals whose edges some edits may change: those in and around the changed areas, and those
// that see them. A line from a subgoal into a changed area crosses the ring of cells around it, at
// a cell that is direct-h-reachable from the subgoal. This relation is mutual, so scans outwards
// from the cells of the ring find all these subgoals. Outside its ring an edit changes nothing, so
// one edit needs only scans of the map before it; several edits need scans of both maps.
class AffectedSubgoals {
public:
    AffectedSubgoals(const SubgoalBits& before, const SubgoalBits& after,
                     std::span<const grid::TerrainEdit> edits)
        : before_(before), after_(after), several_(edits.size() > 1) {
        for (const grid::TerrainEdit& edit : edits) add(changed_area(edit));
        std::sort(keys_.begin(), keys_.end());
        keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    }

    // The subgoals by SubgoalGraph::key, ascending.
    [[nodiscard]] const std::vector<std::uint32_t>& keys() const noexcept { return keys_; }

private:
    // Adds the subgoals that one changed area affects.
    void add(const grid::Rect& area) {
        const auto quadrants_beside = [](int cardinal) {
            return corner_bit((cardinal + 7) & 7) | corner_bit((cardinal + 1) & 7);
        };
        const int left = area.x - 1;
        const int top = area.y - 1;
        const int right = area.x + area.width;
        const int bottom = area.y + area.height;
        for (int x = left; x <= right; ++x) {
            see_from(x, top, quadrants_beside(grid::kNorth));
            see_from(x, bottom, quadrants_beside(grid::kSouth));
        }
        for (int y = top + 1; y < bottom; ++y) {
            see_from(left, y, quadrants_beside(grid::kWest));
            see_from(right, y, quadrants_beside(grid::kEast));
        }
        for (int y = std::max(top, 0); y <= std::min(bottom, after_.height() - 1); ++y) {
            for (int x = std::max(left, 0); x <= std::min(right, after_.width() - 1); ++x) {
                if (after_.is_subgoal(x, y)) push(x, y);
                if (before_.is_subgoal(x, y)) push(x, y);
            }
        }
    }
    // Adds the subgoals that a cell of a ring sees in some quadrants.
    void see_from(int x, int y, Corners quadrants) {
        if (x < 0 || y < 0 || x >= after_.width() || y >= after_.height()) return;
        const auto seen = [this](int to_x, int to_y, Octants) { push(to_x, to_y); };
        if (!before_.blocked(x, y)) for_each_direct(before_, x, y, quadrants, seen);
        if (several_ && !after_.blocked(x, y)) for_each_direct(after_, x, y, quadrants, seen);
    }
    void push(int x, int y) { keys_.push_back(SubgoalGraph::key(after_.width(), x, y)); }

    const SubgoalBits& before_;
    const SubgoalBits& after_;
    bool several_;
    std::vector<std::uint32_t> keys_;
};

}  // namespace

// Scans again only the quadrants of affected subgoals in which cells changed: the cells that must
// be free for an edge all lie in one quadrant.
SubgoalGraph SubgoalGraph::edited(const SubgoalBits& before, const SubgoalBits& after,
                                  std::span<const grid::TerrainEdit> edits) const {
    const auto quadrants_changed = [edits](int x, int y) {
        Corners out = 0;
        for (const grid::TerrainEdit& edit : edits) out |= quadrants_with(changed_area(edit), x, y);
        return out;
    };
    const AffectedSubgoals affected(before, after, edits);
    std::vector<RecordStore::Change> changes;
    RecordMaker maker;
    Record targets;
    const auto end = affected.keys().end();
    for (auto next = affected.keys().begin(); next != end;) {
        const std::uint32_t t = *next / kTileCells;
        for_each_in_tile(after, tile_corner(t), [&](int x, int y) {
            const std::uint32_t here = key(width_, x, y);
            while (next != end && *next < here) ++next;
            const std::span<const std::uint32_t> old = neighbours(x, y);
            if (next == end || *next != here) {
                maker.add(local(x, y), old);
                return;
            }
            const Corners quadrants = quadrants_changed(x, y);
            targets.clear();
            for (const std::uint32_t cell : old) {
                const auto w = static_cast<std::uint32_t>(width_);
                const grid::Rect at{static_cast<int>(cell % w), static_cast<int>(cell / w), 1, 1};
                if ((quadrants_with(at, x, y) & quadrants) == 0) targets.push_back(cell);
            }
            add_direct_edges(after, x, y, quadrants, targets);
            maker.add(local(x, y), targets);
        });
        while (next != end && *next / kTileCells == t) ++next;
        changes.emplace_back(t, maker.take());
    }
    SubgoalGraph out = *this;
    out.records_ = records_.with(changes);
    return out;
}

std::size_t SubgoalGraph::arc_count() const noexcept {
    std::size_t arcs = 0;
    for (std::size_t t = 0; t < records_.size(); ++t) {
        const RecordStore::Record record = records_[t];
        if (!record.empty()) arcs += record.size() - 1 - record[0];
    }
    return arcs;
}

bool SubgoalGraph::well_formed(RecordStore::Record record) noexcept {
    if (record.empty()) return true;
    const std::size_t n = record[0];
    if (n == 0 || n > kTileCells || record.size() < 1 + n) return false;
    if (record[1] >> 8 != 1 + n) return false;
    for (std::size_t i = 2; i <= n; ++i) {
        if ((record[i] & 0xff) <= (record[i - 1] & 0xff)) return false;
        if (record[i] >> 8 < record[i - 1] >> 8) return false;
    }
    return record[n] >> 8 <= record.size();
}

void HReachableEdges::find(int x, int y, std::vector<std::uint32_t>& out) {
    const int width = bits_.width();
    out.assign(1, static_cast<std::uint32_t>(y * width + x));
    ++search_;
    seen_[bits_.number(x, y)] = search_;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int from_x = static_cast<int>(out[i]) % width;
        const int from_y = static_cast<int>(out[i]) / width;
        for (const std::uint32_t cell : direct_.neighbours(from_x, from_y)) {
            const int to_x = static_cast<int>(cell) % width;
            const int to_y = static_cast<int>(cell) / width;
            // The octile distances add up to that of the whole only in a common octant.
            if (i > 0 && (octants_between(from_x - x, from_y - y) &
                          octants_between(to_x - from_x, to_y - from_y)) == 0) {
                continue;
            }
            std::uint32_t& seen = seen_[bits_.number(to_x, to_y)];
            if (seen == search_) continue;
            seen = search_;
            out.push_back(cell);
        }
    }
    out.erase(out.begin());
    std::sort(out.begin(), out.end());
}

}  // namespace cairn::subgoal
