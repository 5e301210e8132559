#include "cairn/hpa/lazy_path.hpp"

#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/path_check.hpp"
#include "core/guarded.hpp"
#include "hpa/connect.hpp"
#include "hpa/refine.hpp"

namespace cairn::hpa {

using grid::Cell;
using grid::kNoCell;

namespace {

// The legs of one level that are not refined yet.
struct Itinerary {
    std::vector<Cell> targets;  // the ends of legs: nodes, and kNoCell for G
    std::size_t next = 0;       // the target of the next leg
    Cell from = kNoCell;        // where the next leg begins; kNoCell for S
};

}  // namespace

struct LazyPath::Impl {
    std::optional<Index> index;
    Endpoint start;
    Endpoint goal;
    Connect connect;
    Refine refine;
    std::vector<Itinerary> levels;  // [level - 1]
    std::vector<Cell> cells;        // of the legs refined last
    std::size_t handed_out = 0;     // how many of `cells`
    Cell last = kNoCell;            // the cell handed out last
    Cost walked = 0;                // from the start to `last`
    Cost cost = kInfinity;          // of the whole path
    grid::SearchStatistics effort;
    StatusCode status = StatusCode::ok;

    /// A snapshot on which the rest of the path is legal, besides that of `index`.
    std::uint64_t also_legal = 0;

    bool next_leg(int level, Leg& leg);
    void give_back(int level, const Leg& leg) noexcept;
    bool append_next_leg();
    bool rest_is_legal(const grid::Map& map);
};

LazyPath::LazyPath() noexcept = default;
LazyPath::~LazyPath() = default;
LazyPath::LazyPath(LazyPath&&) noexcept = default;
LazyPath& LazyPath::operator=(LazyPath&&) noexcept = default;

StatusCode LazyPath::begin(const Index& index, const Answer& answer) noexcept try {
    if (impl_ == nullptr) impl_ = std::make_unique<Impl>();
    impl_->index.reset();
    if (answer.status != StatusCode::ok) return answer.status;
    if (answer.snapshot_id != index.snapshot_id()) return StatusCode::stale_index;
    if (answer.abstract_nodes.empty() || answer.detour) return StatusCode::unsupported;

    Impl& path = *impl_;
    path.index = index;
    path.status = StatusCode::ok;
    path.effort = {};
    path.walked = 0;
    path.cost = answer.direct_line ? answer.cost : 0;
    path.handed_out = 0;
    path.also_legal = 0;
    path.last = kNoCell;
    path.cells.assign(1, answer.abstract_nodes.front());
    path.levels.assign(static_cast<std::size_t>(std::max(answer.abstract_level, 1)), {});
    const grid::Map& map = index.map();
    if (answer.direct_line) {
        const grid::Point from = map.point(answer.abstract_nodes.front());
        const grid::Point to = map.point(answer.abstract_nodes.back());
        grid::append_line(map, from, to, grid::free_line(map, from, to).shape, path.cells);
        return StatusCode::ok;
    }
    const Snapshot& snapshot = index.snapshot();
    path.connect.to_first_level(snapshot, answer.abstract_nodes.front(), path.start, path.effort);
    path.connect.to_first_level(snapshot, answer.abstract_nodes.back(), path.goal, path.effort);
    path.connect.to_level(snapshot, answer.abstract_level, path.start, path.effort);
    path.connect.to_level(snapshot, answer.abstract_level, path.goal, path.effort);
    auto& top = path.levels.back();
    top.targets.assign(answer.abstract_nodes.begin() + 1, answer.abstract_nodes.end() - 1);
    top.targets.push_back(kNoCell);
    path.cost = answer.abstract_cost;
    return StatusCode::ok;
} catch (...) {
    impl_.reset();
    return out_of_memory();
}

// Sets `leg` to the next leg of a level. If the level has none left, refines the next leg of the
// level above first. Returns false at the path's end.
bool LazyPath::Impl::next_leg(int level, Leg& leg) {
    Itinerary& here = levels[static_cast<std::size_t>(level - 1)];
    while (here.next == here.targets.size()) {
        if (level == static_cast<int>(levels.size())) return false;
        Leg above;
        if (!next_leg(level + 1, above)) return false;
        here.targets.clear();
        here.next = 0;
        try {
            refine.levels().to_level_below(index->snapshot().overlay, level + 1, above, start, goal,
                                           here.targets, effort);
            if (above.to == kNoCell) here.targets.push_back(kNoCell);
        } catch (...) {
            here.targets.clear();
            give_back(level + 1, above);
            throw;
        }
    }
    leg = {here.from, here.targets[here.next++]};
    here.from = leg.to;
    return true;
}

// Undoes next_leg, which set `leg`, so that the next call gives the same leg again.
void LazyPath::Impl::give_back(int level, const Leg& leg) noexcept {
    Itinerary& here = levels[static_cast<std::size_t>(level - 1)];
    --here.next;
    here.from = leg.from;
}

// Appends the cells of the next leg; false at the path's end.
bool LazyPath::Impl::append_next_leg() {
    const std::size_t before = cells.size();
    Leg leg;
    if (!next_leg(1, leg)) return false;
    try {
        Refine::to_cells(index->snapshot(), leg, start, goal, connect.inside(), cells, effort);
    } catch (...) {
        cells.resize(before);
        give_back(1, leg);
        throw;
    }
    return true;
}

// Whether the cells from the one handed out last on can be walked on another map. Refines the rest
// of the path.
bool LazyPath::Impl::rest_is_legal(const grid::Map& map) {
    const grid::Map& own = index->map();
    if (map.width() != own.width() || map.height() != own.height()) return false;
    cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(handed_out));
    handed_out = 0;
    while (append_next_leg()) {
    }
    if (last != kNoCell) {
        const Cell next = cells.empty() ? kNoCell : cells.front();
        if (!map.passable(last)) return false;
        if (next != kNoCell && next != last && grid::legal_direction(map, last, next) < 0)
            return false;
    }
    const grid::Rect whole{0, 0, map.width(), map.height()};
    return grid::first_illegal_step(map, cells, {&whole, 1}) == cells.size();
}

std::optional<Cell> LazyPath::next() noexcept {
    if (impl_ == nullptr || !impl_->index) return std::nullopt;
    Impl& path = *impl_;
    const grid::Map& map = path.index->map();
    while (path.handed_out == path.cells.size()) {
        bool more = false;
        path.cells.clear();
        path.handed_out = 0;
        path.status = guarded([&] {
            more = path.append_next_leg();
            return StatusCode::ok;
        });
        if (path.status != StatusCode::ok) path.refine = {};  // its state may be half changed
        if (!more) return std::nullopt;
    }
    const Cell cell = path.cells[path.handed_out++];
    if (path.last != kNoCell) {
        const grid::Point a = map.point(path.last);
        const grid::Point b = map.point(cell);
        path.walked += map.move_cost(path.last, grid::direction_of(b.x - a.x, b.y - a.y));
    }
    path.last = cell;
    return cell;
}

bool LazyPath::stale(const Index& current) noexcept {
    if (impl_ == nullptr || !impl_->index) return true;
    const std::uint64_t id = current.snapshot_id();
    if (id == impl_->index->snapshot_id() || id == impl_->also_legal) return false;
    bool legal = false;
    const StatusCode status = guarded([&] {
        legal = impl_->rest_is_legal(current.map());
        return StatusCode::ok;
    });
    if (status != StatusCode::ok) impl_->refine = {};  // its state may be half changed
    if (legal) impl_->also_legal = id;
    return !legal;
}
StatusCode LazyPath::status() const noexcept {
    return impl_ == nullptr ? StatusCode::ok : impl_->status;
}
Cost LazyPath::walked() const noexcept { return impl_ == nullptr ? 0 : impl_->walked; }
Cost LazyPath::cost() const noexcept { return impl_ == nullptr ? kInfinity : impl_->cost; }
grid::SearchStatistics LazyPath::statistics() const noexcept {
    return impl_ == nullptr ? grid::SearchStatistics() : impl_->effort;
}

}  // namespace cairn::hpa
