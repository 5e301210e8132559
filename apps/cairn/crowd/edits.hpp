#pragma once
// Edits of a grid map under a crowd: small rectangles are blocked, and later freed with their old
// terrain.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/grid/map.hpp"
#include "crowd/planners.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

template <class P>
class CrowdEdits {
public:
    using Index = typename P::Index;

    using Drawn = DrawnEdit<grid::TerrainEdit>;

    /// Marks all cells of the map as not taken.
    void clear_taken(std::size_t cells) { taken_.assign(cells, false); }
    /// Marks the cells of an agent, so that no edit blocks them.
    void take(const Index& index, haa::Agent agent, grid::Cell cell) {
        const auto& map = index.map();
        const grid::Point at = grid::point_of(map.width(), cell);
        const grid::Rect r = covered(index, agent, at);
        for (int y = std::max(r.y, 0); y < std::min(r.y + r.height, map.height()); ++y) {
            for (int x = std::max(r.x, 0); x < std::min(r.x + r.width, map.width()); ++x)
                taken_[map.cell({x, y})] = true;
        }
    }

    /// The next edit; std::nullopt if no place for one was found. Errors: unsupported (the map has
    /// no obstacles).
    [[nodiscard]] Result<std::optional<Drawn>> draw(const Index& index, CrowdRandom& random) {
        const auto obstacle = obstacle_byte(index);
        if (!obstacle) {
            return fail(StatusCode::unsupported,
                        "--edits: no byte of this map stands for an obstacle; add --edits 0");
        }
        if (!blocked_.empty() && random() % 2 == 0) {
            std::swap(blocked_[random() % blocked_.size()], blocked_.back());
            const grid::TerrainEdit was = blocked_.back();
            blocked_.pop_back();
            return Drawn{was, true};
        }
        for (int i = 0; i < kTries; ++i) {
            const grid::Rect area = rectangle(index, kSide - kSide * i / kTries, random);
            const std::uint8_t terrain = index.map().terrain(index.map().cell({area.x, area.y}));
            if (!may_block(index, area, terrain)) continue;
            blocked_.push_back({area, terrain});
            return Drawn{{area, *obstacle}, false};
        }
        return std::nullopt;
    }

private:
    static constexpr int kSide = 6;    // at most
    static constexpr int kTries = 60;  // later tries have smaller sides

    [[nodiscard]] static std::optional<std::uint8_t> obstacle_byte(const Index& index) {
        if (is_obstacle(index, '@')) return std::uint8_t{'@'};
        for (int byte = 0; byte < 256; ++byte) {
            const auto terrain = static_cast<std::uint8_t>(byte);
            if (is_obstacle(index, terrain)) return terrain;
        }
        return std::nullopt;
    }

    [[nodiscard]] static grid::Rect rectangle(const Index& index, int most, CrowdRandom& random) {
        const auto below = [&](int end) {
            return static_cast<int>(random() % static_cast<std::uint64_t>(end));
        };
        const int width = 1 + below(std::min(most, index.map().width()));
        const int height = 1 + below(std::min(most, index.map().height()));
        const int x = below(index.map().width() - width + 1);
        const int y = below(index.map().height() - height + 1);
        return {x, y, width, height};
    }

    /// Requires one terrain in the whole rectangle, so that an edit can restore it.
    [[nodiscard]] bool may_block(const Index& index, const grid::Rect& area,
                                 std::uint8_t terrain) const {
        if (is_obstacle(index, terrain)) return false;
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                const grid::Cell cell = index.map().cell({x, y});
                if (taken_[cell] || index.map().terrain(cell) != terrain) return false;
            }
        }
        return true;
    }

    std::vector<bool> taken_;
    std::vector<grid::TerrainEdit> blocked_;  // with the old terrain
};

}  // namespace cairn::app
