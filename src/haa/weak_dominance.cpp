#include "haa/weak_dominance.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace cairn::haa {

namespace {

/// The cells of a cluster where an agent can stand, a word a row.
class Inside {
public:
    Inside(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster) : rect_(cluster) {
        const grid::MoveRules& rules = map.options().rules;
        // Under the other rules a diagonal move has a free cell beside it.
        by_corners_ = rules.neighbourhood == grid::Neighbourhood::eight &&
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
    // Reaches the cells of row y next to those of row `from`, then along the row.
    bool spread(std::size_t y, std::size_t from) noexcept {
        const Tiles sideways = by_corners_ ? reached_[from] << 1 | reached_[from] >> 1 : 0;
        const Tiles before = reached_[y];
        reached_[y] |= (reached_[from] | sideways) & free_[y];
        return spread(y) || reached_[y] != before;
    }
    bool spread(std::size_t y) noexcept {
        const Tiles before = reached_[y];
        for (Tiles more = before; more != 0;) {
            const Tiles next = reached_[y] | ((reached_[y] << 1 | reached_[y] >> 1) & free_[y]);
            more = next & ~reached_[y];
            reached_[y] = next;
        }
        return reached_[y] != before;
    }

    grid::Rect rect_;
    bool by_corners_;
    std::array<Tiles, 64> free_{};
    std::array<Tiles, 64> reached_{};
};

// Calls visit(border, tile, point in the cluster) for every border tile of a cluster.
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
    Inside inside(map, agent, cluster);
    for (auto& border : sets_) border.fill(0);
    std::uint8_t sets = 0;
    const auto set = [&](int border, int tile) -> std::uint8_t& {
        return sets_[static_cast<std::size_t>(border)][static_cast<std::size_t>(tile)];
    };
    for_each_border_tile(cluster, [&](int border, int tile, grid::Point p) {
        if (!inside.free(p) || set(border, tile) != 0) return;
        ++sets;
        inside.flood(p);
        for_each_border_tile(cluster, [&](int b, int t, grid::Point q) {
            if (inside.reached(q)) set(b, t) = sets;
        });
    });
}

namespace {

bool serves_instead(int tile, int other, std::span<const BorderClass> classes) {
    return std::all_of(classes.begin(), classes.end(), [&](const BorderClass& c) {
        if ((c.crossable >> tile & 1) == 0) return true;
        const auto a = static_cast<std::size_t>(tile);
        const auto b = static_cast<std::size_t>(other);
        return (c.crossable >> other & 1) != 0 && c.near[a] == c.near[b] && c.far[a] == c.far[b];
    });
}

}  // namespace

Tiles weakly_undominated(Tiles transitions, int length, std::span<const BorderClass> classes) {
    std::array<std::tuple<std::ptrdiff_t, int, int>, 64> order;
    std::size_t count = 0;
    for (Tiles left = transitions; left != 0; left &= left - 1) {
        const int tile = std::countr_zero(left);
        const auto users = std::count_if(classes.begin(), classes.end(), [&](const BorderClass& c) {
            return (c.crossable >> tile & 1) != 0;
        });
        order[count++] = {users, -std::abs(2 * tile - (length - 1)), -tile};
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));

    Tiles kept = transitions;
    for (std::size_t i = 0; i < count; ++i) {
        const int tile = -std::get<2>(order[i]);
        for (Tiles others = kept & ~(Tiles{1} << tile); others != 0; others &= others - 1) {
            if (!serves_instead(tile, std::countr_zero(others), classes)) continue;
            kept &= ~(Tiles{1} << tile);
            break;
        }
    }
    return kept;
}

}  // namespace cairn::haa
