#include "reproduce/textbook.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace cairn::app {
namespace {

constexpr int kNoArea = 0;  // as an area_level: search everywhere

}  // namespace

PaperHpa::PaperHpa(const grid::Map& map, int cluster_size, int levels, EntranceRule rule)
    : map_(&map), size_(cluster_size), levels_(levels), rule_(rule) {
    build_entrances();
    add_members();
    build_intra_edges();
    for (int level = 2; level <= levels_; ++level) add_level(level);
}

std::uint32_t PaperHpa::cluster(int level, grid::Cell cell) const {
    const grid::Point p = map_->point(cell);
    const int side = size_ << (level - 1);
    const int columns = (map_->width() + side - 1) / side;
    return static_cast<std::uint32_t>(p.y / side * columns + p.x / side);
}

std::vector<PaperHpa::NodeId>& PaperHpa::members_of(int level, grid::Cell cell) {
    return members_[static_cast<std::size_t>(level - 1)][cluster(level, cell)];
}

grid::Point PaperHpa::inside(grid::Cell cell) const {
    const grid::Point p = map_->point(cell);
    return {p.x % size_, p.y % size_};
}

const grid::Map& PaperHpa::area(std::uint32_t cluster) {
    const auto known = areas_.find(cluster);
    if (known != areas_.end()) return known->second;
    const auto columns = static_cast<std::uint32_t>((map_->width() + size_ - 1) / size_);
    const int x0 = static_cast<int>(cluster % columns) * size_;
    const int y0 = static_cast<int>(cluster / columns) * size_;
    const int width = std::min(size_, map_->width() - x0);
    const int height = std::min(size_, map_->height() - y0);
    std::vector<std::uint8_t> terrain;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            terrain.push_back(map_->terrain(map_->cell({x0 + x, y0 + y})));
    }
    // A part of a valid map is valid.
    return areas_.emplace(cluster, *grid::Map::create(width, height, terrain, map_->options()))
        .first->second;
}

PaperHpa::NodeId PaperHpa::node_at(grid::Cell cell) {
    const auto [entry, added] = at_.try_emplace(cell, static_cast<NodeId>(nodes_.size()));
    if (added) nodes_.push_back({cell, 1, {}});
    return entry->second;
}

void PaperHpa::add_edge(NodeId a, NodeId b, Cost cost, int level, bool inter) {
    nodes_[a].edges.push_back({b, cost, level, inter});
    nodes_[b].edges.push_back({a, cost, level, inter});
}

// abstractMaze of Figure 9: entrances along every line between two columns or rows of clusters.
void PaperHpa::build_entrances() {
    const auto scan = [this](int lines, int length, bool vertical) {
        for (int line = size_; line < lines; line += size_) {
            const grid::Point along = vertical ? grid::Point{0, 1} : grid::Point{1, 0};
            const grid::Point across = vertical ? grid::Point{1, 0} : grid::Point{0, 1};
            int run = 0;
            for (int i = 0; i <= length; ++i) {
                const grid::Point a =
                    vertical ? grid::Point{line - 1, i} : grid::Point{i, line - 1};
                const grid::Point b{a.x + across.x, a.y + across.y};
                const bool last = i % size_ == size_ - 1 || i == length - 1;
                const bool cut_off = rule_ == EntranceRule::program && last && run > 0;
                const bool open = i < length && !cut_off && map_->passable(map_->cell(a)) &&
                                  map_->passable(map_->cell(b));
                if (run > 0 && (!open || i % size_ == 0)) {
                    add_entrance({a.x - run * along.x, a.y - run * along.y}, along, across, run);
                    run = 0;
                }
                run = open ? run + 1 : 0;
            }
        }
    };
    scan(map_->width(), map_->height(), true);
    scan(map_->height(), map_->width(), false);
}

void PaperHpa::add_entrance(grid::Point first, grid::Point along, grid::Point across, int width) {
    const auto at = [&](int i) {
        return grid::Point{first.x + i * along.x, first.y + i * along.y};
    };
    const bool text = rule_ == EntranceRule::text;
    if (width < (text ? 6 : 7))
        return add_transition(at(text ? width / 2 : (width - 1) / 2), across);
    add_transition(at(0), across);
    add_transition(at(width - 1), across);
}

// Two nodes and an inter-edge, labelled with the highest level whose border it crosses.
void PaperHpa::add_transition(grid::Point a, grid::Point across) {
    const grid::Cell from = map_->cell(a);
    const grid::Cell to = map_->cell({a.x + across.x, a.y + across.y});
    int level = 1;
    while (level < levels_ && cluster(level + 1, from) != cluster(level + 1, to)) ++level;
    const NodeId n1 = node_at(from);
    const NodeId n2 = node_at(to);
    nodes_[n1].level = std::max(nodes_[n1].level, level);
    nodes_[n2].level = std::max(nodes_[n2].level, level);
    add_edge(n1, n2, map_->move_cost(from, grid::direction_of(across.x, across.y)), level, true);
}

void PaperHpa::add_members() {
    members_.resize(static_cast<std::size_t>(levels_));
    for (NodeId n = 0; n < nodes_.size(); ++n) {
        for (int level = 1; level <= nodes_[n].level; ++level)
            members_of(level, nodes_[n].cell).push_back(n);
    }
}

void PaperHpa::build_intra_edges() {
    std::vector<grid::Point> others;
    std::vector<Cost> costs;
    for (const auto& [id, members] : members_[0]) {
        for (std::size_t i = 0; i + 1 < members.size(); ++i) {
            others.clear();
            for (std::size_t j = i + 1; j < members.size(); ++j)
                others.push_back(inside(nodes_[members[j]].cell));
            costs.resize(others.size());
            astar_.distances(area(id), inside(nodes_[members[i]].cell), others, costs);
            for (std::size_t j = 0; j < costs.size(); ++j) {
                if (costs[j] < kInfinity)
                    add_edge(members[i], members[i + 1 + j], costs[j], 1, false);
            }
        }
    }
}

void PaperHpa::add_level(int level) {
    grid::SearchStatistics unused;
    for (const auto& [id, members] : members_[static_cast<std::size_t>(level - 1)]) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            for (std::size_t j = i + 1; j < members.size(); ++j) {
                const Cost cost =
                    search(level - 1, members[i], members[j], level, id, unused, nullptr);
                if (cost < kInfinity) add_edge(members[i], members[j], cost, level, false);
            }
        }
    }
}

std::vector<PaperLevelSize> PaperHpa::sizes() const {
    std::vector<PaperLevelSize> sizes(static_cast<std::size_t>(levels_));
    for (NodeId n = 0; n < nodes_.size(); ++n) {
        ++sizes[static_cast<std::size_t>(nodes_[n].level - 1)].nodes;
        for (const Edge& edge : nodes_[n].edges) {
            if (edge.to < n) continue;
            PaperLevelSize& level = sizes[static_cast<std::size_t>(edge.level - 1)];
            ++(edge.inter ? level.inter_edges : level.intra_edges);
        }
    }
    return sizes;
}

// searchForDistance inside a 1-cluster. Appends the path, without its first cell, to `cells`.
Cost PaperHpa::search_tiles(NodeId from, NodeId to, grid::SearchStatistics& effort,
                            std::vector<grid::Cell>* cells) {
    const grid::Map& tiles = area(cluster(1, nodes_[from].cell));
    const grid::Point start = inside(nodes_[from].cell);
    astar_.find_path(tiles, start, inside(nodes_[to].cell), tiles_,
                     {grid::OpenList::heap, /*cost_only=*/cells == nullptr});
    effort += tiles_.statistics;
    if (cells == nullptr || tiles_.cost >= kInfinity) return tiles_.cost;
    const grid::Point at = map_->point(nodes_[from].cell);
    for (std::size_t i = 1; i < tiles_.cells.size(); ++i) {
        const grid::Point p = tiles.point(tiles_.cells[i]);
        cells->push_back(map_->cell({at.x + p.x - start.x, at.y + p.y - start.y}));
    }
    return tiles_.cost;
}

// A* on one level (A.2.2): nodes of that level or higher, intra-edges of exactly that level,
// inter-edges of that level or higher; inside one cluster of `area_level`, or everywhere. As in the
// paper's Table 1, the goal is not counted as expanded.
Cost PaperHpa::search(int level, NodeId from, NodeId to, int area_level, std::uint32_t area,
                      grid::SearchStatistics& effort, std::vector<Step>* path) {
    using Entry = std::tuple<Cost, Cost, NodeId>;  // f; kInfinity - g, so most g first; node
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
    const grid::Point goal = map_->point(nodes_[to].cell);
    labels_.resize(nodes_.size());
    if (++stamp_ == 0) {
        std::fill(labels_.begin(), labels_.end(), Label{});
        stamp_ = 1;
    }
    std::size_t open = 0;
    const auto reach = [&](NodeId node, Cost distance, NodeId parent, bool by_inter) {
        Label& label = labels_[node];
        if (label.stamp == stamp_ && label.distance <= distance) return;
        if (label.stamp != stamp_) {
            ++open;
            ++effort.generated;
        }
        label = {stamp_, false, by_inter, distance, parent};
        const Cost bound = map_->distance_bound(map_->point(nodes_[node].cell), goal);
        heap.emplace(distance + bound, kInfinity - distance, node);
    };
    reach(from, 0, from, false);
    while (!heap.empty()) {
        const NodeId node = std::get<2>(heap.top());
        heap.pop();
        if (labels_[node].closed) continue;
        if (node == to) break;
        effort.open_sum += open--;
        ++effort.expanded;
        labels_[node].closed = true;
        for (const Edge& edge : nodes_[node].edges) {
            const Node& next = nodes_[edge.to];
            if (next.level < level || (edge.inter ? edge.level < level : edge.level != level))
                continue;
            if (area_level != kNoArea && cluster(area_level, next.cell) != area) continue;
            reach(edge.to, labels_[node].distance + edge.cost, node, edge.inter);
        }
    }
    if (labels_[to].stamp != stamp_) return kInfinity;
    if (path != nullptr) {
        path->clear();
        for (NodeId n = to; n != from; n = labels_[n].parent)
            path->push_back({n, labels_[n].by_inter});
        path->push_back({from, false});
        std::reverse(path->begin(), path->end());
    }
    return labels_[to].distance;
}

// connectToBorder of Figure 10: one search for each border node.
void PaperHpa::connect_to_border(NodeId node, int level, PaperAnswer& answer) {
    const std::uint32_t id = cluster(level, nodes_[node].cell);
    for (const NodeId border : members_of(level, nodes_[node].cell)) {
        grid::SearchStatistics effort;
        const Cost cost = level == 1 ? search_tiles(node, border, effort, nullptr)
                                     : search(level - 1, node, border, level, id, effort, nullptr);
        (cost < kInfinity ? answer.sg : answer.sg_failed) += effort;
        if (cost < kInfinity) add_edge(node, border, cost, level, false);
    }
}

PaperHpa::NodeId PaperHpa::insert(grid::Point at, PaperAnswer& answer) {
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({map_->cell(at), levels_, {}});
    for (int level = 1; level <= levels_; ++level) {
        connect_to_border(node, level, answer);
        members_of(level, nodes_[node].cell).push_back(node);
    }
    return node;
}

// Undoes the last insertion: every edge it added is the last one of its other node.
void PaperHpa::remove_last() {
    const Node& node = nodes_.back();
    for (const Edge& edge : node.edges) nodes_[edge.to].edges.pop_back();
    for (int level = 1; level <= levels_; ++level) members_of(level, node.cell).pop_back();
    nodes_.pop_back();
}

// Replaces every intra-edge of a path on `level` by its path one level below, down to tiles.
Cost PaperHpa::refine(int level, const std::vector<Step>& path, PaperAnswer& answer) {
    Cost total = 0;
    std::vector<Step> below;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const NodeId from = path[i - 1].node;
        const NodeId to = path[i].node;
        if (path[i].by_inter) {
            const auto& edges = nodes_[from].edges;
            total += std::find_if(edges.begin(), edges.end(), [to](const Edge& e) {
                         return e.inter && e.to == to;
                     })->cost;
            answer.cells.push_back(nodes_[to].cell);
        } else if (level == 1) {
            ++answer.refine_searches;
            total += search_tiles(from, to, answer.refine, &answer.cells);
        } else {
            static_cast<void>(search(level - 1, from, to, level, cluster(level, nodes_[from].cell),
                                     answer.refine, &below));
            total += refine(level - 1, below, answer);
        }
    }
    return total;
}

PaperAnswer PaperHpa::find(grid::Point start, grid::Point goal, bool refine_too) {
    PaperAnswer answer;
    const NodeId s = insert(start, answer);
    const NodeId g = insert(goal, answer);
    answer.border_edges = nodes_[s].edges.size() + nodes_[g].edges.size();
    answer.top_nodes = static_cast<std::size_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [this](const Node& n) { return n.level >= levels_; }));
    std::vector<Step> path;
    answer.cost = search(levels_, s, g, kNoArea, 0, answer.main, &path);
    if (refine_too && answer.cost < kInfinity) {
        answer.cells.push_back(map_->cell(start));
        answer.refined = refine(levels_, path, answer);
    }
    remove_last();
    remove_last();
    return answer;
}

}  // namespace cairn::app
