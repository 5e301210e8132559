#include "reproduce/textbook_haa.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace cairn::app {
namespace {

/// An entry of an open list: f; kInfinity - g, so that of equal f the greatest g comes first; a
/// cell or node.
using OpenCell = std::tuple<Cost, Cost, std::uint32_t>;
using OpenCells = std::priority_queue<OpenCell, std::vector<OpenCell>, std::greater<>>;

/// The cost between two points of an empty map.
Cost octile(const CostModel& costs, grid::Point a, grid::Point b) {
    const auto dx = static_cast<Cost>(std::abs(a.x - b.x));
    const auto dy = static_cast<Cost>(std::abs(a.y - b.y));
    const Cost diagonal = std::min(dx, dy);
    return (std::max(dx, dy) - diagonal) * costs.straight + diagonal * costs.diagonal;
}

/// For each cell the side of the largest square with this top-left cell that the capability's
/// terrains fill.
std::vector<int> clearances(const haa::AnnotatedMap& map, std::uint32_t capability) {
    std::vector<int> out(map.size());
    for (int y = map.height() - 1; y >= 0; --y) {
        for (int x = map.width() - 1; x >= 0; --x) {
            const auto at = [&](int dx, int dy) {
                const grid::Point p{x + dx, y + dy};
                return map.contains(p) ? out[map.cell(p)] : 0;
            };
            if (map.clearance(capability, map.cell({x, y})) > 0)
                out[map.cell({x, y})] = 1 + std::min({at(1, 0), at(0, 1), at(1, 1)});
        }
    }
    return out;
}

constexpr std::uint32_t kNoNode = 0xffff'ffff;

}  // namespace

void AnnotatedAstar::run(haa::Agent agent, grid::Point start, const grid::Point* goal,
                         const grid::Rect& area, SearchStatistics& effort) {
    const CostModel& costs = map_->options().costs;
    ++stamp_;
    const auto fits = [&](grid::Point p) {
        return p.x >= area.x && p.y >= area.y && p.x < area.x + area.width &&
               p.y < area.y + area.height &&
               map_->clearance(agent.capability, map_->cell(p)) >= agent.size;
    };
    if (!fits(start) || (goal != nullptr && !fits(*goal))) return;
    OpenCells open;
    const auto reach = [&](grid::Point p, Cost distance, int direction) {
        Label& label = labels_[map_->cell(p)];
        if (label.stamp == stamp_ && label.distance <= distance) return;
        effort.generated += label.stamp == stamp_ ? 0 : 1;
        label = {stamp_, distance, static_cast<std::uint8_t>(direction), false};
        const Cost bound = goal != nullptr ? octile(costs, p, *goal) : 0;
        open.emplace(distance + bound, kInfinity - distance, map_->cell(p));
    };
    reach(start, 0, 0);
    while (!open.empty()) {
        const grid::Cell cell = std::get<2>(open.top());
        open.pop();
        Label& label = labels_[cell];
        if (label.closed) continue;
        label.closed = true;
        const grid::Point p = grid::point_of(map_->width(), cell);
        if (goal != nullptr && p == *goal) return;
        ++effort.expanded;
        unsigned free = 0;
        for (int d = 0; d < grid::kDirections; ++d) {
            const auto i = static_cast<std::size_t>(d);
            free |= static_cast<unsigned>(fits({p.x + grid::kDx[i], p.y + grid::kDy[i]})) << d;
        }
        const unsigned moves =
            grid::legal_moves(static_cast<std::uint8_t>(free), map_->options().rules);
        const Cost distance = label.distance;
        for (int d = 0; d < grid::kDirections; ++d) {
            const auto i = static_cast<std::size_t>(d);
            if ((moves >> d & 1) == 0) continue;
            reach({p.x + grid::kDx[i], p.y + grid::kDy[i]},
                  distance + (grid::is_diagonal(d) ? costs.diagonal : costs.straight), d);
        }
    }
}

Cost AnnotatedAstar::find(haa::Agent agent, grid::Point start, grid::Point goal,
                          const grid::Rect& area, SearchStatistics& effort,
                          std::vector<grid::Cell>* cells) {
    run(agent, start, &goal, area, effort);
    const Cost cost = distance(map_->cell(goal));
    if (cells == nullptr || cost == kInfinity) return cost;
    const auto first = static_cast<std::ptrdiff_t>(cells->size());
    for (grid::Point p = goal; p != start;) {
        cells->push_back(map_->cell(p));
        const auto d = static_cast<std::size_t>(labels_[map_->cell(p)].direction);
        p = {p.x - grid::kDx[d], p.y - grid::kDy[d]};
    }
    std::reverse(cells->begin() + first, cells->end());
    return cost;
}

void AnnotatedAstar::spread(haa::Agent agent, grid::Point start, const grid::Rect& area) {
    SearchStatistics unused;
    run(agent, start, nullptr, area, unused);
}

PaperHaa::PaperHaa(const haa::AnnotatedMap& map, int cluster_size)
    : map_(&map), size_(cluster_size), astar_(map) {
    std::vector<NodeId> node_of(map.size(), kNoNode);
    // Capabilities with few terrains first: their inter-edges dominate those of others.
    std::vector<std::uint32_t> order(map.options().capabilities.size());
    for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto terrains = [&](std::uint32_t c) {
            return std::popcount(map.options().capabilities[c].terrains);
        };
        return terrains(a) < terrains(b);
    });
    for (const std::uint32_t capability : order) add_transitions(capability, node_of);
    members_ = by_cluster();
    for (const auto& members : members_) add_intra_edges(members);
}

std::uint32_t PaperHaa::cluster(grid::Point p) const noexcept {
    const int columns = (map_->width() + size_ - 1) / size_;
    return static_cast<std::uint32_t>(p.y / size_ * columns + p.x / size_);
}

grid::Rect PaperHaa::area(grid::Point p) const noexcept {
    const int x = p.x / size_ * size_;
    const int y = p.y / size_ * size_;
    return {x, y, std::min(size_, map_->width() - x), std::min(size_, map_->height() - y)};
}

std::vector<std::vector<PaperHaa::NodeId>> PaperHaa::by_cluster() const {
    std::vector<std::vector<NodeId>> out(cluster({map_->width() - 1, map_->height() - 1}) + 1);
    for (NodeId n = 0; n < nodes_.size(); ++n) out[cluster(point(n))].push_back(n);
    return out;
}

void PaperHaa::add_edge(NodeId a, NodeId b, Cost cost, haa::Agent agent, bool inter) {
    nodes_[a].edges.push_back({b, cost, agent, inter});
    nodes_[b].edges.push_back({a, cost, agent, inter});
}

bool PaperHaa::serves(haa::Agent edge, haa::Agent agent) const noexcept {
    const auto& capabilities = map_->options().capabilities;
    const unsigned extra =
        capabilities[edge.capability].terrains & ~unsigned{capabilities[agent.capability].terrains};
    return extra == 0 && edge.size >= agent.size;
}

bool PaperHaa::joined(NodeId a, NodeId b, haa::Agent agent) const noexcept {
    const auto& edges = nodes_[a].edges;
    return a == b || std::any_of(edges.begin(), edges.end(), [&](const Edge& e) {
               return !e.inter && e.to == b && serves(e.agent, agent);
           });
}

// An entrance ends at an obstacle, at the end of the border, and where the clearance rises on
// either side. So no later tile of it has more clearance than the first, which becomes the
// transition.
void PaperHaa::add_transitions(std::uint32_t capability, std::vector<NodeId>& node_of) {
    const std::vector<int> clearance = clearances(*map_, capability);
    const auto scan = [&](int lines, int length, bool vertical) {
        for (int line = size_; line < lines; line += size_) {
            int near_before = 0;
            int far_before = 0;
            for (int i = 0; i < length; ++i) {
                const grid::Point a =
                    vertical ? grid::Point{line - 1, i} : grid::Point{i, line - 1};
                const grid::Point b = vertical ? grid::Point{line, i} : grid::Point{i, line};
                const int near = clearance[map_->cell(a)];
                const int far = clearance[map_->cell(b)];
                const bool starts = i % size_ == 0 || near > near_before || far > far_before;
                const int least = std::min(near, far);
                if (least > 0 && starts) {
                    const int size = std::min(least, map_->options().max_size);
                    add_transition(a, b, {capability, size}, node_of);
                }
                near_before = near;
                far_before = far;
            }
        }
    };
    scan(map_->width(), map_->height(), true);
    scan(map_->height(), map_->width(), false);
}

void PaperHaa::add_transition(grid::Point a, grid::Point b, haa::Agent agent,
                              std::vector<NodeId>& node_of) {
    const auto node_at = [&](grid::Point p) {
        NodeId& node = node_of[map_->cell(p)];
        if (node == kNoNode) {
            node = static_cast<NodeId>(nodes_.size());
            nodes_.push_back({map_->cell(p), {}});
        }
        return node;
    };
    const NodeId from = node_at(a);
    const NodeId to = node_at(b);
    // Strong dominance.
    for (const Edge& e : nodes_[from].edges) {
        if (e.to == to && serves(e.agent, agent)) return;
    }
    add_edge(from, to, map_->options().costs.straight, agent, true);
    inter_edges_.push_back({from, to, agent});
}

// The edges between the nodes of a cluster, for each class those that no other edge of equal cost
// dominates strongly.
void PaperHaa::add_intra_edges(const std::vector<NodeId>& members) {
    // An edge can only dominate those of classes after its own.
    std::vector<haa::Agent> classes;
    for (std::uint32_t k = 0; k < map_->classes(); ++k) classes.push_back(map_->agent(k));
    std::stable_sort(classes.begin(), classes.end(), [&](haa::Agent a, haa::Agent b) {
        const auto terrains = [&](haa::Agent c) {
            return std::popcount(map_->options().capabilities[c.capability].terrains);
        };
        return std::pair(terrains(a), -a.size) < std::pair(terrains(b), -b.size);
    });
    for (std::size_t i = 0; i < members.size(); ++i) {
        const grid::Point start = point(members[i]);
        const auto first = static_cast<std::ptrdiff_t>(nodes_[members[i]].edges.size());
        for (const haa::Agent agent : classes) {
            astar_.spread(agent, start, area(start));
            for (std::size_t j = i + 1; j < members.size(); ++j) {
                const Cost cost = astar_.distance(nodes_[members[j]].cell);
                if (cost == kInfinity) continue;
                const auto& edges = nodes_[members[i]].edges;
                const bool dominated =
                    std::any_of(edges.begin() + first, edges.end(), [&](const Edge& e) {
                        return e.to == members[j] && e.cost == cost && serves(e.agent, agent);
                    });
                if (dominated) continue;
                add_edge(members[i], members[j], cost, agent, false);
                ++intra_edges_;
            }
        }
    }
}

// Weak dominance: of the inter-edges between two clusters, one is left out if every agent that may
// use it can reach and use another that is kept.
PaperHaa PaperHaa::low_quality() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<InterEdge>> borders;
    for (const InterEdge& e : inter_edges_)
        borders[{cluster(point(e.a)), cluster(point(e.b))}].push_back(e);
    PaperHaa low(*this);
    low.nodes_.clear();
    low.inter_edges_.clear();
    low.intra_edges_ = 0;
    std::vector<NodeId> number(nodes_.size(), kNoNode);
    const auto keep = [&](NodeId n) {
        if (number[n] == kNoNode) {
            number[n] = static_cast<NodeId>(low.nodes_.size());
            low.nodes_.push_back({nodes_[n].cell, {}});
        }
        return number[n];
    };
    for (auto& border : borders) {
        std::vector<InterEdge>& edges = border.second;
        std::stable_sort(edges.begin(), edges.end(), [&](const InterEdge& x, const InterEdge& y) {
            return nodes_[x.a].cell < nodes_[y.a].cell;
        });
        for (std::size_t i = edges.size(); i-- > 0;) {
            const InterEdge e = edges[i];
            const bool dominated =
                std::any_of(edges.begin(), edges.end(), [&](const InterEdge& other) {
                    return &other != &edges[i] && serves(other.agent, e.agent) &&
                           joined(e.a, other.a, e.agent) && joined(e.b, other.b, e.agent);
                });
            if (dominated) edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (const InterEdge& e : edges) {
            const NodeId a = keep(e.a);
            const NodeId b = keep(e.b);
            low.add_edge(a, b, map_->options().costs.straight, e.agent, true);
            low.inter_edges_.push_back({a, b, e.agent});
        }
    }
    for (NodeId n = 0; n < nodes_.size(); ++n) {
        for (const Edge& e : nodes_[n].edges) {
            if (e.inter || e.to < n || number[n] == kNoNode || number[e.to] == kNoNode) continue;
            low.add_edge(number[n], number[e.to], e.cost, e.agent, false);
            ++low.intra_edges_;
        }
    }
    low.members_ = low.by_cluster();
    return low;
}

std::vector<std::array<grid::Cell, 2>> PaperHaa::transitions() const {
    std::vector<std::array<grid::Cell, 2>> out;
    for (const InterEdge& e : inter_edges_) out.push_back({nodes_[e.a].cell, nodes_[e.b].cell});
    std::sort(out.begin(), out.end());
    return out;
}

PaperHaa::NodeId PaperHaa::insert(grid::Point at, haa::Agent agent, PaperHaaAnswer& answer) {
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({map_->cell(at), {}});
    auto& members = members_[cluster(at)];
    for (const NodeId other : members) {
        const Cost cost = astar_.find(agent, at, point(other), area(at), answer.insertion);
        if (cost < kInfinity) add_edge(node, other, cost, agent, false);
    }
    members.push_back(node);
    return node;
}

// Undoes the last insertion: every edge it added is the last one of its other node.
void PaperHaa::remove_last() {
    const Node& node = nodes_.back();
    for (const Edge& edge : node.edges) nodes_[edge.to].edges.pop_back();
    members_[cluster(grid::point_of(map_->width(), node.cell))].pop_back();
    nodes_.pop_back();
}

Cost PaperHaa::search(haa::Agent agent, NodeId from, NodeId to, SearchStatistics& effort) {
    const CostModel& costs = map_->options().costs;
    labels_.resize(std::max(labels_.size(), nodes_.size()));
    ++stamp_;
    OpenCells open;
    const auto reach = [&](NodeId node, Cost distance, NodeId parent, bool by_inter) {
        Label& label = labels_[node];
        if (label.stamp == stamp_ && label.distance <= distance) return;
        effort.generated += label.stamp == stamp_ ? 0 : 1;
        label = {stamp_, false, by_inter, distance, parent};
        open.emplace(distance + octile(costs, point(node), point(to)), kInfinity - distance, node);
    };
    reach(from, 0, from, false);
    while (!open.empty()) {
        const NodeId node = std::get<2>(open.top());
        open.pop();
        if (labels_[node].closed) continue;
        if (node == to) return labels_[to].distance;
        labels_[node].closed = true;
        ++effort.expanded;
        const Cost distance = labels_[node].distance;
        for (const Edge& edge : nodes_[node].edges) {
            if (serves(edge.agent, agent)) reach(edge.to, distance + edge.cost, node, edge.inter);
        }
    }
    return kInfinity;
}

// Replaces every intra-edge of the path found by the agent's path between its ends.
void PaperHaa::refine(haa::Agent agent, NodeId from, NodeId to, PaperHaaAnswer& answer) {
    std::vector<NodeId> path{to};
    while (path.back() != from) path.push_back(labels_[path.back()].parent);
    std::reverse(path.begin(), path.end());
    answer.refined = 0;
    answer.cells.push_back(nodes_[from].cell);
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (labels_[path[i]].by_inter) {
            answer.refined += map_->options().costs.straight;
            answer.cells.push_back(nodes_[path[i]].cell);
            continue;
        }
        const grid::Point start = point(path[i - 1]);
        answer.refined += astar_.find(agent, start, point(path[i]), area(start), answer.refinement,
                                      &answer.cells);
    }
}

PaperHaaAnswer PaperHaa::find(haa::Agent agent, grid::Point start, grid::Point goal) {
    PaperHaaAnswer answer;
    const NodeId s = insert(start, agent, answer);
    const NodeId g = insert(goal, agent, answer);
    answer.cost = search(agent, s, g, answer.search);
    if (answer.cost < kInfinity) refine(agent, s, g, answer);
    remove_last();
    remove_last();
    return answer;
}

}  // namespace cairn::app
