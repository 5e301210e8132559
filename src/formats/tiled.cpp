#include "cairn/formats/tiled.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <unordered_map>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "png_pixels.hpp"
#include "text.hpp"
#include "tiled_data.hpp"
#include "tiled_file.hpp"
#include "tiled_tree.hpp"

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxTilesets = 1024;
constexpr std::size_t kMaxTilesetBytes = std::size_t{64} << 20;  // of all files of tilesets
/// The bits of a tile's number that say how it is turned.
constexpr std::uint32_t kTurned = 0xF0000000U;

/// What the properties of a tile, a layer or a group say.
struct TileMarks {
    enum class Said : std::uint8_t { nothing, no, yes };
    Said blocked = Said::nothing;
    Said walkable = Said::nothing;
    std::uint8_t ground = 0;  ///< of its cost or terrain; '@': a cost of 0 or less; 0: unsaid

    [[nodiscard]] bool any() const {
        return blocked != Said::nothing || walkable != Said::nothing || ground != 0;
    }
    [[nodiscard]] bool wall() const {
        return blocked == Said::yes || walkable == Said::no || ground == '@';
    }
    [[nodiscard]] bool free() const {
        return !wall() && (blocked == Said::no || walkable == Said::yes);
    }
    /// These, and each that says nothing as in `outer`.
    [[nodiscard]] TileMarks or_else(TileMarks outer) const {
        return {blocked == Said::nothing ? outer.blocked : blocked,
                walkable == Said::nothing ? outer.walkable : walkable,
                ground == 0 ? outer.ground : ground};
    }
};

struct TileLayer {
    const TiledNode* node = nullptr;
    std::string_view name;
    TileMarks marks;
    bool walls = false;  ///< its tiles are the walls: TiledWalls::layer
};

/// A rectangle of tiles whose sides may be larger than those of a map.
struct TileArea {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;

    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(width * height); }
    /// The smallest area around both. An area without cells is none.
    [[nodiscard]] TileArea with(const TileArea& other) const {
        if (width == 0) return other;
        const std::int64_t left = std::min(x, other.x);
        const std::int64_t top = std::min(y, other.y);
        return {left, top, std::max(x + width, other.x + other.width) - left,
                std::max(y + height, other.y + other.height) - top};
    }
};

/// Reads the bytes of the tileset that a map names; the second value is its name in messages.
using OpenTileset =
    std::function<Result<std::pair<std::string, std::string>>(const std::string& source)>;

/// Turns the tree of a map into terrain. Each step returns false after an error, which `status`
/// has.
class TiledReader {
public:
    TiledReader(const TiledNode& map, std::string_view name, const PictureLimits& limits,
                const OpenTileset& open)
        : map_(map),
          name_(name),
          walls_(limits.tiled),
          open_(open),
          max_cells_(std::min(limits.max_pixels, GreyImage::kMaxPixels)) {}

    Result<TiledMap> read() {
        if (!kind_of_map() || !read_tilesets() || !find_layers(map_, {}) || !check_layers() ||
            !find_area()) {
            return tl::unexpected(std::move(status_));
        }
        TiledMap out;
        out.origin = {static_cast<std::int32_t>(area_.x), static_cast<std::int32_t>(area_.y)};
        out.terrain.width = static_cast<int>(area_.width);
        out.terrain.height = static_cast<int>(area_.height);
        for (const TileLayer& layer : layers_) {
            if (!add_layer(layer, out.terrain.terrain)) return tl::unexpected(std::move(status_));
        }
        const bool free = walls_.empty_is_free || !walls_.layer.empty();
        std::replace(out.terrain.terrain.begin(), out.terrain.terrain.end(), std::uint8_t{0},
                     static_cast<std::uint8_t>(free ? '.' : '@'));
        return out;
    }

private:
    using Said = TileMarks::Said;

    bool refuse(std::string message, StatusCode code = StatusCode::corrupt_file) {
        return refuse_in(name_, std::move(message), code);
    }
    bool refuse_in(std::string_view file, std::string message,
                   StatusCode code = StatusCode::corrupt_file) {
        status_ = {code, fmt::format("{}: {}", file, message)};
        return false;
    }

    /// The number of an attribute in low..high.
    template <class T>
    bool number(std::string_view file, const TiledNode& node, std::string_view key, T low, T high,
                T& value) {
        const auto parsed = parse_number<T>(node.get(key), low, high);
        if (!parsed) {
            return refuse_in(file, fmt::format("{} {} of a {}: needs a number from {} to {}", key,
                                               excerpt(node.get(key)), node.kind, low, high));
        }
        value = *parsed;
        return true;
    }

    bool kind_of_map() {
        const std::string_view type = map_.get("type");
        if (type == "tileset")
            return refuse("a tileset: name a map that uses it", StatusCode::unsupported);
        if (type != "map") return refuse("not a map of Tiled");
        const std::string_view orientation = map_.get("orientation");
        if (orientation != "orthogonal" && orientation != "isometric") {
            return refuse(fmt::format("the orientation {}: orthogonal and isometric maps are read",
                                      excerpt(orientation)),
                          StatusCode::unsupported);
        }
        infinite_ = map_.get("infinite") == "1" || map_.get("infinite") == "true";
        return true;
    }

    // Marks.

    /// The meaning of a bool property.
    bool read_bool(std::string_view file, const TiledNode& property, bool& value) {
        const std::string_view word = property.get("value");
        value = word == "true" || word == "1";
        return value || word == "false" || word == "0" ||
               refuse_in(file, fmt::format("the property {}: {} is neither true nor false",
                                           excerpt(property.get("name")), excerpt(word)));
    }
    bool read_cost(std::string_view file, const TiledNode& property, TileMarks& marks) {
        const std::string_view word = property.get("value");
        const auto cost = parse_number<double>(word);
        if (!cost)
            return refuse_in(file, fmt::format("the cost {}: needs a number", excerpt(word)));
        if (*cost <= 0) {
            marks.ground = '@';
            return true;
        }
        constexpr int kMaxCost = 9;
        const int whole = *cost <= kMaxCost ? static_cast<int>(*cost) : 0;
        if (whole != *cost) {
            return refuse_in(file,
                             fmt::format("the cost {}: whole numbers up to {} are read",
                                         excerpt(word), kMaxCost),
                             StatusCode::unsupported);
        }
        marks.ground = static_cast<std::uint8_t>(whole == 1 ? '.' : '0' + whole);
        return true;
    }
    bool read_terrain(std::string_view file, const TiledNode& property, TileMarks& marks) {
        using Word = std::pair<std::string_view, char>;
        constexpr std::array kWords{Word{"ground", '.'}, Word{"trees", 'T'}, Word{"swamp", 'S'},
                                    Word{"water", 'W'}};
        const auto* const found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& word) {
            return word.first == property.get("value");
        });
        if (found == kWords.end()) {
            return refuse_in(file,
                             fmt::format("the terrain {}: ground, trees, swamp and water are read",
                                         excerpt(property.get("value"))),
                             StatusCode::unsupported);
        }
        marks.ground = static_cast<std::uint8_t>(found->second);
        return true;
    }
    /// The marks among the properties of a tile, a layer or a group.
    bool read_marks(std::string_view file, const TiledNode& node, TileMarks& marks) {
        bool has_cost = false;
        bool has_terrain = false;
        for (const TiledNode& property : node.children) {
            if (property.kind != "property") continue;
            const std::string_view key = property.get("name");
            bool value = false;
            if (key == walls_.property) {
                if (!read_bool(file, property, value)) return false;
                marks.blocked = value ? Said::yes : Said::no;
                says_walls_ = says_walls_ || value;
            } else if (key == "walkable") {
                if (!read_bool(file, property, value)) return false;
                marks.walkable = value ? Said::yes : Said::no;
                says_walls_ = says_walls_ || !value;
                says_walkable_ = says_walkable_ || value;
            } else if (key == "cost") {
                has_cost = true;
                if (!read_cost(file, property, marks)) return false;
            } else if (key == "terrain") {
                has_terrain = true;
                if (!read_terrain(file, property, marks)) return false;
            }
        }
        says_anything_ = says_anything_ || marks.any();
        return !(has_cost && has_terrain) ||
               refuse_in(file,
                         fmt::format("a {} with a cost and a terrain: it can have one", node.kind),
                         StatusCode::unsupported);
    }

    // Tilesets.

    bool read_tilesets() {
        std::vector<std::pair<std::uint32_t, const TiledNode*>> sets;
        for (const TiledNode& set : map_.children) {
            if (set.kind != "tileset") continue;
            if (sets.size() == kMaxTilesets)
                return refuse(fmt::format("more than {} tilesets", kMaxTilesets),
                              StatusCode::too_large);
            std::uint32_t first = 0;
            if (!number(name_, set, "firstgid", 1U, ~kTurned, first)) return false;
            sets.emplace_back(first, &set);
        }
        std::stable_sort(sets.begin(), sets.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        first_gid_ = sets.empty() ? ~kTurned : sets.front().first;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const std::uint32_t end = i + 1 < sets.size() ? sets[i + 1].first : ~kTurned;
            if (!read_tileset(*sets[i].second, sets[i].first, end)) return false;
        }
        return true;
    }
    bool read_tileset(const TiledNode& set, std::uint32_t first, std::uint32_t end) {
        const std::string* source = set.find("source");
        if (source == nullptr) return read_tiles(name_, set, first, end);
        if (source->find('\0') != std::string::npos)
            return refuse(fmt::format("the tileset {}: no name of a file", excerpt(*source)));
        const auto opened = open_(*source);
        if (!opened) {
            status_ = opened.error();
            return false;
        }
        tileset_bytes_ += opened->first.size();
        if (tileset_bytes_ > kMaxTilesetBytes)
            return refuse(fmt::format("its tilesets have more than {} bytes", kMaxTilesetBytes),
                          StatusCode::too_large);
        const auto tree = read_tiled_tree(opened->first, opened->second);
        if (!tree) {
            status_ = tree.error();
            return false;
        }
        if (tree->get("type") != "tileset")
            return refuse_in(opened->second, "not a tileset of Tiled");
        return read_tiles(opened->second, *tree, first, end);
    }
    /// The marks of the tiles first..end - 1.
    bool read_tiles(std::string_view file, const TiledNode& set, std::uint32_t first,
                    std::uint32_t end) {
        for (const TiledNode& tile : set.children) {
            if (tile.kind != "tile" || tile.children.empty()) continue;
            std::uint32_t id = 0;
            TileMarks marks;
            if (!number(file, tile, "id", 0U, ~kTurned, id) || !read_marks(file, tile, marks))
                return false;
            if (id < end - first) marks_[first + id] = marks;
        }
        return true;
    }

    // Layers.

    /// Appends the tile layers in `parent` and its groups, the lowest first.
    bool find_layers(const TiledNode& parent, TileMarks outer) {
        for (const TiledNode& node : parent.children) {
            if (node.kind != "layer") continue;
            const std::string_view type = node.get("type");
            if (type != "tilelayer" && type != "group") continue;
            TileMarks marks;
            if (!read_marks(name_, node, marks)) return false;
            marks = marks.or_else(outer);
            if (type == "group") {
                if (!find_layers(node, marks)) return false;
                continue;
            }
            const std::string_view layer = node.get("name");
            const bool walls = !walls_.layer.empty() && layer == walls_.layer;
            layers_.push_back({&node, layer, marks, walls});
        }
        return true;
    }
    /// Whether something says where walls are.
    bool check_layers() {
        if (layers_.empty()) return refuse("no tile layer", StatusCode::unsupported);
        const bool found =
            std::any_of(layers_.begin(), layers_.end(), [](const auto& l) { return l.walls; });
        if (found || (walls_.layer.empty() && says_anything_)) return true;
        constexpr std::size_t kMostNames = 8;
        std::string names;
        for (std::size_t i = 0; i < std::min(layers_.size(), kMostNames); ++i)
            names += (i == 0 ? "" : ", ") + excerpt(layers_[i].name);
        if (layers_.size() > kMostNames) names += ", ...";
        if (!walls_.layer.empty()) {
            return refuse(
                fmt::format("no tile layer {}: there are {}", excerpt(walls_.layer), names),
                StatusCode::bad_option);
        }
        return refuse(
            fmt::format("nothing says where walls are: give tiles of a tileset, or a layer, the "
                        "bool property {}, or walkable; or name the layer whose tiles are walls, "
                        "of {}",
                        excerpt(walls_.property), names),
            StatusCode::unsupported);
    }
    /// The area of a layer or a chunk.
    bool read_area(const TiledNode& node, TileArea& area) {
        constexpr std::int64_t kFar = 1'000'000'000;
        constexpr std::int64_t kSide = grid::Map::kMaxSide;
        if (node.kind == "chunk" && (!number(name_, node, "x", -kFar, kFar, area.x) ||
                                     !number(name_, node, "y", -kFar, kFar, area.y)))
            return false;
        return number(name_, node, "width", std::int64_t{1}, kSide, area.width) &&
               number(name_, node, "height", std::int64_t{1}, kSide, area.height);
    }
    /// Sets area_, and checks the areas of all tile data.
    bool find_area() {
        if (!infinite_ && !read_area(map_, area_)) return false;
        std::size_t total = 0;
        for (const TileLayer& layer : layers_) {
            if (!infinite_) {
                TileArea own;
                if (!read_area(*layer.node, own)) return false;
                if (own.width != area_.width || own.height != area_.height) {
                    return refuse(fmt::format(
                        "the layer {} is {} x {} tiles large, the map {} x {}", excerpt(layer.name),
                        own.width, own.height, area_.width, area_.height));
                }
                total += own.cells();
                continue;
            }
            for (const TiledNode& chunk : layer.node->children) {
                if (chunk.kind != "chunk") continue;
                TileArea own;
                if (!read_area(chunk, own)) return false;
                total += own.cells();
                area_ = area_.with(own);
            }
        }
        if (area_.width == 0) return refuse("an infinite map without a chunk of tiles");
        constexpr std::int64_t kSide = grid::Map::kMaxSide;
        if (area_.width > kSide || area_.height > kSide || area_.cells() > max_cells_ ||
            total > max_cells_) {
            return refuse(
                fmt::format("a map of {} x {} cells, with {} in all layers: at most {} a side and "
                            "{} in all",
                            area_.width, area_.height, total, kSide, max_cells_),
                StatusCode::too_large);
        }
        return true;
    }
    bool add_layer(const TileLayer& layer, std::vector<std::uint8_t>& terrain) {
        if (!infinite_) return add_tiles(layer, *layer.node, area_, terrain);
        for (const TiledNode& chunk : layer.node->children) {
            TileArea own;
            if (chunk.kind != "chunk") continue;
            if (!read_area(chunk, own) || !add_tiles(layer, chunk, own, terrain)) return false;
        }
        return true;
    }
    /// Adds the tiles of a layer or of one of its chunks.
    bool add_tiles(const TileLayer& layer, const TiledNode& data, const TileArea& area,
                   std::vector<std::uint8_t>& terrain) {
        const auto in_layer = [&](std::string_view message, StatusCode code) {
            return refuse(fmt::format("the layer {}: {}", excerpt(layer.name), message), code);
        };
        std::vector<std::uint32_t> decoded;
        const std::vector<std::uint32_t>* gids = nullptr;
        if (data.text) {
            auto tiles = decode_tiles(*data.text, layer.node->get("encoding"),
                                      layer.node->get("compression"), area.cells());
            if (!tiles) return in_layer(tiles.error().message, tiles.error().code);
            decoded = std::move(*tiles);
            gids = &decoded;
        } else if (data.numbers) {
            gids = &*data.numbers;
        } else {
            return in_layer("no tile data", StatusCode::corrupt_file);
        }
        if (gids->size() != area.cells()) {
            return in_layer(fmt::format("{} tiles where {} are needed", gids->size(), area.cells()),
                            StatusCode::corrupt_file);
        }
        // Only now, when the file has at least some of the data that it claims to have.
        terrain.resize(area_.cells());
        const auto width = static_cast<std::size_t>(area.width);
        for (std::size_t i = 0; i < gids->size(); ++i) {
            const std::uint32_t gid = (*gids)[i] & ~kTurned;
            if (gid == 0) continue;
            if (gid < first_gid_) {
                return in_layer(fmt::format("the tile {} is of no tileset", gid),
                                StatusCode::corrupt_file);
            }
            const auto x = static_cast<std::size_t>(area.x - area_.x) + i % width;
            const auto y = static_cast<std::size_t>(area.y - area_.y) + i / width;
            put(layer, gid, terrain[y * static_cast<std::size_t>(area_.width) + x]);
        }
        return true;
    }
    /// Puts a tile on what lies on its cell: 0 for nothing.
    void put(const TileLayer& layer, std::uint32_t gid, std::uint8_t& cell) {
        if (gid != last_gid_) {
            const auto found = marks_.find(gid);
            last_gid_ = gid;
            last_marks_ = found != marks_.end() ? found->second : TileMarks{};
        }
        const TileMarks marks = last_marks_.or_else(layer.marks);
        const bool wall = walls_.layer.empty() ? marks.wall() : layer.walls;
        if (wall) cell = '@';
        if (cell == '@') return;
        const bool stands = !says_walkable_ || says_walls_ || marks.free();
        if (marks.ground != 0 && marks.ground != '@') {
            cell = marks.ground;
        } else if (cell == 0 && (stands || !walls_.layer.empty())) {
            cell = '.';
        }
    }

    const TiledNode& map_;
    std::string_view name_;
    const TiledWalls& walls_;
    const OpenTileset& open_;
    std::size_t max_cells_;
    Status status_;
    bool infinite_ = false;
    std::uint32_t first_gid_ = 0;                         ///< the least number of a tile
    std::unordered_map<std::uint32_t, TileMarks> marks_;  ///< of the tiles that have any
    std::size_t tileset_bytes_ = 0;                       ///< of their files so far
    std::uint32_t last_gid_ = 0;  ///< looked up last: neighbours are mostly equal
    TileMarks last_marks_;
    bool says_anything_ = false;  ///< whether there is any mark,
    bool says_walls_ = false;     ///< one that a tile is a wall,
    bool says_walkable_ = false;  ///< `walkable: true`
    std::vector<TileLayer> layers_;
    TileArea area_;
};

Result<TiledMap> read_tiled(std::string_view bytes, std::string_view name,
                            const PictureLimits& limits, const OpenTileset& open) {
    const auto tree = read_tiled_tree(bytes, name);
    if (!tree) return tl::unexpected(tree.error());
    return TiledReader(*tree, name, limits, open).read();
}

}  // namespace

Result<TiledMap> parse_tiled(std::string_view bytes, std::string_view name,
                             const PictureLimits& limits) noexcept try {
    return read_tiled(
        bytes, name, limits,
        [&](const std::string& source) -> Result<std::pair<std::string, std::string>> {
            return fail(StatusCode::unsupported,
                        fmt::format("{}: the tileset {} is another file: load the map by its "
                                    "name, or embed the tileset",
                                    name, excerpt(source)));
        });
} catch (...) {
    return out_of_memory();
}

Result<TiledMap> parse_tiled_file(std::string_view bytes, const std::string& path,
                                  const PictureLimits& limits) {
    return read_tiled(
        bytes, path, limits,
        [&](const std::string& source) -> Result<std::pair<std::string, std::string>> {
            const std::string file = std::filesystem::path(path).parent_path() / source;
            return read_file(file, kMaxTilesetBytes).map([&](std::string&& read) {
                return std::pair(std::move(read), file);
            });
        });
}

Result<TiledMap> load_tiled(const std::string& path, const PictureLimits& limits) noexcept try {
    return read_file(path, max_picture_bytes(limits)).and_then([&](const std::string& bytes) {
        return parse_tiled_file(bytes, path, limits);
    });
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
