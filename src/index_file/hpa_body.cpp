// The body of HPA* index files.

#include "cairn/hpa/index.hpp"
#include "hpa/snapshot.hpp"
#include "index_file/body.hpp"
#include "index_file/hpa_validator.hpp"
#include "overlay/component_labels.hpp"
#include "overlay/levels.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<hpa::Options> {
    template <class Visit>
    static void visit(hpa::Options& o, Visit&& visit) {
        visit("cluster_size", o.cluster_size);
        visit("levels", o.levels);
        visit("branching", o.branching);
        visit("wide_entrance", o.wide_entrance);
        visit("transitions", o.transitions, hpa::Transitions::every);
        visit("diagonals", o.diagonals, hpa::DiagonalCrossings::every);
        visit("move_tables", o.move_tables);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
    }
};

namespace {

bool read_overlay(Frame& file, hpa::Snapshot& snapshot) {
    hpa::Overlay& overlay = snapshot.overlay;
    const hpa::Options& options = snapshot.options;
    overlay.base.partition =
        hpa::Partition(overlay.base.map.width(), overlay.base.map.height(), options.cluster_size,
                       options.branching, options.levels);
    for (int level = 1; level <= options.levels; ++level) {
        if (!file.read(Section::clusters, overlay.base.partition.clusters(level),
                       overlay.levels.emplace_back(), level)) {
            return false;
        }
    }
    const std::size_t clusters = overlay.base.partition.clusters(1);
    if (options.move_tables) {
        if (!file.read(Section::move_tables, clusters, snapshot.tables)) return false;
    } else {
        snapshot.tables = RecordStore(std::vector<std::vector<std::uint32_t>>(clusters));
    }
    if (const std::string fault = overlay_fault(snapshot); !fault.empty())
        return file.refuse(fault);
    for (int level = 1; level <= options.levels; ++level) {
        if (const Status s = add_slot_bits(overlay); !s.ok()) return file.refuse(s.message);
    }
    snapshot.components = label_components(overlay);
    return true;
}

bool read_labels(Frame& file, hpa::Snapshot& snapshot) {
    if (!snapshot.options.labels) {
        snapshot.labels_status = {StatusCode::unsupported, "the index file has no labels"};
        return true;
    }
    hpa::LabelEngine engine = hpa::number_label_nodes(snapshot.overlay);
    if (!file.read(engine.labels)) return false;
    const std::string_view fault = label_fault(snapshot.overlay, engine, engine.labels.arrays());
    if (!fault.empty()) return file.refuse(fmt::format("cut labels: {}", fault));
    snapshot.labels = std::make_shared<const hpa::LabelEngine>(std::move(engine));
    return true;
}

}  // namespace

template <>
struct Body<hpa::Index> {
    static constexpr BodyFormat kFormat{"hpa", 2, "an HPA* index"};

    static void write(const hpa::Index& index, FrameWriter& out) {
        const hpa::Snapshot& s = index.snapshot();
        const grid::Map& map = s.overlay.base.map;
        out.map(map.width(), map.height(), map.fingerprint(), /*held=*/false);
        hpa::Options options = s.options;
        options.labels = s.labels != nullptr;
        out.options(options);
        for (int level = 1; level <= options.levels; ++level)
            out.add(Section::clusters, s.overlay.levels[static_cast<std::size_t>(level - 1)],
                    level);
        if (options.move_tables) out.add(Section::move_tables, s.tables);
        if (s.labels) out.add(s.labels->labels.arrays());
    }

    static std::shared_ptr<const hpa::Snapshot> read(Frame& file, const grid::Map* map) {
        const auto snapshot = std::make_shared<hpa::Snapshot>();
        if (!file.check_map(*map) || !file.read_options(snapshot->options)) return nullptr;
        snapshot->overlay.base.map = *map;
        // Searchers identify their caches by ids, so an id must not come from a file.
        snapshot->id = hpa::fresh_snapshot_id(*map, snapshot->options);
        if (!read_overlay(file, *snapshot) || !read_labels(file, *snapshot)) return nullptr;
        return snapshot;
    }
};

}  // namespace cairn::index_file

namespace cairn {

template Status save(const hpa::Index&, const std::string&);
template Result<std::string> to_bytes(const hpa::Index&);
template Result<hpa::Index> load(const std::string&, const grid::Map&, const LoadOptions&);
template Result<hpa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const grid::Map&);
template Result<hpa::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
