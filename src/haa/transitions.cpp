#include "haa/transitions.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace cairn::haa {

namespace {

/// Finds which cells of a cluster are connected inside it for one agent class. Points are relative
/// to the cluster's corner; a set of cells has one word per row, with bit x for column x.
class ClusterFlood {
public:
    ClusterFlood(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster) : rect_(cluster) {
        const grid::MoveRules& rules = map.options().rules;
        // Under the other rules a cell beside a diagonal move is free, so straight moves suffice.
        spreads_diagonally_ = rules.neighbourhood == grid::Neighbourhood::eight &&
                              rules.corner == grid::CornerRule::free;
        for (int y = 0; y < rect_.height; ++y) {
            const grid::Cell first = map.cell({rect_.x, rect_.y + y});
            Tiles row = 0;
            for (int x = 0; x < rect_.width; ++x) {
                const grid::Cell cell = first + static_cast<grid::Cell>(x);
                if (map.clearance(agent.capability, cell) >= agent.size) row |= Tiles{1} << x;
            }
            free_[static_cast<std::size_t>(y)] = row;
        }
    }

    [[nodiscard]] bool free(grid::Point p) const noexcept {
        return (free_[static_cast<std::size_t>(p.y)] >> p.x & 1) != 0;
    }
    [[nodiscard]] bool reached(grid::Point p) const noexcept {
        return (reached_[static_cast<std::size_t>(p.y)] >> p.x & 1) != 0;
    }

    /// Marks the cells connected to `p`, and only those, as reached.
    void flood(grid::Point p) noexcept {
        reached_.fill(0);
        reached_[static_cast<std::size_t>(p.y)] = Tiles{1} << p.x;
        const auto rows = static_cast<std::size_t>(rect_.height);
        for (bool changed = true; changed;) {
            changed = spread(0);
            for (std::size_t y = 1; y < rows; ++y) changed |= spread(y, y - 1);
            for (std::size_t y = rows - 1; y-- > 0;) changed |= spread(y, y + 1);
        }
    }

private:
    // Spreads from the reached cells of row `from` into the adjacent row y, then along it. True if
    // cells were added.
    bool spread(std::size_t y, std::size_t from) noexcept {
        const Tiles sideways = spreads_diagonally_ ? reached_[from] << 1 | reached_[from] >> 1 : 0;
        const Tiles before = reached_[y];
        reached_[y] |= (reached_[from] | sideways) & free_[y];
        return spread(y) || reached_[y] != before;
    }
    bool spread(std::size_t y) noexcept {
        const Tiles before = reached_[y];
        for (Tiles added = before; added != 0;) {
            const Tiles next = reached_[y] | ((reached_[y] << 1 | reached_[y] >> 1) & free_[y]);
            added = next & ~reached_[y];
            reached_[y] = next;
        }
        return reached_[y] != before;
    }

    grid::Rect rect_;
    bool spreads_diagonally_;
    std::array<Tiles, 64> free_{};     // where the agent can stand
    std::array<Tiles, 64> reached_{};  // by the last flood
};

// Calls visit(border, tile, point) for every border tile of a cluster, with borders numbered as in
// BorderSets: 0 to 3 for north, east, south, west. `point` is relative to the cluster's corner.
template <class Visit>
void for_each_border_tile(const grid::Rect& cluster, Visit&& visit) {
    for (int x = 0; x < cluster.width; ++x) {
        visit(0, x, grid::Point{x, 0});
        visit(2, x, grid::Point{x, cluster.height - 1});
    }
    for (int y = 0; y < cluster.height; ++y) {
        visit(1, y, grid::Point{cluster.width - 1, y});
        visit(3, y, grid::Point{0, y});
    }
}

}  // namespace

void BorderSets::read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster) {
    ClusterFlood inside(map, agent, cluster);
    for (auto& border : sets_) border.fill(0);
    std::uint8_t sets = 0;
    const auto set_of = [&](int border, int tile) -> std::uint8_t& {
        return sets_[static_cast<std::size_t>(border)][static_cast<std::size_t>(tile)];
    };
    for_each_border_tile(cluster, [&](int border, int tile, grid::Point p) {
        if (!inside.free(p) || set_of(border, tile) != 0) return;
        ++sets;
        inside.flood(p);
        for_each_border_tile(cluster, [&](int b, int t, grid::Point q) {
            if (inside.reached(q)) set_of(b, t) = sets;
        });
    });
}

namespace {

constexpr Tiles bit(int tile) noexcept { return Tiles{1} << tile; }

// Whether a class can use `other` instead of `tile`, which it can cross.
bool replaces(int other, int tile, const BorderClass& c) {
    const auto a = static_cast<std::size_t>(tile);
    const auto b = static_cast<std::size_t>(other);
    return (c.crossable & bit(other)) != 0 && c.near[a] == c.near[b] && c.far[a] == c.far[b];
}

// Whether every class that uses `tile` can use `other` instead.
bool replaces(int other, int tile, std::span<const BorderClass> classes) {
    return std::all_of(classes.begin(), classes.end(), [&](const BorderClass& c) {
        return (c.used & bit(tile)) == 0 || replaces(other, tile, c);
    });
}

// Per tile of `transitions`: the tiles that may replace it.
std::array<Tiles, 64> replacements_of(Tiles transitions, int reach,
                                      std::span<const BorderClass> classes) {
    std::array<Tiles, 64> result{};
    for (Tiles left = transitions; left != 0; left &= left - 1) {
        const int tile = std::countr_zero(left);
        for (Tiles others = transitions & ~bit(tile); others != 0; others &= others - 1) {
            const int other = std::countr_zero(others);
            if (std::abs(tile - other) > reach || !replaces(other, tile, classes)) continue;
            result[static_cast<std::size_t>(tile)] |= bit(other);
        }
    }
    return result;
}

// The tiles of `transitions`, the least useful first.
std::vector<int> by_use(Tiles transitions, int length, std::span<const BorderClass> classes) {
    // Per tile: the number of classes that use it; twice its distance from the middle and its
    // number, both negated.
    std::vector<std::tuple<std::ptrdiff_t, int, int>> ranks;
    for (Tiles left = transitions; left != 0; left &= left - 1) {
        const int tile = std::countr_zero(left);
        const auto users = std::count_if(classes.begin(), classes.end(), [&](const BorderClass& c) {
            return (c.used & bit(tile)) != 0;
        });
        ranks.emplace_back(users, -std::abs(2 * tile - (length - 1)), -tile);
    }
    std::sort(ranks.begin(), ranks.end());
    std::vector<int> order;
    order.reserve(ranks.size());
    for (const auto& rank : ranks) order.push_back(-std::get<2>(rank));
    return order;
}

// The tile of `kept` that a class uses instead of the removed `tile`.
int replacement(int tile, Tiles kept, int reach, const BorderClass& c) {
    for (int away = 1; away <= reach; ++away) {
        for (const int other : {tile - away, tile + away}) {
            const bool on_border = other >= 0 && other < 64;
            if (on_border && (kept & bit(other)) != 0 && replaces(other, tile, c)) return other;
        }
    }
    return tile;  // not reached: some tile of `kept` replaces it for all its users
}

// The tiles of `transitions` that weak dominance leaves.
Tiles undominated(Tiles transitions, int length, int reach, std::span<const BorderClass> classes) {
    const std::array<Tiles, 64> replacements = replacements_of(transitions, reach, classes);
    Tiles kept = transitions;
    for (const int tile : by_use(transitions, length, classes)) {
        const Tiles others = kept & ~bit(tile);
        // All tiles removed so far, and this one, must have a replacement among the others.
        bool redundant = true;
        for (Tiles left = transitions & ~others; left != 0 && redundant; left &= left - 1) {
            const auto removed = static_cast<std::size_t>(std::countr_zero(left));
            redundant = (replacements[removed] & others) != 0;
        }
        if (redundant) kept = others;
    }
    return kept;
}

}  // namespace

void remove_weakly_dominated(int length, int reach, std::span<BorderClass> classes) {
    Tiles transitions = 0;
    for (const BorderClass& c : classes) transitions |= c.used;
    if (std::popcount(transitions) < 2) return;
    const Tiles kept = undominated(transitions, length, reach, classes);
    for (BorderClass& c : classes) {
        for (Tiles left = c.used & ~kept; left != 0; left &= left - 1) {
            const int tile = std::countr_zero(left);
            c.used &= ~bit(tile);
            c.used |= bit(replacement(tile, kept, reach, c));
        }
    }
}

}  // namespace cairn::haa
