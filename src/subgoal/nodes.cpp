#include "subgoal/nodes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/sort_unique.hpp"

namespace cairn::subgoal {

Nodes::Nodes(const SubgoalBits& bits, std::span<const Octants> useful)
    : width_(bits.width()),
      tiles_across_((static_cast<unsigned>(bits.width()) + kSide - 1) / kSide),
      present_(static_cast<std::uint32_t>(bits.count())),
      useful_(useful) {
    const auto tiles_down = (static_cast<unsigned>(bits.height()) + kSide - 1) / kSide;
    constexpr std::size_t kPage = PagedArray<grid::Point>::kPageSize;
    const auto points = unwritten_page<grid::Point>((bits.count() + kPage - 1) / kPage * kPage);
    std::uint32_t count = 0;
    std::vector<std::vector<std::uint32_t>> row(tiles_across_);
    std::vector<RecordStore::Change> records;
    for (std::uint32_t down = 0; down < tiles_down; ++down) {
        const auto top = static_cast<int>(down * kSide);
        const int bottom = std::min(top + static_cast<int>(kSide), bits.height());
        for (int y = top; y < bottom; ++y) {
            bits.for_each_in_row(y, [&](int x, int) {
                auto& record = row[static_cast<unsigned>(x) / kSide];
                if (record.empty()) record.resize(kHeader);
                record[bit(x, y) / 32] |= std::uint32_t{1} << bit(x, y) % 32;
                points[count] = {x, y};
                record.push_back(count++);
            });
        }
        for (std::uint32_t across = 0; across < tiles_across_; ++across) {
            if (row[across].empty()) continue;
            records.emplace_back(down * tiles_across_ + across, std::move(row[across]));
            row[across].clear();
        }
    }
    points_ = PagedArray<grid::Point>(points, count);
    fresh_points_ = points.get();
    records_ = RecordBands(std::size_t{tiles_across_} * tiles_down).with(std::move(records));
}

std::vector<std::uint32_t> Nodes::changed(RecordStore::Record record,
                                          std::span<const Change> changes) const {
    std::array<std::uint32_t, kSide * kSide> numbers;
    std::uint64_t cells = record.empty() ? 0 : subgoals_of(record);
    std::size_t next = kHeader;
    for (std::uint64_t left = cells; left != 0; left &= left - 1)
        numbers[static_cast<std::size_t>(std::countr_zero(left))] = record[next++];
    for (const Change& change : changes) {
        const unsigned at = bit(change.point.x, change.point.y);
        cells ^= std::uint64_t{1} << at;
        numbers[at] = change.number;
    }
    std::vector<std::uint32_t> out;
    if (cells == 0) return out;
    out = {static_cast<std::uint32_t>(cells), static_cast<std::uint32_t>(cells >> 32)};
    for (std::uint64_t left = cells; left != 0; left &= left - 1)
        out.push_back(numbers[static_cast<std::size_t>(std::countr_zero(left))]);
    return out;
}

Nodes Nodes::edited(const SubgoalBits& bits, std::span<const grid::TerrainEdit> edits,
                    Octants useful_of_new) const {
    std::vector<grid::Cell> cells;
    for (const grid::TerrainEdit& edit : edits) {
        const grid::Rect& a = edit.area;
        const int right = std::min(a.x + a.width, bits.width() - 1);
        const int bottom = std::min(a.y + a.height, bits.height() - 1);
        for (int y = std::max(a.y - 1, 0); y <= bottom; ++y) {
            for (int x = std::max(a.x - 1, 0); x <= right; ++x) {
                if (has(x, y) != bits.is_subgoal(x, y))
                    cells.push_back(grid::cell_of(width_, {x, y}));
            }
        }
    }
    sort_unique(cells);
    std::vector<Change> changes;
    for (const grid::Cell cell : cells) {
        const grid::Point p = grid::point_of(width_, cell);
        changes.push_back({static_cast<std::uint32_t>(tile(p.x, p.y)), p, 0});
    }

    Nodes out = *this;
    out.fresh_ = false;
    out.present_ = static_cast<std::uint32_t>(bits.count());
    out.fresh_points_ = nullptr;
    PagedArray<grid::Point>::Editor points(points_);
    PagedArray<Octants>::Editor useful(useful_);
    for (Change& change : changes) {
        const grid::Point p = change.point;
        if (has(p.x, p.y)) {
            const std::uint32_t node = number(p.x, p.y);
            points.set(node, {-1, -1});
            useful.set(node, 0);
        } else {
            change.number = static_cast<std::uint32_t>(points.size());
            points.push_back(p);
            useful.push_back(useful_of_new);
        }
    }
    out.points_ = points.take();
    out.useful_ = useful.take();

    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.tile < b.tile; });
    std::vector<RecordStore::Change> records;
    for (auto next = changes.begin(); next != changes.end();) {
        const auto end = std::find_if(next, changes.end(),
                                      [&](const Change& c) { return c.tile != next->tile; });
        records.emplace_back(next->tile, changed(records_[next->tile], {next, end}));
        next = end;
    }
    out.records_ = records_.with(std::move(records));
    return out;
}

Nodes Nodes::compacted(const SubgoalBits& bits) const {
    std::vector<Octants> useful;
    useful.reserve(bits.count());
    for (int y = 0; y < bits.height(); ++y)
        bits.for_each_in_row(y, [&](int x, int) { useful.push_back(useful_[number(x, y)]); });
    return {bits, useful};
}

std::vector<grid::Cell> Nodes::cells() const {
    std::vector<grid::Cell> cells;
    cells.reserve(size());
    for (std::uint32_t node = 0; node < size(); ++node) cells.push_back(cell(node));
    return cells;
}

std::vector<NodePoint> Nodes::node_points() const {
    std::vector<NodePoint> out;
    out.reserve(size());
    for (std::uint32_t node = 0; node < size(); ++node)
        out.push_back({point(node).x, point(node).y});
    return out;
}

std::vector<grid::Point> Nodes::points() const {
    std::vector<grid::Point> points;
    points.reserve(size());
    points_.for_each_run([&](std::span<const grid::Point> run) {
        points.insert(points.end(), run.begin(), run.end());
    });
    return points;
}

}  // namespace cairn::subgoal
