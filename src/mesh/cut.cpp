#include "mesh/cut.hpp"
#include "core/sort_unique.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::mesh {
namespace {

// The greatest float that is not above a width.
float rounded_down(double width) {
    const auto rounded = static_cast<float>(width);
    return static_cast<double>(rounded) > width ? std::nextafter(rounded, 0.0F) : rounded;
}

Point point_of(const Walls& walls, const BorderPoint& p) {
    const BorderPiece& piece = walls.piece(p.at);
    if (p.share == BorderPoint::kCorner) return piece.begin;
    if (piece.wall()) return between(piece.begin, piece.end, p.share);
    const PortalEnds& ends = walls.openings()[piece.side / 2].ends;
    return between(ends.right, ends.left, p.share);
}

/// Cuts one polygon after another.
class Cutter {
public:
    Cutter(const MeshData& mesh, const Walls& walls, std::span<const FoundGate> gates)
        : mesh_(mesh), walls_(walls), chords_(mesh.num_polygons()) {
        std::vector<std::pair<Side, double>> crossings;  // openings and shares
        for (const FoundGate& gate : gates) {
            const float width = rounded_down(gate.width);
            for (const Chord& chord : gate.chords) {
                chords_[chord.from.at.polygon].push_back({chord, width});
                for (const BorderPoint& p : {chord.from, chord.to}) {
                    const Side side = walls.piece(p.at).side;
                    if (p.share != BorderPoint::kCorner && side != kNone)
                        crossings.emplace_back(side / 2, p.share);
                }
            }
        }
        sort_unique(crossings);
        first_crossing_.assign(walls.openings().size() + 1, 0);
        for (const auto& [opening, share] : crossings) {
            ++first_crossing_[opening + 1];
            crossings_.push_back(share);
        }
        for (std::size_t i = 1; i < first_crossing_.size(); ++i)
            first_crossing_[i] += first_crossing_[i - 1];
        parts_.resize(crossings_.size() + walls.openings().size());
        cut_.image.portals_given = true;
        cut_.image.odd_polygons = OddPolygons::accept;
        cut_.image.vertices = mesh.topology->vertices;
    }

    CutMesh run() {
        const MeshTopology& t = *mesh_.topology;
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            if (t.num_corners(p) > 2) add_polygon(p);
            cut_.first.push_back(static_cast<std::uint32_t>(cut_.pieces.size()));
        }
        add_opening_portals();
        add_connections();
        add_other_portals();
        return std::move(cut_);
    }

private:
    struct Cut {
        Chord chord;
        float width = 0;
    };
    // A part of an opening between two crossings.
    struct Part {
        Polygon piece[2] = {kNone, kNone};  // on both sides
        float width = kNoLimit;
    };
    // A point on the border of the polygon that is being cut, and what follows it.
    struct Node {
        BorderPoint at;
        std::uint32_t edge = 0;
        std::uint32_t part = kNone;  // of an opening, to the next node; in parts_
        std::uint8_t side = 0;       // of that opening
    };

    [[nodiscard]] std::span<const double> crossings(std::uint32_t opening) const {
        return {crossings_.data() + first_crossing_[opening],
                crossings_.data() + first_crossing_[opening + 1]};
    }
    [[nodiscard]] std::uint32_t first_part(std::uint32_t opening) const {
        return first_crossing_[opening] + opening;
    }

    void find_nodes(Polygon p) {
        nodes_.clear();
        feet_.clear();
        for (const auto& [chord, width] : chords_[p]) {
            for (const BorderPoint& at : {chord.from, chord.to}) {
                if (at.share != BorderPoint::kCorner && walls_.piece(at.at).wall())
                    feet_.emplace_back(at.at.place, at.share);
            }
        }
        sort_unique(feet_);
        const std::span<const BorderPiece> border = walls_.border(p);
        auto foot = feet_.begin();
        for (std::uint32_t i = 0; i < border.size(); ++i) {
            const BorderPiece& piece = border[i];
            const PieceAt at{p, i};
            Node node{{at}, piece.edge};
            if (piece.wall()) {
                nodes_.push_back(node);
                for (; foot != feet_.end() && foot->first == i; ++foot) {
                    node.at.share = foot->second;
                    nodes_.push_back(node);
                }
                continue;
            }
            const std::span<const double> shares = crossings(piece.side / 2);
            node.side = piece.side & 1;
            node.part = first_part(piece.side / 2);
            const auto last = static_cast<std::uint32_t>(shares.size());
            if (node.side != 0) node.part += last;
            nodes_.push_back(node);
            for (std::uint32_t k = 0; k < last; ++k) {
                node.at.share = shares[node.side == 0 ? k : last - 1 - k];
                node.part += node.side == 0 ? 1 : -1;
                nodes_.push_back(node);
            }
        }
    }

    [[nodiscard]] std::uint32_t node_of(const BorderPoint& at) const {
        const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                        [&](const Node& node) { return node.at == at; });
        return static_cast<std::uint32_t>(found - nodes_.begin());
    }

    // Whether the border between two nodes is the straight line between them: on one edge, or with
    // corners that hardly bend it.
    [[nodiscard]] bool straight(std::uint32_t from, std::uint32_t to) const {
        constexpr double kBend = 1e-4;
        const Flat a = flat(point_of(walls_, nodes_[from].at));
        const Flat along = flat(point_of(walls_, nodes_[to].at)) - a;
        for (std::uint32_t i = from; i != to; i = next(i)) {
            const Flat to_node = flat(point_of(walls_, nodes_[i].at)) - a;
            const bool off_line = std::abs(cross(along, to_node)) > kBend * dot(along, along);
            if (off_line && nodes_[i].edge != nodes_[from].edge) return false;
        }
        return true;
    }
    [[nodiscard]] std::uint32_t next(std::uint32_t i) const {
        return i + 1 == nodes_.size() ? 0 : i + 1;
    }

    // A side of a piece: from a node to the node of the next side, along the border or a chord.
    struct PieceSide {
        std::uint32_t node = 0;
        std::uint32_t chord = kNone;
    };

    void add_polygon(Polygon p) {
        const std::span<const BorderPiece> border = walls_.border(p);
        if (border.empty()) {
            add_whole(p);
            return;
        }
        find_nodes(p);
        // The pieces: at first the whole.
        std::vector<std::vector<PieceSide>> pieces(1);
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) pieces[0].push_back({i});
        std::vector<Cut> cuts;
        for (const Cut& c : chords_[p]) {
            std::uint32_t a = node_of(c.chord.from);
            std::uint32_t b = node_of(c.chord.to);
            if (a == b) continue;
            if (straight(a, b) || straight(b, a)) {
                if (!straight(a, b)) std::swap(a, b);
                for (std::uint32_t i = a; i != b; i = next(i)) narrow(nodes_[i].part, c.width);
                continue;
            }
            if (divide(pieces, a, b, static_cast<std::uint32_t>(cuts.size()))) cuts.push_back(c);
        }
        std::vector<std::array<Polygon, 2>> beside(cuts.size(), {kNone, kNone});
        for (const std::vector<PieceSide>& sides : pieces) {
            const Polygon piece = pieces.size() == 1 ? add_whole(p) : add_piece(p, sides);
            for (const PieceSide& side : sides) {
                if (side.chord != kNone) {
                    beside[side.chord][beside[side.chord][0] == kNone ? 0 : 1] = piece;
                } else if (const Node& node = nodes_[side.node]; node.part != kNone) {
                    parts_[node.part].piece[node.side] = piece;
                }
            }
        }
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            cut_.image.portals.push_back({.first = beside[i][0],
                                          .second = beside[i][1],
                                          .begin = point_of(walls_, cuts[i].chord.from),
                                          .end = point_of(walls_, cuts[i].chord.to),
                                          .width = cuts[i].width});
        }
    }

    void narrow(std::uint32_t part, float width) {
        if (part != kNone) parts_[part].width = std::min(parts_[part].width, width);
    }

    // Divides the piece that holds both nodes. False if that is no division.
    static bool divide(std::vector<std::vector<PieceSide>>& pieces, std::uint32_t a,
                       std::uint32_t b, std::uint32_t chord) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const auto at = [&](std::uint32_t node) {
                return std::find_if(pieces[i].begin(), pieces[i].end(),
                                    [&](const PieceSide& side) { return side.node == node; });
            };
            auto first = at(a);
            auto last = at(b);
            if (first == pieces[i].end() || last == pieces[i].end()) continue;
            if (last < first) std::swap(first, last);
            const bool neighbours =
                last - first == 1 || (first == pieces[i].begin() && last + 1 == pieces[i].end());
            if (neighbours) continue;
            std::vector<PieceSide> part(first, last);
            part.push_back({last->node, chord});
            first->chord = chord;
            pieces[i].erase(first + 1, last);
            pieces.push_back(std::move(part));
            return true;
        }
        return false;
    }

    Polygon begin_piece(Polygon p) {
        const auto piece = static_cast<Polygon>(cut_.origin.size());
        cut_.origin.push_back(p);
        cut_.pieces.push_back(piece);
        cut_.image.areas.push_back(mesh_.areas[p]);
        if (mesh_.blocked[p] != 0) cut_.edits.push_back({piece, mesh_.areas[p], true});
        return piece;
    }
    void end_piece() {
        MeshImage& image = cut_.image;
        image.first_corner.push_back(static_cast<std::uint32_t>(image.corners.size()));
    }
    Polygon add_whole(Polygon p) {
        const MeshTopology& t = *mesh_.topology;
        const Polygon piece = begin_piece(p);
        cut_.image.corners.insert(cut_.image.corners.end(), t.corners.begin() + t.first_corner[p],
                                  t.corners.begin() + t.first_corner[p + 1]);
        end_piece();
        return piece;
    }
    Polygon add_piece(Polygon p, std::span<const PieceSide> sides) {
        MeshImage& image = cut_.image;
        const Polygon piece = begin_piece(p);
        const std::size_t first = image.corners.size();
        for (const PieceSide& side : sides) {
            image.corners.push_back(static_cast<std::uint32_t>(image.vertices.size()));
            image.vertices.push_back(point_of(walls_, nodes_[side.node].at));
        }
        // Only corners where the border bends are needed.
        const auto corner = [&](std::size_t i) { return flat(image.vertices[image.corners[i]]); };
        std::vector<std::uint32_t> kept;
        const std::size_t count = image.corners.size() - first;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t before = (i + count - 1) % count;
            const bool straight = sides[before].chord == kNone && sides[i].chord == kNone &&
                                  nodes_[sides[before].node].edge == nodes_[sides[i].node].edge;
            if (!straight &&
                (kept.empty() || corner(first + i) != flat(image.vertices[kept.back()])))
                kept.push_back(image.corners[first + i]);
        }
        while (kept.size() > 3 &&
               flat(image.vertices[kept.front()]) == flat(image.vertices[kept.back()]))
            kept.pop_back();
        while (kept.size() < 3) kept.push_back(image.corners[first + kept.size()]);
        image.corners.resize(first);
        image.corners.insert(image.corners.end(), kept.begin(), kept.end());
        end_piece();
        return piece;
    }

    void add_opening_portals() {
        for (std::uint32_t o = 0; o < walls_.openings().size(); ++o) {
            const Opening& opening = walls_.openings()[o];
            const std::span<const double> shares = crossings(o);
            for (std::uint32_t k = 0; k <= shares.size(); ++k) {
                const Part& part = parts_[first_part(o) + k];
                const auto at = [&](double share) {
                    return between(opening.ends.right, opening.ends.left, share);
                };
                cut_.image.portals.push_back({.first = part.piece[0],
                                              .second = part.piece[1],
                                              .begin = at(k == 0 ? 0 : shares[k - 1]),
                                              .end = at(k == shares.size() ? 1 : shares[k]),
                                              .forth = opening.forth,
                                              .back = opening.back,
                                              .width = part.width});
            }
        }
    }

    // Connections are numbered after all other pieces.
    void add_connections() {
        const MeshTopology& t = *mesh_.topology;
        CutMesh cut = std::move(cut_);
        std::vector<std::uint32_t> first{0};
        std::vector<Polygon> pieces;
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            if (t.is_connection(p)) {
                const std::uint32_t corner = t.first_corner[p];
                const auto piece = static_cast<Polygon>(cut.origin.size());
                cut.image.connections.push_back({.from = kNone,
                                                 .to = kNone,
                                                 .begin = t.vertices[t.corners[corner]],
                                                 .end = t.vertices[t.corners[corner + 1]],
                                                 .area = mesh_.areas[p]});
                if (mesh_.blocked[p] != 0) cut.edits.push_back({piece, mesh_.areas[p], true});
                cut.origin.push_back(p);
                pieces.push_back(piece);
            }
            pieces.insert(pieces.end(), cut.pieces.begin() + cut.first[p],
                          cut.pieces.begin() + cut.first[p + 1]);
            first.push_back(static_cast<std::uint32_t>(pieces.size()));
        }
        cut.first = std::move(first);
        cut.pieces = std::move(pieces);
        cut_ = std::move(cut);
    }

    // The portals of connections, and those that count as walls.
    void add_other_portals() {
        const MeshTopology& t = *mesh_.topology;
        std::vector<bool> done(t.ends.size());
        for (const Opening& opening : walls_.openings()) {
            if (opening.portal != kNone) done[opening.portal] = true;
        }
        for (Portal portal = 0; portal < t.ends.size(); ++portal) {
            const Polygon first = t.link_polygon[2 * portal];
            const Polygon second = t.link_polygon[2 * portal + 1];
            if (first == kNone || t.part(portal) != 0 || done[portal]) continue;
            const PortalEnds& ends = t.ends[portal];
            const Flat middle = (flat(ends.left) + flat(ends.right)) * 0.5;
            const auto piece = [&](Polygon p) {
                const std::span<const Polygon> pieces(cut_.pieces.data() + cut_.first[p],
                                                      cut_.pieces.data() + cut_.first[p + 1]);
                return pieces.size() == 1 ? pieces[0]
                                          : piece_at({cut_.image.vertices, cut_.image.first_corner,
                                                      cut_.image.corners},
                                                     pieces, middle);
            };
            const Polygon ground = t.is_connection(first) ? second : first;
            const bool lands = t.is_connection(first) || t.is_connection(second);
            const bool walled = walls_.border(ground).empty();
            const double room =
                lands && !walled
                    ? 2 * walls_.clearance(ground, middle, std::numeric_limits<double>::infinity())
                    : 0;
            cut_.image.portals.push_back({.first = piece(first),
                                          .second = piece(second),
                                          .begin = ends.left,
                                          .end = ends.right,
                                          .forth = t.passable[2 * portal] != 0,
                                          .back = t.passable[2 * portal + 1] != 0,
                                          .width = rounded_down(room)});
        }
    }

    const MeshData& mesh_;
    const Walls& walls_;
    std::vector<std::vector<Cut>> chords_;       // per polygon
    std::vector<std::uint32_t> first_crossing_;  // per opening, and one more
    std::vector<double> crossings_;              // shares, opening by opening
    std::vector<Part> parts_;  // one more than crossings for each opening, opening by opening
    CutMesh cut_;
    std::vector<Node> nodes_;
    std::vector<std::pair<std::uint32_t, double>> feet_;
};

}  // namespace

CutMesh cut(const MeshData& mesh, const Walls& walls, std::span<const FoundGate> gates) {
    return Cutter(mesh, walls, gates).run();
}

Polygon piece_at(const Corners& all, std::span<const Polygon> pieces, Flat point) {
    Polygon best = pieces[0];
    double most = -std::numeric_limits<double>::infinity();
    for (const Polygon piece : pieces) {
        double inside = std::numeric_limits<double>::infinity();
        const std::uint32_t first = all.first_corner[piece];
        const std::uint32_t last = all.first_corner[piece + 1];
        for (std::uint32_t c = first; c < last; ++c) {
            const Flat a = flat(all.vertices[all.corners[c]]);
            const Flat b = flat(all.vertices[all.corners[c + 1 == last ? first : c + 1]]);
            const double size = length(b - a);
            if (size > 0) inside = std::min(inside, cross(b - a, point - a) / size);
        }
        if (inside > most) {
            most = inside;
            best = piece;
        }
    }
    return best;
}

}  // namespace cairn::mesh
