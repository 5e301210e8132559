// The body of subgoal graph index files. An index that is read is checked against its map. If the
// check passes, no query or edit of the index reads out of bounds, runs forever or gives an illegal
// path, whatever the bytes of the file were.

#include <algorithm>
#include <vector>

#include "cairn/subgoal/index.hpp"
#include "core/guarded.hpp"
#include "index_file/body.hpp"
#include "index_file/checks.hpp"
#include "index_file/grid_map.hpp"
#include "subgoal/edit.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<subgoal::Options> {
    static void visit(subgoal::Options& o, auto&& visit) {
        visit("edges", o.edges, subgoal::Edges::h_reachable);
        visit("prune", o.prune);
        visit("levels", o.levels);
        visit("extra_edges", o.extra_edges, subgoal::ExtraEdges::h_reachable);
        visit("order", o.order, ContractionOrder::random);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
    }
};

namespace {

std::string fault_at(const grid::Map& map, grid::Cell cell, std::string_view fault) {
    const grid::Point p = map.point(cell);
    return fmt::format("the subgoal at ({}, {}): {}", p.x, p.y, fault);
}

std::string fault_at_tile(std::size_t tile, std::string_view fault) {
    return fmt::format("subgoal graph, tile {}: {}", tile, fault);
}

std::string direct_fault(const subgoal::SubgoalGraph& graph,
                         const subgoal::SubgoalGraph& expected) {
    for (std::size_t tile = 0; tile < expected.tile_count(); ++tile) {
        const RecordStore::Record right = expected.records()[tile];
        const RecordStore::Record record = graph.records()[tile];
        if (!std::equal(record.begin(), record.end(), right.begin(), right.end()))
            return fault_at_tile(tile, "the edges are not those of the map");
    }
    return {};
}

// Whether the nodes of a tile's record are subgoals.
bool are_subgoals(const subgoal::SubgoalBits& bits, grid::Point corner,
                  RecordStore::Record record) {
    constexpr int kSide = subgoal::SubgoalGraph::kTileSide;
    const auto nodes = record.empty() ? record : record.subspan(1, record[0]);
    return std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
        const int local = static_cast<int>(node & 0xff);  // see SubgoalGraph: the cell in its tile
        const int x = corner.x + local % kSide;
        const int y = corner.y + local / kSide;
        return x < bits.width() && y < bits.height() && bits.is_subgoal(x, y);
    });
}

// A forged file may claim h-reachable edges and hold few, while the map has very many. So the edges
// of the map are found one subgoal at a time, up to the first fault.
std::string h_reachable_fault(const subgoal::Snapshot& snapshot,
                              const subgoal::SubgoalGraph& direct) {
    const subgoal::SubgoalGraph& graph = snapshot.graph;
    std::size_t nodes = 0;
    for (std::size_t tile = 0; tile < graph.tile_count(); ++tile) {
        const RecordStore::Record record = graph.records()[tile];
        if (!subgoal::SubgoalGraph::well_formed(record))
            return fault_at_tile(tile, "its record has a wrong shape");
        if (!are_subgoals(snapshot.bits, snapshot.graph.tile_corner(tile), record))
            return fault_at_tile(tile, "the nodes are not the subgoals of the map");
        nodes += record.empty() ? 0 : record[0];
    }
    if (nodes != snapshot.bits.count()) return "subgoal graph: there are subgoals missing";
    subgoal::HReachableEdges h_reachable(snapshot.bits, direct);
    std::vector<std::uint32_t> expected;
    for (const grid::Cell cell : subgoal::subgoal_cells(snapshot.bits)) {
        const grid::Point p = snapshot.map.point(cell);
        h_reachable.find(p.x, p.y, expected);
        const auto edges = graph.neighbours(p.x, p.y);
        if (!std::equal(edges.begin(), edges.end(), expected.begin(), expected.end()))
            return fault_at(snapshot.map, cell, "the edges are not those of the map");
    }
    return {};
}

/// What is wrong with the subgoal graph of a snapshot; empty if it equals the graph that
/// SubgoalGraph::build makes. Options, map and bits must be right. Takes at most the time of that
/// build. To check only the edges of the file would save little and miss absent edges.
std::string graph_fault(const subgoal::Snapshot& snapshot) {
    const auto direct = subgoal::SubgoalGraph::build(snapshot.bits, subgoal::Edges::direct, {});
    if (!direct) return direct.error().message;
    return snapshot.options.edges == subgoal::Edges::direct ? direct_fault(snapshot.graph, *direct)
                                                            : h_reachable_fault(snapshot, *direct);
}

/// What is wrong with an N-level graph that NLevelGraph::from_arrays has accepted; empty if
/// nothing. Then its vertices are the nodes of the snapshot, and it has no more levels than
/// the options allow. Every arc is as long as the octile distance, which therefore is a consistent
/// heuristic. With one level every arc is an edge of the subgoal graph. O(arcs).
std::string level_fault(const subgoal::Snapshot& snapshot, const subgoal::Engines& engines) {
    const NLevelArrays& arrays = engines.levels.arrays();
    const std::uint32_t most = snapshot.options.levels;
    if (arrays.levels.size() != snapshot.nodes.size())
        return "n-level graph: the numbers of vertices and subgoals differ";
    if (most != 0 && engines.levels.num_levels() > most)
        return "n-level graph: there are more levels than the options allow";
    const grid::Map& map = snapshot.map;
    const bool extra_edges = most != 1;
    for (std::uint32_t v = 0; v < snapshot.nodes.size(); ++v) {
        const std::uint32_t first = arrays.vertices[v].first;
        const grid::Point from = snapshot.nodes.point(v);
        const auto edges = snapshot.graph.neighbours(from.x, from.y);
        for (const NLevelArc& arc :
             arrays.arcs.subspan(first, arrays.vertices[v + 1].first - first)) {
            const grid::Point to = snapshot.nodes.point(arc.head);
            if (arc.head == v || arc.weight != map.distance_bound(from, to)) {
                return fault_at(map, snapshot.nodes.cell(v),
                                "an arc of the n-level graph has a wrong length");
            }
            if (!extra_edges &&
                !std::binary_search(edges.begin(), edges.end(), snapshot.nodes.cell(arc.head))) {
                return fault_at(map, snapshot.nodes.cell(v),
                                "an arc of the n-level graph is no edge");
            }
        }
    }
    return {};
}

/// The label_fault of the labels that were read, as a message; empty if there is none. Needs a
/// subgoal graph without fault.
std::string fault_of_labels(const subgoal::Snapshot& snapshot) {
    const grid::Map& map = snapshot.map;
    const auto fault = label_fault(snapshot.labels, snapshot.nodes.size(), false,
                                   [&](std::uint32_t node, std::uint32_t other) {
                                       const grid::Point p = snapshot.nodes.point(node);
                                       const auto edges = snapshot.graph.neighbours(p.x, p.y);
                                       return std::binary_search(edges.begin(), edges.end(),
                                                                 snapshot.nodes.cell(other));
                                   });
    if (!fault) return {};
    const std::string text = fmt::format("cut labels: {}", fault->text);
    return fault->id == Fault::kWhole ? text : fault_at(map, snapshot.nodes.cell(fault->id), text);
}

bool read_graph(Frame& file, subgoal::Snapshot& snapshot) {
    const int width = snapshot.map.width();
    RecordStore records;
    if (!file.read(Section::subgoal_tiles,
                   subgoal::SubgoalGraph::tile_count(width, snapshot.map.height()), records)) {
        return false;
    }
    snapshot.graph = subgoal::SubgoalGraph(width, std::move(records));
    const std::string fault = file.trusted() ? "" : graph_fault(snapshot);
    return fault.empty() || file.refuse(fault);
}

bool read_levels(Frame& file, const subgoal::Snapshot& snapshot, subgoal::Engines& engines) {
    if (!file.read(engines.levels)) return false;
    if (const std::string fault = file.trusted() ? "" : level_fault(snapshot, engines);
        !fault.empty())
        return file.refuse(fault);
    subgoal::find_turns(snapshot, engines);
    return true;
}

bool read_labels(Frame& file, subgoal::Snapshot& snapshot) {
    if (!file.has(Section::closure_nodes)) {
        // The note says why: labels were not asked for, or not even a closure could be built.
        const bool wanted = snapshot.options.labels;
        snapshot.labels_status = {wanted ? StatusCode::too_large : StatusCode::unsupported,
                                  file.note()};
        return !file.note().empty() || file.refuse("the labels are missing");
    }
    if (!file.read(snapshot.labels, snapshot.labels_status)) return false;
    const std::string fault = file.trusted() ? "" : fault_of_labels(snapshot);
    return fault.empty() || file.refuse(fault);
}

// Sets no engines if the index was saved after an edit: then the file has none.
bool read_engines(Frame& file, subgoal::Snapshot& snapshot) {
    if (!file.has(Section::level_vertices)) return true;
    auto engines = std::make_shared<subgoal::Engines>();
    engines->taut_edges = static_cast<std::uint64_t>(file.info().fact("taut_edges"));
    if (engines->taut_edges > snapshot.graph.arc_count() / 2)
        return file.refuse("there are more taut edges than edges");
    if (!read_levels(file, snapshot, *engines)) return false;
    snapshot.engines = std::move(engines);
    return true;
}

// The labels for fresh nodes, which a file has.
CutLabels fresh_labels(const subgoal::Snapshot& snapshot) {
    if (snapshot.nodes.fresh()) return snapshot.labels;
    return value_of(snapshot.labels.in_one_piece(value_of(freshly_numbered(snapshot))));
}

}  // namespace

template <>
struct Body<subgoal::Index> {
    static constexpr BodyFormat kFormat{"subgoal", 4, "a subgoal graph index"};

    static void write(const subgoal::Index& index, FrameWriter& out) {
        const subgoal::Snapshot& s = index.snapshot();
        out.map(s.map.width(), s.map.height(), s.map.fingerprint(), out.with_map());
        out.options(s.options);
        if (out.with_map()) write_map(s.map, out);
        out.add(Section::subgoal_tiles, s.graph.records());
        if (s.has_closure())
            out.add(fresh_labels(s), s.labels_status);
        else
            out.note(s.labels_status.message);
        if (!s.engines) return;
        out.fact("taut_edges", static_cast<std::int64_t>(s.engines->taut_edges));
        out.add(s.engines->levels.arrays());
    }

    static std::shared_ptr<const subgoal::Snapshot> read(Frame& file, const grid::Map* map) {
        const auto snapshot = std::make_shared<subgoal::Snapshot>();
        if (!read_map(file, map, snapshot->map)) return nullptr;
        if (const Status s = subgoal::check(snapshot->map); !s.ok())
            return file.refuse(s.message), nullptr;
        if (!file.read_options(snapshot->options)) return nullptr;
        // Searchers tell by the id whether their caches are for this snapshot, so it is computed,
        // not read from the file.
        snapshot->id = subgoal::fresh_snapshot_id(file.info().map_fingerprint, snapshot->options);
        snapshot->bits = subgoal::SubgoalBits(snapshot->map);
        if (!read_graph(file, *snapshot)) return nullptr;
        if (const Status s = subgoal::add_connectors(*snapshot, {}); !s.ok())
            return file.refuse(s), nullptr;
        if (!read_engines(file, *snapshot) || !read_labels(file, *snapshot)) return nullptr;
        return snapshot;
    }
};

template Status save_replacing(const subgoal::Index&, const std::string&, const Origin&,
                               std::uint64_t&);

}  // namespace cairn::index_file

namespace cairn {

template Status save(const subgoal::Index&, const std::string&, const SaveOptions&);
template Result<std::string> to_bytes(const subgoal::Index&, const SaveOptions&);
template Result<subgoal::Index> load(const std::string&, const LoadOptions&);
template Result<subgoal::Index> load(const std::string&, const grid::Map&, const LoadOptions&);
template Result<subgoal::Index> from_bytes(std::span<const std::byte>,
                                           const std::shared_ptr<const void>&, std::string_view,
                                           FileChecks);
template Result<subgoal::Index> from_bytes(std::span<const std::byte>,
                                           const std::shared_ptr<const void>&, std::string_view,
                                           const grid::Map&, FileChecks);
template Result<subgoal::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
