#include "subgoal/connector_table.hpp"

#include <atomic>
#include <limits>
#include <utility>

#include "core/parallel_loop.hpp"
#include "subgoal/connected_cells.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {
namespace {

constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

// The lines that a table may have.
std::uint64_t most_lines(const SubgoalBits& bits) {
    const auto cells =
        static_cast<std::uint64_t>(bits.width()) * static_cast<std::uint64_t>(bits.height());
    return std::min<std::uint64_t>(cells * ConnectorTable::kMaxBytesPerCell / kEntryBytes,
                                   std::numeric_limits<std::uint32_t>::max());
}

// A line of a tile, before it is put into the table.
struct FoundLine {
    std::uint64_t cells;
    std::uint32_t tile;
    std::uint32_t node;
};

}  // namespace

// Builds a table in two parallel steps. The map's rows are divided into bands, and the tiles into
// stretches. First each band finds the lines of its subgoals, and appends each to its list for the
// line's stretch. Then each stretch puts the lines of its lists into the table.
class ConnectorTable::Builder {
public:
    Builder(const SubgoalBits& bits, const DiagonalBits& diagonals, const Nodes& nodes,
            const BuildControl& control)
        : bits_(bits),
          diagonals_(diagonals),
          nodes_(nodes),
          control_(control),
          tiles_(ConnectorView::tiles_along(bits.width()) *
                 ConnectorView::tiles_along(bits.height())),
          most_(most_lines(bits)) {
        while (tiles_ >> stretch_shift_ >= kMostStretches) ++stretch_shift_;
        stretches_ = (tiles_ >> stretch_shift_) + 1;
        bands_ = std::min(kMostBands, ConnectorView::tiles_along(bits.height()));
        found_.resize(bands_ * stretches_);
    }

    Result<ConnectorTable> build() {
        find_all();
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (entries_ > most_) return fail(StatusCode::too_large, "too many connectors");
        lines_.first.resize(tiles_ + 1);
        lines_.cells.resize(entries_);
        lines_.nodes.resize(entries_);
        std::vector<std::uint32_t> begin(stretches_ + 1);
        for (std::size_t stretch = 0; stretch < stretches_; ++stretch) {
            std::size_t size = begin[stretch];
            for (std::size_t band = 0; band < bands_; ++band) size += found(band, stretch).size();
            begin[stretch + 1] = static_cast<std::uint32_t>(size);
        }
        for_each_index(stretches_, 1, control_,
                       [&](std::size_t, std::size_t stretch) { sort(stretch, begin[stretch]); });
        lines_.first[tiles_] = begin[stretches_];
        return ConnectorTable(ConnectorView::tiles_along(bits_.width()), std::move(lines_));
    }

private:
    static constexpr std::size_t kMostBands = 64;
    static constexpr std::size_t kMostStretches = 64;
    using List = std::vector<FoundLine>;

    List& found(std::size_t band, std::size_t stretch) {
        return found_[band * stretches_ + stretch];
    }

    void find_all() {
        PerWorker<ConnectedCells> scratch;
        scratch.begin(control_);
        for_each_index(bands_, 1, control_, [&](std::size_t worker, std::size_t band) {
            find(band, scratch.of(worker, [this] {
                return ConnectedCells(bits_.width(), bits_.height());
            }));
        });
    }

    // Finds the lines of a band's subgoals.
    void find(std::size_t band, ConnectedCells& connected) {
        const auto height = static_cast<std::size_t>(bits_.height());
        const auto end = static_cast<int>((band + 1) * height / bands_);
        for (auto y = static_cast<int>(band * height / bands_); y < end; ++y) {
            bits_.for_each_in_row(y, [&](int x, int) {
                if (control_.cancelled() || entries_ > most_) return;
                const std::uint32_t node = bits_.number(x, y);
                connected.add(bits_, diagonals_, {x, y}, reversed(nodes_.useful(node)));
                entries_ += connected.tiles();
                connected.take([&](std::uint32_t tile, std::uint64_t cells) {
                    found(band, tile >> stretch_shift_).push_back({cells, tile, node});
                });
            });
        }
    }

    // Sorts by tile, by counting. The lists come in the order of the bands, so lines of a tile keep
    // the order of the subgoals' numbers. `begin` is the stretch's first line in the table.
    void sort(std::size_t stretch, std::uint32_t begin) {
        const std::size_t first_tile = std::min(stretch << stretch_shift_, tiles_);
        const std::size_t last_tile = std::min((stretch + 1) << stretch_shift_, tiles_);
        std::vector<std::uint32_t> next(last_tile - first_tile);
        for_each_found(stretch, [&](const FoundLine& line) { ++next[line.tile - first_tile]; });
        for (std::size_t tile = first_tile; tile < last_tile; ++tile) {
            lines_.first[tile] = begin;
            begin += std::exchange(next[tile - first_tile], begin);
        }
        for_each_found(stretch, [&](const FoundLine& line) {
            const std::uint32_t place = next[line.tile - first_tile]++;
            lines_.cells[place] = line.cells;
            lines_.nodes[place] = line.node;
        });
        for (std::size_t band = 0; band < bands_; ++band) List().swap(found(band, stretch));
    }

    template <class Use>
    void for_each_found(std::size_t stretch, Use&& use) {
        for (std::size_t band = 0; band < bands_; ++band) {
            for (const FoundLine& line : found(band, stretch)) use(line);
        }
    }

    const SubgoalBits& bits_;
    const DiagonalBits& diagonals_;
    const Nodes& nodes_;
    const BuildControl& control_;
    const std::size_t tiles_;
    const std::uint64_t most_;    // lines that the table may have
    unsigned stretch_shift_ = 0;  // a stretch has 2^stretch_shift_ tiles
    std::size_t stretches_ = 0;
    std::size_t bands_ = 0;
    std::vector<List> found_;                 // by band, then stretch
    std::atomic<std::uint64_t> entries_ = 0;  // lines found so far
    Lines lines_;
};

Result<ConnectorTable> ConnectorTable::build(const SubgoalBits& bits, const DiagonalBits& diagonals,
                                             const Nodes& nodes, const BuildControl& control) {
    auto table =
        on_threads(control, [&] { return Builder(bits, diagonals, nodes, control).build(); });
    if (table && control.progress) control.progress(1);
    return table;
}

void ConnectorTable::lines_of(std::size_t tile, std::vector<Line>& out) const {
    out.clear();
    if (!replaced_.none()) {
        const RecordStore::Record record = replaced_[tile];
        if (!record.empty()) {
            const std::size_t count = record[0];
            for (std::size_t i = 1; i <= count; ++i) {
                out.push_back(
                    {record[i], record[i + count] | std::uint64_t{record[i + 2 * count]} << 32});
            }
            return;
        }
    }
    for (std::uint32_t i = view_.first[tile]; i < view_.first[tile + 1]; ++i)
        out.push_back({view_.nodes[i], view_.cells[i]});
}

bool operator==(const ConnectorTable& a, const ConnectorTable& b) {
    if (a.view_.tiles_across != b.view_.tiles_across || a.tiles() != b.tiles()) return false;
    std::vector<ConnectorTable::Line> lines_a;
    std::vector<ConnectorTable::Line> lines_b;
    for (std::size_t tile = 0; tile < a.tiles(); ++tile) {
        a.lines_of(tile, lines_a);
        b.lines_of(tile, lines_b);
        if (lines_a != lines_b) return false;
    }
    return true;
}

ConnectorTable ConnectorTable::edited(const Snapshot& before, const Snapshot& after,
                                      std::span<const std::uint32_t> changed) const {
    if (empty()) return {};
    // Finds the lines that change: those without cells are no more.
    std::vector<FoundLine> found;
    std::vector<FoundLine> old_found;  // of one node
    ConnectedCells connected(after.bits.width(), after.bits.height());
    const auto add = [&](const Snapshot& snapshot, std::uint32_t node) {
        if (node >= snapshot.nodes.size() || snapshot.nodes.removed(node)) return;
        const Octants octants = reversed(snapshot.nodes.useful(node));
        connected.add(snapshot.bits, snapshot.diagonals, snapshot.nodes.point(node), octants);
    };
    for (const std::uint32_t node : changed) {
        old_found.clear();
        add(before, node);
        connected.take([&](std::uint32_t tile, std::uint64_t cells) {
            old_found.push_back({cells, tile, node});
        });
        add(after, node);
        for (const FoundLine& old : old_found) {
            const std::uint64_t cells = connected.take_tile(old.tile);
            if (cells != old.cells) found.push_back({cells, old.tile, node});
        }
        connected.take([&](std::uint32_t tile, std::uint64_t cells) {
            if (cells != 0) found.push_back({cells, tile, node});
        });
    }
    const auto cell_of = [&](std::uint32_t node) {
        const bool removed = after.nodes.removed(node);
        return (removed ? before : after).nodes.cell(node);
    };
    std::sort(found.begin(), found.end(), [&](const FoundLine& a, const FoundLine& b) {
        return a.tile != b.tile ? a.tile < b.tile : cell_of(a.node) < cell_of(b.node);
    });

    std::uint64_t line_count = lines_;
    std::vector<RecordStore::Change> records;
    std::vector<Line> old_lines;
    std::vector<Line> lines;
    for (auto next = found.begin(); next != found.end();) {
        const std::uint32_t tile = next->tile;
        lines_of(tile, old_lines);
        lines.clear();
        auto old = old_lines.begin();
        for (; next != found.end() && next->tile == tile; ++next) {
            while (old != old_lines.end() && cell_of(old->node) < cell_of(next->node))
                lines.push_back(*old++);
            if (old != old_lines.end() && old->node == next->node) ++old;
            if (next->cells != 0) lines.push_back({next->node, next->cells});
        }
        lines.insert(lines.end(), old, old_lines.end());
        line_count = line_count + lines.size() - old_lines.size();

        std::vector<std::uint32_t> record{static_cast<std::uint32_t>(lines.size())};
        record.reserve(1 + 3 * lines.size());
        for (const Line& line : lines) record.push_back(line.node);
        for (const Line& line : lines) record.push_back(static_cast<std::uint32_t>(line.cells));
        for (const Line& line : lines)
            record.push_back(static_cast<std::uint32_t>(line.cells >> 32));
        records.emplace_back(tile, std::move(record));
    }
    if (line_count > most_lines(after.bits)) return {};
    ConnectorTable out = *this;
    out.lines_ = line_count;
    if (records.empty()) return out;
    if (out.replaced_.none()) out.replaced_ = RecordBands(tiles());
    out.replaced_ = out.replaced_.with(std::move(records));
    return out;
}

ConnectorTable ConnectorTable::compacted(const Nodes& nodes, const SubgoalBits& bits) const {
    if (empty()) return {};
    Lines out;
    out.first.reserve(tiles() + 1);
    out.cells.reserve(lines_);
    out.nodes.reserve(lines_);
    std::vector<Line> lines;
    for (std::size_t tile = 0; tile < tiles(); ++tile) {
        out.first.push_back(static_cast<std::uint32_t>(out.nodes.size()));
        lines_of(tile, lines);
        for (Line& line : lines) {
            const grid::Point p = nodes.point(line.node);
            line.node = bits.number(p.x, p.y);
        }
        for (const Line& line : lines) {
            out.cells.push_back(line.cells);
            out.nodes.push_back(line.node);
        }
    }
    out.first.push_back(static_cast<std::uint32_t>(out.nodes.size()));
    return {view_.tiles_across, std::move(out)};
}

}  // namespace cairn::subgoal
