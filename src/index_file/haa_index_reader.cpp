#include <fmt/format.h>

#include <algorithm>

#include "cairn/file.hpp"
#include "cairn/index_file/haa_index_file.hpp"
#include "haa/snapshot.hpp"
#include "haa_index_generated.h"
#include "index_file/haa_index_validator.hpp"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

Result<const schema::HaaIndex*> open(std::span<const std::byte> bytes, std::string_view name) {
    const IndexFormat format{schema::HaaIndexIdentifier(), kHaaIndexVersion, "a HAA* index"};
    return open_sealed<schema::HaaIndex>(bytes, name, format,
                                         [](const schema::HaaIndex&) { return true; });
}

template <class Enum>
bool is_one(std::uint8_t value, Enum last) {
    return value <= static_cast<std::uint8_t>(last);
}

// Reads one file, whose outer shape is checked already.
class HaaIndexReader {
public:
    HaaIndexReader(const schema::HaaIndex& root, std::string_view name)
        : root_(root), name_(name) {}

    [[nodiscard]] Status options(haa::Options& options) const;
    /// Needs, as what follows, a map in the file: see `check_map`.
    [[nodiscard]] Status annotation(haa::AnnotationOptions& options) const;
    [[nodiscard]] Status check_map() const;
    [[nodiscard]] Result<haa::Index> index(const grid::TerrainImage* image,
                                           const std::shared_ptr<const void>& owner) const;

private:
    [[nodiscard]] Status corrupt(std::string_view what) const { return corrupt_index(name_, what); }
    [[nodiscard]] Status capabilities(std::vector<haa::Capability>& capabilities) const;
    [[nodiscard]] Status check_image(const grid::TerrainImage& image) const;
    [[nodiscard]] Result<haa::AnnotatedMap> map() const;
    [[nodiscard]] std::span<const std::uint8_t> terrain() const {
        return span_of<std::uint8_t>(root_.map()->terrain());
    }

    const schema::HaaIndex& root_;
    std::string_view name_;
};

Status HaaIndexReader::options(haa::Options& options) const {
    const schema::HaaOptions* file = root_.options();
    if (file == nullptr) return corrupt("the options are missing");
    if (!is_one(file->abstraction(), haa::Abstraction::low_quality) ||
        !is_one(file->transitions(), haa::Transitions::best_clearance) || file->move_tables() > 1 ||
        file->labels() > 1) {
        return corrupt("an option has an unknown value");
    }
    options.cluster_size = file->cluster_size();
    options.levels = file->levels();
    options.branching = file->branching();
    options.abstraction = static_cast<haa::Abstraction>(file->abstraction());
    options.transitions = static_cast<haa::Transitions>(file->transitions());
    options.wide_entrance = file->wide_entrance();
    options.shift = file->shift();
    options.reach = file->reach();
    options.move_tables = file->move_tables() != 0;
    options.labels = file->labels() != 0;
    options.label_bytes = file->label_bytes();
    options.view_bytes = file->view_bytes();
    if (const Status status = check(options); !status.ok()) return corrupt(status.message);
    return {};
}

Status HaaIndexReader::check_map() const {
    if (root_.map() == nullptr) return corrupt("the map is missing");
    const std::int64_t width = root_.map()->width();
    const std::int64_t height = root_.map()->height();
    if (width < 1 || height < 1 || terrain().size() != static_cast<std::uint64_t>(width * height)) {
        return corrupt("the terrain is not that of as many cells as the map has");
    }
    return {};
}

Status HaaIndexReader::capabilities(std::vector<haa::Capability>& capabilities) const {
    const auto sets = span_of<std::uint16_t>(root_.map()->terrain_sets());
    const auto weights = span_of<std::uint8_t>(root_.map()->weights());
    if (weights.size() != sets.size() * haa::kMaxTerrains) {
        return corrupt("the capabilities have not a weight for each terrain");
    }
    capabilities.clear();
    for (std::size_t i = 0; i < sets.size(); ++i) {
        haa::Capability& c = capabilities.emplace_back(sets[i]);
        std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(i * haa::kMaxTerrains),
                    haa::kMaxTerrains, c.weight.begin());
    }
    return {};
}

Status HaaIndexReader::annotation(haa::AnnotationOptions& options) const {
    const schema::HaaMapOptions* file = root_.map()->options();
    const auto key = span_of<std::uint8_t>(root_.map()->key());
    if (file == nullptr || key.size() != options.key.terrain.size()) {
        return corrupt("the options of the map are missing");
    }
    if (!is_one(file->anchor(), haa::Anchor::centred) ||
        !is_one(file->neighbourhood(), grid::Neighbourhood::eight) ||
        !is_one(file->corner(), grid::CornerRule::free)) {
        return corrupt("an option of the map has an unknown value");
    }
    std::copy(key.begin(), key.end(), options.key.terrain.begin());
    options.max_size = file->max_size();
    options.anchor = static_cast<haa::Anchor>(file->anchor());
    options.rules.neighbourhood = static_cast<grid::Neighbourhood>(file->neighbourhood());
    options.rules.corner = static_cast<grid::CornerRule>(file->corner());
    options.costs = {file->straight(), file->diagonal()};
    if (Status s = capabilities(options.capabilities); !s.ok()) return s;
    if (const Status s = check(options); !s.ok()) return corrupt(s.message);
    return {};
}

Status HaaIndexReader::check_image(const grid::TerrainImage& image) const {
    const schema::HaaMap& map = *root_.map();
    if (Status s = check_shape(name_, {map.width(), map.height()}, {image.width, image.height});
        !s.ok()) {
        return s;
    }
    const auto [file, other] = std::mismatch(terrain().begin(), terrain().end(),
                                             image.terrain.begin(), image.terrain.end());
    if (file == terrain().end()) return {};
    const auto cell = static_cast<int>(file - terrain().begin());
    return wrong_map(name_, fmt::format("of the same size but with other terrain at ({}, {})",
                                        cell % image.width, cell / image.width));
}

Result<haa::AnnotatedMap> HaaIndexReader::map() const {
    haa::AnnotationOptions options;
    if (Status s = annotation(options); !s.ok()) return tl::unexpected(std::move(s));
    const schema::HaaMap& file = *root_.map();
    auto map = haa::AnnotatedMap::create(
        {file.width(), file.height(), {terrain().begin(), terrain().end()}}, options);
    if (!map) return tl::unexpected(corrupt(map.error().message));
    if (map->fingerprint() != file.fingerprint()) {
        return tl::unexpected(corrupt("the map has not the fingerprint that it should have"));
    }
    return map;
}

Result<haa::Index> HaaIndexReader::index(const grid::TerrainImage* image,
                                         const std::shared_ptr<const void>& owner) const {
    if (Status s = check_map(); !s.ok()) return tl::unexpected(std::move(s));
    if (image != nullptr) {
        if (Status s = check_image(*image); !s.ok()) return tl::unexpected(std::move(s));
    }
    haa::Options options;
    if (Status s = this->options(options); !s.ok()) return tl::unexpected(std::move(s));
    const auto map = this->map();
    if (!map) return tl::unexpected(map.error());
    // Ids are how searchers know what they have cached: never a file's to say.
    auto snapshot = std::make_shared<haa::Snapshot>(haa::start_snapshot(*map, options));
    if (root_.clusters() == nullptr ||
        !read_records(*root_.clusters(), snapshot->partition.clusters(1), owner,
                      snapshot->clusters)) {
        return tl::unexpected(corrupt("the pages of the clusters do not fit together"));
    }
    if (const std::string fault = abstraction_fault(*snapshot); !fault.empty()) {
        return tl::unexpected(corrupt(fault));
    }
    return haa::Index(std::move(snapshot));
}

}  // namespace

Result<haa::Index> haa_index_from_bytes(std::span<const std::byte> bytes,
                                        const std::shared_ptr<const void>& owner,
                                        std::string_view name, const grid::TerrainImage* image) {
    return read_aligned(bytes, owner, [&](auto usable, const auto& kept) -> Result<haa::Index> {
        const auto root = open(usable, name);
        if (!root) return tl::unexpected(root.error());
        return HaaIndexReader(**root, name).index(image, kept);
    });
}

Result<haa::Index> load_haa_index(const std::filesystem::path& path,
                                  const grid::TerrainImage* image) {
    auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto owner = std::make_shared<const MappedFile>(std::move(*file));
    return haa_index_from_bytes(owner->bytes(), owner, path.string(), image);
}

Result<HaaIndexFileInfo> inspect_haa_index_bytes(std::span<const std::byte> bytes,
                                                 std::string_view name) {
    std::vector<std::uint64_t> memory;
    const auto opened = open(aligned_bytes(bytes, memory), name);
    if (!opened) return tl::unexpected(opened.error());
    const schema::HaaIndex& root = **opened;
    const HaaIndexReader reader(root, name);
    HaaIndexFileInfo info;
    if (Status s = reader.check_map(); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = reader.annotation(info.annotation); !s.ok()) return tl::unexpected(std::move(s));
    if (Status s = reader.options(info.options); !s.ok()) return tl::unexpected(std::move(s));
    info.version = root.version();
    info.width = root.map()->width();
    info.height = root.map()->height();
    info.map_fingerprint = root.map()->fingerprint();
    info.terrain_bytes = span_of<std::uint8_t>(root.map()->terrain()).size();
    info.graph_bytes = page_bytes(root.clusters());
    info.file_bytes = bytes.size();
    return info;
}

Result<HaaIndexFileInfo> inspect_haa_index(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return inspect_haa_index_bytes(file->bytes(), path.string());
}

}  // namespace cairn::index_file
