#pragma once
// Agents of different sizes and terrain capabilities.
//
// D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in Heterogeneous
// Environments", CIG 2008, and D. Harabor's articles on clearance-based and hierarchical
// clearance-based pathfinding (2009).

#include <array>
#include <cstdint>
#include <initializer_list>

namespace cairn::haa {

/// A kind of ground, 0 to 15.
using Terrain = std::uint8_t;
inline constexpr int kMaxTerrains = 16;

/// The terrains of MovingAI maps: '.' and 'G', 'T', 'S', 'W'.
inline constexpr Terrain kGround = 0;
inline constexpr Terrain kTrees = 1;
inline constexpr Terrain kSwamp = 2;
inline constexpr Terrain kWater = 3;

/// A set of terrains: bit t stands for terrain t.
using TerrainSet = std::uint16_t;

/// The set of these terrains, each below kMaxTerrains.
[[nodiscard]] constexpr TerrainSet terrain_set(std::initializer_list<Terrain> terrains) noexcept {
    unsigned set = 0;
    for (const Terrain t : terrains) set |= 1U << t;
    return static_cast<TerrainSet>(set);
}

/// Which terrain each byte of a map stands for.
struct TerrainKey {
    static constexpr std::uint8_t kObstacle = 0xff;  ///< no agent can stand on it
    std::array<std::uint8_t, 256> terrain;           ///< a Terrain or kObstacle

    TerrainKey() noexcept { terrain.fill(kObstacle); }
    /// MovingAI letters: '.' and 'G' ground, 'T' trees, 'S' swamp, 'W' water; all others are
    /// obstacles.
    [[nodiscard]] static TerrainKey movingai() noexcept;
    /// Bytes 0 to 15 are the terrains of that number, all others are obstacles: for pictures read
    /// with a palette.
    [[nodiscard]] static TerrainKey literal() noexcept;

    friend bool operator==(const TerrainKey&, const TerrainKey&) = default;
};

/// The terrains that an agent can stand on, and how costly they are to it.
struct Capability {
    TerrainSet terrains = 0;
    /// For each terrain the factor of the agent's move costs, 1 to 255.
    std::array<std::uint8_t, kMaxTerrains> weight;

    explicit Capability(TerrainSet set = 0) noexcept : terrains(set) { weight.fill(1); }
    [[nodiscard]] bool includes(Terrain t) const noexcept { return (terrains >> t & 1) != 0; }

    friend bool operator==(const Capability&, const Capability&) = default;
};

/// An agent covers size x size cells. Agents of equal size and capability form an agent class and
/// have the same paths.
struct Agent {
    std::uint32_t capability = 0;  ///< index into AnnotationOptions::capabilities
    int size = 1;                  ///< 1 to AnnotationOptions::max_size
    friend bool operator==(const Agent&, const Agent&) = default;
};

}  // namespace cairn::haa
