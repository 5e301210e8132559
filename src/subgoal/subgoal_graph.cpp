#include "subgoal/subgoal_graph.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "subgoal/direct_scan.hpp"
#include "subgoal/h_reachable_edges.hpp"

namespace cairn::subgoal {
namespace {

using Record = std::vector<std::uint32_t>;

// Puts a tile's record together, subgoal by subgoal.
class RecordMaker {
public:
    void add(std::uint32_t local, std::span<const std::uint32_t> edges) {
        nodes_.push_back(local | static_cast<std::uint32_t>(edges_.size()) << 8);
        edges_.insert(edges_.end(), edges.begin(), edges.end());
    }
    // Empty without subgoals. Ready for the next tile afterwards.
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
    Record nodes_;
    Record edges_;
};

// The direct-h-reachable subgoals of (x, y) as sorted cells.
void direct_edges(const SubgoalBits& bits, int x, int y, Record& out) {
    out.clear();
    for_each_direct(bits, x, y, [&](int to_x, int to_y, Octants) {
        out.push_back(static_cast<std::uint32_t>(to_y * bits.width() + to_x));
    });
    std::sort(out.begin(), out.end());
}

// Calls use(x, y) for each subgoal of a tile in order.
template <class Use>
void for_each_in_tile(const SubgoalBits& bits, grid::Point corner, Use&& use) {
    const int right = std::min(corner.x + SubgoalGraph::kTileSide, bits.width());
    const int bottom = std::min(corner.y + SubgoalGraph::kTileSide, bits.height());
    for (int y = corner.y; y < bottom; ++y) {
        for (int x = corner.x; x < right; ++x) {
            if (bits.is_subgoal(x, y)) use(x, y);
        }
    }
}

}  // namespace

Result<SubgoalGraph> SubgoalGraph::build(const SubgoalBits& bits, Edges edges,
                                         const BuildControl& control) {
    SubgoalGraph graph(bits.width(), {});
    std::vector<Record> records(tile_count(bits.width(), bits.height()));
    std::atomic<bool> cancelled = false;
    const auto make_tiles = [&](const tbb::blocked_range<std::size_t>& range) {
        RecordMaker maker;
        Record targets;
        for (std::size_t t = range.begin(); t < range.end(); ++t) {
            if (control.cancelled()) cancelled = true;
            if (cancelled) return;
            for_each_in_tile(bits, graph.tile_corner(t), [&](int x, int y) {
                direct_edges(bits, x, y, targets);
                maker.add(local(x, y), targets);
            });
            records[t] = maker.take();
        }
    };
    tbb::task_arena arena(control.threads > 0 ? control.threads : tbb::task_arena::automatic);
    arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, records.size(), 64), make_tiles);
    });
    if (cancelled) return fail(StatusCode::cancelled);
    graph.records_ = RecordStore(records);
    if (edges == Edges::direct) {
        if (control.progress) control.progress(1);
        return graph;
    }
    return graph.widened(bits, control);
}

// With edges to whatever a chain of direct ones of octile length leads to.
Result<SubgoalGraph> SubgoalGraph::widened(const SubgoalBits& bits,
                                           const BuildControl& control) const {
    HReachableEdges wider(bits, *this);
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
            wider.find(x, y, targets);
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

// The subgoals whose edges an edit may change. What they can see of the edited cells, they see
// through the ring of unchanged cells around: a line that comes in crosses a cell of the ring that
// is direct-h-reachable from them, and so they are from it.
class Affected {
public:
    Affected(const SubgoalBits& before, const SubgoalBits& after)
        : before_(before), after_(after) {}

    void add(const grid::Rect& area) {
        // An edit makes and unmakes subgoals one cell around it; the ring lies around those.
        const int left = area.x - 2;
        const int top = area.y - 2;
        const int right = area.x + area.width + 1;
        const int bottom = area.y + area.height + 1;
        for (int x = left; x <= right; ++x) {
            see_from<kNorthward>(x, top);
            see_from<kSouthward>(x, bottom);
        }
        for (int y = top + 1; y < bottom; ++y) {
            see_from<kWestward>(left, y);
            see_from<kEastward>(right, y);
        }
        for (int y = std::max(top, 0); y <= std::min(bottom, after_.height() - 1); ++y) {
            for (int x = std::max(left, 0); x <= std::min(right, after_.width() - 1); ++x) {
                if (before_.is_subgoal(x, y) || after_.is_subgoal(x, y)) push(x, y);
            }
        }
    }

    // The cells, sorted by tile and then as in a record.
    [[nodiscard]] std::vector<std::uint32_t> take() {
        std::sort(cells_.begin(), cells_.end());
        cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
        return std::move(cells_);
    }

private:
    // Who looks in through a side of the ring is on the outer side of it.
    static constexpr Corners kNorthward = 1 | 8;
    static constexpr Corners kEastward = 1 | 2;
    static constexpr Corners kSouthward = 2 | 4;
    static constexpr Corners kWestward = 4 | 8;

    template <Corners kDiagonals>
    void see_from(int x, int y) {
        if (x < 0 || y < 0 || x >= after_.width() || y >= after_.height()) return;
        const auto seen = [this](int to_x, int to_y, Octants) { push(to_x, to_y); };
        if (!before_.blocked(x, y)) for_each_direct<kDiagonals>(before_, x, y, seen);
        if (!after_.blocked(x, y)) for_each_direct<kDiagonals>(after_, x, y, seen);
    }
    void push(int x, int y) {
        cells_.push_back(static_cast<std::uint32_t>(y * after_.width() + x));
    }

    const SubgoalBits& before_;
    const SubgoalBits& after_;
    std::vector<std::uint32_t> cells_;
};

}  // namespace

SubgoalGraph SubgoalGraph::edited(const SubgoalBits& before, const SubgoalBits& after,
                                  std::span<const grid::TerrainEdit> edits) const {
    Affected affected(before, after);
    for (const grid::TerrainEdit& edit : edits) affected.add(edit.area);
    const std::vector<std::uint32_t> cells = affected.take();
    std::vector<std::uint32_t> touched;
    touched.reserve(cells.size());
    const auto w = static_cast<std::uint32_t>(width_);
    const auto point = [w](std::uint32_t cell) {
        return grid::Point{static_cast<std::int32_t>(cell % w),
                           static_cast<std::int32_t>(cell / w)};
    };
    for (const std::uint32_t cell : cells) {
        touched.push_back(static_cast<std::uint32_t>(tile(point(cell).x, point(cell).y)));
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());

    std::vector<RecordStore::Change> changes;
    RecordMaker maker;
    Record targets;
    for (const std::uint32_t t : touched) {
        for_each_in_tile(after, tile_corner(t), [&](int x, int y) {
            if (std::binary_search(cells.begin(), cells.end(),
                                   static_cast<std::uint32_t>(y * width_ + x))) {
                direct_edges(after, x, y, targets);
                maker.add(local(x, y), targets);
            } else {
                maker.add(local(x, y), neighbours(x, y));
            }
        });
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
    if (n == 0 || n > std::size_t{kTileSide} * kTileSide || record.size() < 1 + n) return false;
    if (record[1] >> 8 != 1 + n) return false;
    for (std::size_t i = 2; i <= n; ++i) {
        if ((record[i] & 0xff) <= (record[i - 1] & 0xff)) return false;
        if (record[i] >> 8 < record[i - 1] >> 8) return false;
    }
    return record[n] >> 8 <= record.size();
}

bool operator==(const SubgoalGraph& a, const SubgoalGraph& b) noexcept {
    if (a.width_ != b.width_ || a.records_.size() != b.records_.size()) return false;
    for (std::size_t t = 0; t < a.records_.size(); ++t) {
        const auto x = a.records_[t];
        const auto y = b.records_[t];
        if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
    }
    return true;
}

}  // namespace cairn::subgoal
