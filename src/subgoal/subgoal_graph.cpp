#include "subgoal/subgoal_graph.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel_loop.hpp"
#include "subgoal/affected.hpp"
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

// Scans again only the quadrants of affected subgoals in which cells changed: the cells that must
// be free for an edge all lie in one quadrant.
SubgoalGraph SubgoalGraph::edited(const SubgoalBits& after,
                                  std::span<const grid::TerrainEdit> edits,
                                  std::span<const std::uint32_t> affected) const {
    const auto quadrants_changed = [edits](int x, int y) {
        Corners out = 0;
        for (const grid::TerrainEdit& edit : edits) out |= quadrants_with(changed_area(edit), x, y);
        return out;
    };
    std::vector<RecordStore::Change> changes;
    RecordMaker maker;
    Record targets;
    const auto end = affected.end();
    for (auto next = affected.begin(); next != end;) {
        const std::uint32_t t = *next / kTileCells;
        const RecordStore::Record record = records_[t];
        const std::uint32_t n = record.empty() ? 0 : record[0];
        std::uint32_t i = 1;
        for_each_in_tile(after, tile_corner(t), [&](int x, int y) {
            const std::uint32_t here = key(width_, x, y);
            while (next != end && *next < here) ++next;
            while (i <= n && (record[i] & 0xff) < local(x, y)) ++i;
            const bool is_old = i <= n && (record[i] & 0xff) == local(x, y);
            const RecordStore::Record old = is_old ? edges_of(record, i) : RecordStore::Record();
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
        Record changed = maker.take();
        if (!std::equal(changed.begin(), changed.end(), record.begin(), record.end()))
            changes.emplace_back(t, std::move(changed));
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
