#include <algorithm>

#include "cairn/file.hpp"
#include "cairn/index_file/subgoal_index_file.hpp"
#include "index_file/index_parts.hpp"
#include "index_file/subgoal_index_validator.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal_index_generated.h"

namespace cairn::index_file {
namespace {

Result<const schema::SubgoalIndex*> open(std::span<const std::byte> bytes, std::string_view name) {
    const IndexFormat format{schema::SubgoalIndexIdentifier(), kSubgoalIndexVersion,
                             "a subgoal graph index"};
    return open_sealed<schema::SubgoalIndex>(
        bytes, name, format, [](const schema::SubgoalIndex& root) {
            return root.engines() == nullptr || labels_aligned(root.engines()->labels());
        });
}

NLevelArrays arrays_of(const schema::LevelGraph& graph) {
    return {span_of<NLevelVertex>(graph.vertices()), span_of<std::uint16_t>(graph.levels()),
            span_of<NLevelArc>(graph.arcs()), graph.extra_edges()};
}

// It is shown to people: a line of text.
bool is_message(const flatbuffers::String* text) {
    constexpr std::uint32_t kLongest = 1000;
    return text != nullptr && text->size() <= kLongest &&
           std::all_of(text->begin(), text->end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Reads one file, whose outer shape is checked already.
class SubgoalIndexReader {
public:
    SubgoalIndexReader(const schema::SubgoalIndex& root, std::string_view name)
        : root_(root), name_(name) {}

    [[nodiscard]] Status options(subgoal::Options& options) const;
    [[nodiscard]] Result<subgoal::Index> index(const grid::Map& map,
                                               const std::shared_ptr<const void>& owner) const;

private:
    [[nodiscard]] Status corrupt(std::string_view what) const { return corrupt_index(name_, what); }
    [[nodiscard]] Status check_map(const grid::Map& map) const;
    [[nodiscard]] Status read_graph(subgoal::Snapshot& snapshot,
                                    const std::shared_ptr<const void>& owner) const;
    [[nodiscard]] Status read_engines(subgoal::Snapshot& snapshot,
                                      const std::shared_ptr<const void>& owner) const;
    [[nodiscard]] Status read_levels(const subgoal::Snapshot& snapshot,
                                     const std::shared_ptr<const void>& owner,
                                     subgoal::Engines& engines) const;
    [[nodiscard]] Status read_labels(const subgoal::Snapshot& snapshot,
                                     const std::shared_ptr<const void>& owner,
                                     subgoal::Engines& engines) const;

    const schema::SubgoalIndex& root_;
    std::string_view name_;
};

Status SubgoalIndexReader::options(subgoal::Options& options) const {
    const schema::SubgoalOptions* file = root_.options();
    if (file == nullptr) return corrupt("the options are missing");
    if (file->prune() > 1 || file->labels() > 1) return corrupt("an option has an unknown value");
    options.edges = static_cast<subgoal::Edges>(file->edges());
    options.prune = file->prune() != 0;
    options.levels = file->levels();
    options.extra_edges = static_cast<subgoal::ExtraEdges>(file->extra_edges());
    options.order = static_cast<ContractionOrder>(file->order());
    options.labels = file->labels() != 0;
    options.label_bytes = file->label_bytes();
    if (const Status status = check(options); !status.ok()) return corrupt(status.message);
    return {};
}

Status SubgoalIndexReader::check_map(const grid::Map& map) const {
    const MapStamp stamp{{root_.width(), root_.height()}, root_.map_fingerprint()};
    if (Status s = index_file::check_map(name_, stamp, map); !s.ok()) return s;
    if (const Status s = subgoal::check(map); !s.ok()) return corrupt(s.message);
    return {};
}

Status SubgoalIndexReader::read_graph(subgoal::Snapshot& snapshot,
                                      const std::shared_ptr<const void>& owner) const {
    const int width = snapshot.map.width();
    const int height = snapshot.map.height();
    const std::size_t tiles = subgoal::SubgoalGraph::tile_count(width, height);
    RecordStore records;
    if (root_.graph() == nullptr || !read_records(*root_.graph(), tiles, owner, records)) {
        return corrupt("the pages of the subgoal graph do not fit together");
    }
    snapshot.graph = subgoal::SubgoalGraph(width, std::move(records));
    if (const std::string fault = graph_fault(snapshot); !fault.empty()) return corrupt(fault);
    return {};
}

Status SubgoalIndexReader::read_levels(const subgoal::Snapshot& snapshot,
                                       const std::shared_ptr<const void>& owner,
                                       subgoal::Engines& engines) const {
    if (root_.engines()->levels() == nullptr) return corrupt("the n-level graph is missing");
    auto levels = NLevelGraph::from_arrays(arrays_of(*root_.engines()->levels()), owner);
    if (!levels) return corrupt(levels.error().message);
    engines.levels = std::move(*levels);
    if (const std::string fault = level_fault(snapshot, engines); !fault.empty())
        return corrupt(fault);
    return {};
}

Status SubgoalIndexReader::read_labels(const subgoal::Snapshot& snapshot,
                                       const std::shared_ptr<const void>& owner,
                                       subgoal::Engines& engines) const {
    const schema::SubgoalEngines& file = *root_.engines();
    if (file.labels() == nullptr) {
        if (!is_message(file.labels_missing())) return corrupt("the labels are missing");
        engines.labels_status = {
            snapshot.options.labels ? StatusCode::too_large : StatusCode::unsupported,
            file.labels_missing()->str()};
        return {};
    }
    if (!snapshot.options.labels) return corrupt("there are labels against the options");
    auto labels = CutLabels::from_arrays(index_file::arrays_of(*file.labels()), owner);
    if (!labels) return corrupt(labels.error().message);
    engines.labels = std::move(*labels);
    if (const std::string fault = label_fault(snapshot, engines); !fault.empty())
        return corrupt(fault);
    return {};
}

Status SubgoalIndexReader::read_engines(subgoal::Snapshot& snapshot,
                                        const std::shared_ptr<const void>& owner) const {
    auto begun = subgoal::begin_engines(snapshot, {});
    if (!begun) return begun.error();
    subgoal::Engines& engines = *begun;
    engines.taut_edges = root_.engines()->taut_edges();
    if (engines.taut_edges > snapshot.graph.arc_count() / 2) {
        return corrupt("there are more taut edges than edges");
    }
    if (Status s = read_levels(snapshot, owner, engines); !s.ok()) return s;
    if (Status s = read_labels(snapshot, owner, engines); !s.ok()) return s;
    snapshot.engines = std::make_shared<const subgoal::Engines>(std::move(engines));
    return {};
}

Result<subgoal::Index> SubgoalIndexReader::index(const grid::Map& map,
                                                 const std::shared_ptr<const void>& owner) const {
    auto snapshot = std::make_shared<subgoal::Snapshot>();
    if (Status s = check_map(map); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = options(snapshot->options); !s.ok()) return tl::unexpected(std::move(s));
    // Ids are how searchers know what they have cached: never a file's to say.
    snapshot->id = subgoal::fresh_snapshot_id(map, snapshot->options);
    snapshot->map = map;
    snapshot->bits = subgoal::SubgoalBits(map);
    if (Status s = read_graph(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    if (root_.engines() != nullptr) {
        if (Status s = read_engines(*snapshot, owner); !s.ok()) return tl::unexpected(std::move(s));
    }
    return subgoal::Index(std::move(snapshot));
}

}  // namespace

Result<subgoal::Index> subgoal_index_from_bytes(std::span<const std::byte> bytes,
                                                const std::shared_ptr<const void>& owner,
                                                std::string_view name, const grid::Map& map) {
    return read_aligned(bytes, owner, [&](auto usable, const auto& kept) -> Result<subgoal::Index> {
        const auto root = open(usable, name);
        if (!root) return tl::unexpected(root.error());
        return SubgoalIndexReader(**root, name).index(map, kept);
    });
}

Result<subgoal::Index> load_subgoal_index(const std::filesystem::path& path, const grid::Map& map) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto owner = std::make_shared<const MappedFile>(std::move(*file));
    return subgoal_index_from_bytes(owner->bytes(), owner, path.string(), map);
}

Result<SubgoalIndexFileInfo> inspect_subgoal_index_bytes(std::span<const std::byte> bytes,
                                                         std::string_view name) {
    std::vector<std::uint64_t> memory;
    const auto opened = open(aligned_bytes(bytes, memory), name);
    if (!opened) return tl::unexpected(opened.error());
    const schema::SubgoalIndex& root = **opened;
    SubgoalIndexFileInfo info;
    if (Status s = SubgoalIndexReader(root, name).options(info.options); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    info.version = root.version();
    info.width = root.width();
    info.height = root.height();
    info.map_fingerprint = root.map_fingerprint();
    info.graph_bytes = page_bytes(root.graph());
    info.complete = root.engines() != nullptr;
    if (info.complete && root.engines()->levels() != nullptr) {
        info.level_bytes = level_array_bytes(arrays_of(*root.engines()->levels()));
    }
    info.has_labels = info.complete && root.engines()->labels() != nullptr;
    if (info.has_labels) {
        info.label_bytes = label_array_bytes(index_file::arrays_of(*root.engines()->labels()));
    }
    info.file_bytes = bytes.size();
    return info;
}

Result<SubgoalIndexFileInfo> inspect_subgoal_index(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_subgoal_index_bytes(file->bytes(), path.string());
}

}  // namespace cairn::index_file
