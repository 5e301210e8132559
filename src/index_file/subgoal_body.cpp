// The body of subgoal graph index files.

#include "cairn/subgoal/index.hpp"
#include "index_file/body.hpp"
#include "index_file/subgoal_validator.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<subgoal::Options> {
    template <class Visit>
    static void visit(subgoal::Options& o, Visit&& visit) {
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

bool read_graph(Frame& file, subgoal::Snapshot& snapshot) {
    const int width = snapshot.map.width();
    RecordStore records;
    if (!file.read(Section::subgoal_tiles,
                   subgoal::SubgoalGraph::tile_count(width, snapshot.map.height()), records)) {
        return false;
    }
    snapshot.graph = subgoal::SubgoalGraph(width, std::move(records));
    const std::string fault = graph_fault(snapshot);
    return fault.empty() || file.refuse(fault);
}

bool read_levels(Frame& file, const subgoal::Snapshot& snapshot, subgoal::Engines& engines) {
    if (!file.read(engines.levels)) return false;
    const std::string fault = level_fault(snapshot, engines);
    return fault.empty() || file.refuse(fault);
}

bool read_labels(Frame& file, const subgoal::Snapshot& snapshot, subgoal::Engines& engines) {
    const bool wanted = snapshot.options.labels;
    if (!wanted || !file.has(Section::label_nodes)) {
        engines.labels_status = {wanted ? StatusCode::too_large : StatusCode::unsupported,
                                 file.note()};
        return !file.note().empty() || file.refuse("the labels are missing");
    }
    if (!file.read(engines.labels)) return false;
    const std::string fault = label_fault(snapshot, engines);
    return fault.empty() || file.refuse(fault);
}

// None after an edit.
bool read_engines(Frame& file, subgoal::Snapshot& snapshot) {
    if (!file.has(Section::level_vertices)) return true;
    auto engines = subgoal::begin_engines(snapshot, {});
    if (!engines) return file.refuse(engines.error());
    engines->taut_edges = static_cast<std::uint64_t>(file.info().fact("taut_edges"));
    if (engines->taut_edges > snapshot.graph.arc_count() / 2)
        return file.refuse("there are more taut edges than edges");
    if (!read_levels(file, snapshot, *engines) || !read_labels(file, snapshot, *engines))
        return false;
    snapshot.engines = std::make_shared<const subgoal::Engines>(std::move(*engines));
    return true;
}

}  // namespace

template <>
struct Body<subgoal::Index> {
    static constexpr BodyFormat kFormat{"subgoal", 2, "a subgoal graph index"};

    static void write(const subgoal::Index& index, FrameWriter& out) {
        const subgoal::Snapshot& s = index.snapshot();
        out.map(s.map.width(), s.map.height(), s.map.fingerprint(), /*held=*/false);
        out.options(s.options);
        out.add(Section::subgoal_tiles, s.graph.records());
        if (!s.engines) return;
        out.fact("taut_edges", static_cast<std::int64_t>(s.engines->taut_edges));
        out.add(s.engines->levels.arrays());
        if (s.engines->has_labels())
            out.add(s.engines->labels.arrays());
        else
            out.note(s.engines->labels_status.message);
    }

    static std::shared_ptr<const subgoal::Snapshot> read(Frame& file, const grid::Map* map) {
        const auto snapshot = std::make_shared<subgoal::Snapshot>();
        if (!file.check_map(*map)) return nullptr;
        if (const Status s = subgoal::check(*map); !s.ok()) return file.refuse(s.message), nullptr;
        if (!file.read_options(snapshot->options)) return nullptr;
        // Searchers identify their caches by ids, so an id must not come from a file.
        snapshot->id = subgoal::fresh_snapshot_id(*map, snapshot->options);
        snapshot->map = *map;
        snapshot->bits = subgoal::SubgoalBits(*map);
        if (!read_graph(file, *snapshot) || !read_engines(file, *snapshot)) return nullptr;
        return snapshot;
    }
};

}  // namespace cairn::index_file

namespace cairn {

template Status save(const subgoal::Index&, const std::string&);
template Result<std::string> to_bytes(const subgoal::Index&);
template Result<subgoal::Index> load(const std::string&, const grid::Map&, const LoadOptions&);
template Result<subgoal::Index> from_bytes(std::span<const std::byte>,
                                           const std::shared_ptr<const void>&, std::string_view,
                                           const grid::Map&);
template Result<subgoal::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
