#pragma once
// HPA* exactly as in Figures 9 and 10 of the paper, with counts as the paper counts them.
//
// Cairn's engines search over entries, connect an endpoint by one search instead of one for each
// border node, and use tables where they can, so they do not expand the paper's number of nodes.
// This second implementation follows the pseudo-code literally. It shares only the map and its A*
// with the engines, is slow and simple, and serves to check the paper's tables. Its solutions cost
// as much as the engines'.
//
// Interpretations where the pseudo-code is ambiguous or wrong: one node per tile (tables 1 and 2),
// the real cost for inter-edges (section 3.1 has 1), the tile floor(w / 2) as the middle of an
// entrance, `continue` skips the rest of the loop body (figure 10), G is connected to S if they
// share a cluster, and searches at level l run over level l - 1 (appendix A.2.2).

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::app {

/// Which tiles of a border become transitions.
enum class EntranceRule : std::uint8_t {
    /// As the paper's text says: entrances are as long as possible; those of six tiles or more get
    /// a
    /// transition at either end, others one on the tile floor(w / 2).
    text,
    /// As the paper's program does: the last tile of a border joins no entrance of the tiles before
    /// it, and is one of its own only if the tile before it is closed. Entrances of more than six
    /// tiles get two transitions, others one on the tile floor((w - 1) / 2).
    program,
};
inline constexpr std::array kEntranceRules{EntranceRule::text, EntranceRule::program};

/// N, E1 and E2 of one level in the paper's Table 2.
struct PaperLevelSize {
    std::size_t nodes = 0;
    std::size_t inter_edges = 0;
    std::size_t intra_edges = 0;
};

/// The result of a query, with the effort of its parts.
struct PaperAnswer {
    Cost cost = kInfinity;             ///< of the abstract path
    Cost refined = kInfinity;          ///< of the refined path; kInfinity unless requested
    std::vector<grid::Cell> cells;     ///< of the refined path, both ends included
    std::size_t border_edges = 0;      ///< edges that connect S and G, all levels
    std::size_t top_nodes = 0;         ///< nodes of the level searched, S and G included
    grid::SearchStatistics sg;         ///< inserting S and G: searches that reached a border node
    grid::SearchStatistics sg_failed;  ///< those that did not, which the paper does not count
    grid::SearchStatistics main;       ///< the search at the top level
    grid::SearchStatistics refine;     ///< refining the path level by level down to tiles
    std::size_t refine_searches = 0;   ///< cluster crossings refined to tiles
};

/// One map's graph. Not thread-safe: a query inserts S and G, then removes them.
class PaperHpa {
public:
    /// `map` must outlive this. `levels`: 1 to 4; `cluster_size`: at least 2.
    PaperHpa(const grid::Map& map, int cluster_size, int levels,
             EntranceRule rule = EntranceRule::text);

    /// hierarchicalSearch of Figure 10, without smoothing. `start` and `goal` must be free and
    /// connected.
    [[nodiscard]] PaperAnswer find(grid::Point start, grid::Point goal, bool refine);

    /// The sizes of all levels: [level - 1].
    [[nodiscard]] std::vector<PaperLevelSize> sizes() const;

private:
    using NodeId = std::uint32_t;  // index in nodes_
    struct Edge {
        NodeId to;
        Cost cost;
        int level;   // of an inter-edge: the highest level whose border it crosses
        bool inter;  // else an intra-edge
    };
    struct Node {
        grid::Cell cell;
        int level;  // the highest level with this node
        std::vector<Edge> edges;
    };
    // What a search knows of a node; valid if `stamp` is stamp_.
    struct Label {
        std::uint32_t stamp = 0;
        bool closed = false;
        bool by_inter = false;  // reached over an inter-edge
        Cost distance = 0;
        NodeId parent = 0;
    };
    struct Step {
        NodeId node;
        bool by_inter;  // reached over an inter-edge
    };

    void build_entrances();
    void add_entrance(grid::Point first, grid::Point along, grid::Point across, int width);
    void add_transition(grid::Point a, grid::Point across);
    void add_members();
    void build_intra_edges();
    void add_level(int level);
    [[nodiscard]] NodeId node_at(grid::Cell cell);
    void add_edge(NodeId a, NodeId b, Cost cost, int level, bool inter);

    NodeId insert(grid::Point at, PaperAnswer& answer);
    void connect_to_border(NodeId node, int level, PaperAnswer& answer);
    void remove_last();

    [[nodiscard]] Cost search(int level, NodeId from, NodeId to, int area_level, std::uint32_t area,
                              grid::SearchStatistics& effort, std::vector<Step>* path);
    [[nodiscard]] Cost search_tiles(NodeId from, NodeId to, grid::SearchStatistics& effort,
                                    std::vector<grid::Cell>* cells);
    [[nodiscard]] Cost refine(int level, const std::vector<Step>& path, PaperAnswer& answer);

    [[nodiscard]] std::uint32_t cluster(int level, grid::Cell cell) const;
    /// The nodes of the cluster of a cell: N[c] in the paper.
    [[nodiscard]] std::vector<NodeId>& members_of(int level, grid::Cell cell);
    /// The position of a cell in its 1-cluster.
    [[nodiscard]] grid::Point inside(grid::Cell cell) const;
    /// The inside of a 1-cluster, as a map of its own.
    [[nodiscard]] const grid::Map& area(std::uint32_t cluster);

    const grid::Map* map_;
    int size_;
    int levels_;
    EntranceRule rule_;
    std::vector<Node> nodes_;
    std::unordered_map<grid::Cell, NodeId> at_;
    std::vector<std::map<std::uint32_t, std::vector<NodeId>>> members_;  // [level - 1][cluster]
    std::unordered_map<std::uint32_t, grid::Map> areas_;  // insides of the 1-clusters used so far
    grid::Astar astar_;
    grid::Path tiles_;
    std::vector<Label> labels_;
    std::uint32_t stamp_ = 0;  // of the last search
};

}  // namespace cairn::app
