// The body of HAA* index files.

#include <algorithm>
#include <optional>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/haa/index.hpp"
#include "haa/snapshot.hpp"
#include "index_file/body.hpp"
#include "index_file/haa_validator.hpp"

namespace cairn::index_file {

template <>
struct FileOptions<haa::Options> {
    template <class Visit>
    static void visit(haa::Options& o, Visit&& visit) {
        visit("cluster_size", o.cluster_size);
        visit("levels", o.levels);
        visit("branching", o.branching);
        visit("abstraction", o.abstraction, haa::Abstraction::low_quality);
        visit("transitions", o.transitions, haa::Transitions::best_clearance);
        visit("wide_entrance", o.wide_entrance);
        visit("shift", o.shift);
        visit("reach", o.reach);
        visit("move_tables", o.move_tables);
        visit("labels", o.labels);
        visit("label_bytes", o.label_bytes);
        visit("view_bytes", o.view_bytes);
    }
};

template <>
struct FileOptions<haa::AnnotationOptions> {
    template <class Visit>
    static void visit(haa::AnnotationOptions& o, Visit&& visit) {
        visit("max_size", o.max_size);
        visit("anchor", o.anchor, haa::Anchor::centred);
        visit("neighbourhood", o.rules.neighbourhood, grid::Neighbourhood::eight);
        visit("corner", o.rules.corner, grid::CornerRule::free);
        visit("straight", o.costs.straight);
        visit("diagonal", o.costs.diagonal);
    }
};

namespace {

bool check_image(Frame& file, std::span<const std::uint8_t> terrain,
                 const grid::TerrainImage& image) {
    if (!file.check_shape(image.width, image.height)) return false;
    const auto at =
        std::mismatch(terrain.begin(), terrain.end(), image.terrain.begin(), image.terrain.end())
            .first;
    if (at == terrain.end()) return true;
    const auto cell = static_cast<int>(at - terrain.begin());
    return file.refuse_map(fmt::format("of the same size but with other terrain at ({}, {})",
                                       cell % image.width, cell / image.width));
}

bool read_annotation(Frame& file, haa::AnnotationOptions& options) {
    const auto key = file.read<std::uint8_t>(Section::terrain_key);
    const auto capabilities = file.read<haa::Capability>(Section::agent_capabilities);
    if (!file.ok()) return false;
    if (key.size() != options.key.terrain.size())
        return file.refuse("the terrain key has not 256 entries");
    std::copy(key.begin(), key.end(), options.key.terrain.begin());
    options.capabilities.assign(capabilities.begin(), capabilities.end());
    return file.read_options(options);
}

bool read_map(Frame& file, const grid::TerrainImage* image, std::optional<haa::AnnotatedMap>& map) {
    const auto terrain = file.read<std::uint8_t>(Section::terrain);
    if (!file.ok()) return false;
    const IndexFileInfo& info = file.info();
    const std::int64_t cells = std::int64_t{info.width} * info.height;
    if (info.width < 1 || info.height < 1 || terrain.size() != static_cast<std::uint64_t>(cells))
        return file.refuse("the terrain is not that of as many cells as the map has");
    if (image != nullptr && !check_image(file, terrain, *image)) return false;
    haa::AnnotationOptions options;
    if (!read_annotation(file, options)) return false;
    auto made = haa::AnnotatedMap::create(
        {info.width, info.height, {terrain.begin(), terrain.end()}}, options);
    if (!made) return file.refuse(made.error().message);
    if (made->fingerprint() != info.map_fingerprint)
        return file.refuse("the map has not the fingerprint that it should have");
    map = std::move(*made);
    return true;
}

}  // namespace

template <>
struct Body<haa::Index> {
    static constexpr BodyFormat kFormat{"haa", 2, "a HAA* index"};

    static void write(const haa::Index& index, FrameWriter& out) {
        const haa::Snapshot& s = index.snapshot();
        const haa::AnnotationOptions& annotation = s.map.options();
        out.map(s.map.width(), s.map.height(), s.map.fingerprint(), /*held=*/true);
        out.options(s.options);
        out.options(annotation);
        std::vector<std::uint8_t> terrain(s.map.size());
        for (grid::Cell cell = 0; cell < terrain.size(); ++cell)
            terrain[cell] = s.map.terrain(cell);
        out.keep(Section::terrain, std::move(terrain));
        out.add(Section::terrain_key, std::span<const std::uint8_t>(annotation.key.terrain));
        out.add(Section::agent_capabilities,
                std::span<const haa::Capability>(annotation.capabilities));
        out.add(Section::clusters, s.clusters, 1);
    }

    static std::shared_ptr<const haa::Snapshot> read(Frame& file, const grid::TerrainImage* image) {
        std::optional<haa::AnnotatedMap> map;
        haa::Options options;
        if (!read_map(file, image, map) || !file.read_options(options)) return nullptr;
        // Its id is a fresh one: ids are how searchers know what they have cached.
        const auto snapshot = std::make_shared<haa::Snapshot>(haa::start_snapshot(*map, options));
        if (!file.read(Section::clusters, snapshot->partition.clusters(1), snapshot->clusters, 1))
            return nullptr;
        const std::string fault = abstraction_fault(*snapshot);
        if (!fault.empty()) return file.refuse(fault), nullptr;
        return snapshot;
    }
};

}  // namespace cairn::index_file

namespace cairn {

template Status save(const haa::Index&, const std::string&);
template Result<std::string> to_bytes(const haa::Index&);
template Result<haa::Index> load(const std::string&, const LoadOptions&);
template Result<haa::Index> load(const std::string&, const grid::TerrainImage&, const LoadOptions&);
template Result<haa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view);
template Result<haa::Index> from_bytes(std::span<const std::byte>,
                                       const std::shared_ptr<const void>&, std::string_view,
                                       const grid::TerrainImage&);
template Result<haa::Options> index_options(const IndexFileInfo&);

}  // namespace cairn
