#include "subgoal/connectors.hpp"

#include <atomic>
#include <limits>
#include <utility>

#include "core/parallel_loop.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/engines.hpp"

namespace cairn::subgoal {
namespace {

constexpr std::uint32_t kSide = ConnectorTable::kTileSide;
constexpr std::size_t kEntryBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

std::size_t tiles_along(int cells) { return (static_cast<std::size_t>(cells) + kSide - 1) / kSide; }

// A line of a tile, before it is put into the table.
struct FoundLine {
    std::uint64_t cells;
    std::uint32_t tile;
    std::uint32_t node;
};

// The cells of which one subgoal is a connector, as a set of bits for each tile. Used for one
// subgoal after another.
//
// Direct-h-reachability is mutual: the cells are those that listing 15.1 finds from the subgoal, in
// the octants opposite to the useful ones.
class ConnectedCells {
public:
    ConnectedCells(const SubgoalBits& bits, const DiagonalBits& diagonals)
        : bits_(bits),
          diagonals_(diagonals),
          across_(tiles_along(bits.width())),
          cells_(across_ * tiles_along(bits.height())),
          touched_(cells_.size() + 1) {}

    /// Adds the cells that the subgoal at (x, y) sees in some octants.
    void add(int x, int y, Octants octants) {
        add_octant<grid::kNorth, grid::kNorthEast>(x, y, octants);
        add_octant<grid::kEast, grid::kNorthEast>(x, y, octants);
        add_octant<grid::kEast, grid::kSouthEast>(x, y, octants);
        add_octant<grid::kSouth, grid::kSouthEast>(x, y, octants);
        add_octant<grid::kSouth, grid::kSouthWest>(x, y, octants);
        add_octant<grid::kWest, grid::kSouthWest>(x, y, octants);
        add_octant<grid::kWest, grid::kNorthWest>(x, y, octants);
        add_octant<grid::kNorth, grid::kNorthWest>(x, y, octants);
    }

    /// How many tiles have some of the cells.
    [[nodiscard]] std::size_t tiles() const noexcept { return count_; }
    /// Calls use(tile, cells) for each such tile, and removes all cells.
    template <class Use>
    void take(Use&& use) {
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t tile = touched_[i];
            use(tile, cells_[tile]);
            cells_[tile] = 0;
        }
        count_ = 0;
    }

private:
    // Adds the cells on the cardinal lines from (x, y) and from each cell of the diagonal. No line
    // is longer than the one before it. A subgoal that ends a line is one of the cells.
    template <int kCardinal, int kDiagonal>
    void add_octant(int x, int y, Octants octants) {
        if ((octants & octant_of(kCardinal, kDiagonal)) == 0) return;
        const Clearance straight = cardinal_clearance<kCardinal>(bits_, x, y);
        int longest = straight.moves;
        const int reach = straight.moves + (straight.subgoal ? 1 : 0);
        if (reach > 0) {
            fill<kCardinal>(x + grid::kDx[kCardinal], y + grid::kDy[kCardinal], reach);
        }
        for (int left = diagonals_.moves(kDiagonal, x, y); left > 0; --left) {
            x += grid::kDx[kDiagonal];
            y += grid::kDy[kDiagonal];
            if (bits_.stop_rows().test(x, y)) return fill<kCardinal>(x, y, 1);
            int length = longest;
            if (longest > 0) {
                const Clearance c = cardinal_clearance<kCardinal>(bits_, x, y);
                if (c.moves < longest) {
                    longest = c.moves;
                    length = c.moves + (c.subgoal ? 1 : 0);
                }
            }
            fill<kCardinal>(x, y, length + 1);
        }
    }

    // Writes the tile's number even if it is known, to spare a branch; touched_ has room for it.
    void mark(std::size_t tile, std::uint64_t cells) {
        touched_[count_] = static_cast<std::uint32_t>(tile);
        if (cells_[tile] == 0) ++count_;
        cells_[tile] |= cells;
    }

    // Adds `count` > 0 cells in direction kCardinal; (x, y) is the first.
    template <int kCardinal>
    void fill(int x, int y, int count) {
        constexpr bool kHorizontal = grid::kDx[kCardinal] != 0;
        constexpr bool kDescending = grid::kDx[kCardinal] + grid::kDy[kCardinal] < 0;
        const auto along = static_cast<unsigned>(kHorizontal ? x : y);
        const auto beside = static_cast<unsigned>(kHorizontal ? y : x);
        const unsigned last = kDescending ? along : along + static_cast<unsigned>(count) - 1;
        const unsigned first = last + 1 - static_cast<unsigned>(count);
        // The bits of a whole row or column of a tile, and those in the line's first and last tile.
        const std::uint64_t line = kHorizontal
                                       ? std::uint64_t{0xff} << (beside % kSide * kSide)
                                       : std::uint64_t{0x0101'0101'0101'0101} << (beside % kSide);
        constexpr unsigned kStep = kHorizontal ? 1 : kSide;
        const std::uint64_t from = line & line << (first % kSide * kStep);
        const std::uint64_t to = line & line >> ((kSide - 1 - last % kSide) * kStep);
        const std::size_t stride = kHorizontal ? 1 : across_;
        std::size_t tile = kHorizontal ? beside / kSide * across_ + first / kSide
                                       : first / kSide * across_ + beside / kSide;
        const unsigned steps = last / kSide - first / kSide;
        if (steps == 0) return mark(tile, from & to);
        mark(tile, from);
        for (unsigned i = 1; i < steps; ++i) mark(tile += stride, line);
        mark(tile + stride, to);
    }

    const SubgoalBits& bits_;
    const DiagonalBits& diagonals_;
    std::size_t across_;                  // tiles in a row of tiles
    std::vector<std::uint64_t> cells_;    // per tile
    std::vector<std::uint32_t> touched_;  // the tiles with some cells; the first count_ are valid
    std::size_t count_ = 0;
};

}  // namespace

// Builds a table in two parallel steps. The map's rows are divided into bands, and the tiles into
// stretches. First each band finds the lines of its subgoals, and appends each to its list for the
// line's stretch. Then each stretch puts the lines of its lists into the table.
class ConnectorTable::Builder {
public:
    Builder(const SubgoalBits& bits, const DiagonalBits& diagonals,
            const std::vector<Octants>& useful, const BuildControl& control)
        : bits_(bits),
          diagonals_(diagonals),
          useful_(useful),
          control_(control),
          tiles_(tiles_along(bits.width()) * tiles_along(bits.height())),
          most_(most_entries(bits)) {
        while (tiles_ >> stretch_shift_ >= kMostStretches) ++stretch_shift_;
        stretches_ = (tiles_ >> stretch_shift_) + 1;
        bands_ = std::min(kMostBands, tiles_along(bits.height()));
        found_.resize(bands_ * stretches_);
    }

    Result<ConnectorTable> build() {
        find_all();
        if (control_.cancelled()) return fail(StatusCode::cancelled);
        if (entries_ > most_) return fail(StatusCode::too_large, "too many connectors");
        table_.tiles_across_ = tiles_along(bits_.width());
        table_.first_.resize(tiles_ + 1);
        table_.cells_.resize(entries_);
        table_.nodes_.resize(entries_);
        std::vector<std::uint32_t> begin(stretches_ + 1);
        for (std::size_t stretch = 0; stretch < stretches_; ++stretch) {
            std::size_t size = begin[stretch];
            for (std::size_t band = 0; band < bands_; ++band) size += found(band, stretch).size();
            begin[stretch + 1] = static_cast<std::uint32_t>(size);
        }
        for_each_index(stretches_, 1, control_,
                       [&](std::size_t, std::size_t stretch) { sort(stretch, begin[stretch]); });
        table_.first_[tiles_] = begin[stretches_];
        return std::move(table_);
    }

private:
    static constexpr std::size_t kMostBands = 64;
    static constexpr std::size_t kMostStretches = 64;
    using List = std::vector<FoundLine>;

    static std::uint64_t most_entries(const SubgoalBits& bits) {
        const auto cells =
            static_cast<std::uint64_t>(bits.width()) * static_cast<std::uint64_t>(bits.height());
        return std::min<std::uint64_t>(cells * kMaxBytesPerCell / kEntryBytes,
                                       std::numeric_limits<std::uint32_t>::max());
    }

    List& found(std::size_t band, std::size_t stretch) {
        return found_[band * stretches_ + stretch];
    }

    void find_all() {
        PerWorker<ConnectedCells> scratch;
        scratch.begin(control_);
        for_each_index(bands_, 1, control_, [&](std::size_t worker, std::size_t band) {
            find(band, scratch.of(worker, [this] { return ConnectedCells(bits_, diagonals_); }));
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
                connected.add(x, y, reversed(useful_[node]));
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
            table_.first_[tile] = begin;
            begin += std::exchange(next[tile - first_tile], begin);
        }
        for_each_found(stretch, [&](const FoundLine& line) {
            const std::uint32_t place = next[line.tile - first_tile]++;
            table_.cells_[place] = line.cells;
            table_.nodes_[place] = line.node;
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
    const std::vector<Octants>& useful_;
    const BuildControl& control_;
    const std::size_t tiles_;
    const std::uint64_t most_;    // lines that the table may have
    unsigned stretch_shift_ = 0;  // a stretch has 2^stretch_shift_ tiles
    std::size_t stretches_ = 0;
    std::size_t bands_ = 0;
    std::vector<List> found_;                 // by band, then stretch
    std::atomic<std::uint64_t> entries_ = 0;  // lines found so far
    ConnectorTable table_;
};

Result<ConnectorTable> ConnectorTable::build(const SubgoalBits& bits, const DiagonalBits& diagonals,
                                             const std::vector<Octants>& useful,
                                             const BuildControl& control) {
    auto table =
        on_threads(control, [&] { return Builder(bits, diagonals, useful, control).build(); });
    if (table && control.progress) control.progress(1);
    return table;
}

void connect(const Snapshot& snapshot, grid::Cell cell, Connections kind, Endpoint& end) {
    if (end.cell == cell && end.snapshot_id == snapshot.id && end.kind == kind) return;
    end.cell = cell;
    end.snapshot_id = snapshot.id;
    end.kind = kind;
    end.connectors.clear();
    end.places.clear();
    const grid::Point p = snapshot.map.point(cell);
    const auto add = [&](std::uint32_t node, grid::Point place) {
        end.connectors.push_back({node, snapshot.map.distance_bound(p, place)});
        end.places.push_back(place);
    };
    const Engines* const engines = kind == Connections::taut ? snapshot.engines.get() : nullptr;
    if (engines != nullptr && !engines->connectors.empty()) {
        engines->connectors.for_each(p.x, p.y,
                                     [&](std::uint32_t node) { add(node, engines->places[node]); });
        return;
    }
    for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants octants) {
        const std::uint32_t node = snapshot.bits.number(x, y);
        if (engines == nullptr || (engines->useful[node] & octants) != 0) add(node, {x, y});
    });
}

}  // namespace cairn::subgoal
