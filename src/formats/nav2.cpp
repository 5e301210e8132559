#include "cairn/formats/nav2.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "core/guarded.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

/// A map's YAML has a few lines. The limit bounds the time that a hostile file can cost.
constexpr std::size_t kMaxYamlBytes = 64 * 1024;
constexpr std::array<std::string_view, 3> kModeNames{"trinary", "scale", "raw"};

/// Reads a map's YAML. The first error is kept, with its place in the file. May throw the
/// exceptions of yaml-cpp.
class OccupancyReader {
public:
    OccupancyReader(const YAML::Node& root, std::string_view name) : root_(root), name_(name) {}

    Result<OccupancyYaml> read() {
        if (!root_.IsMap()) {
            return fail(StatusCode::corrupt_file,
                        fmt::format("{}:1:1: a map's YAML needs 'key: value' lines", name_));
        }
        if (image() && resolution() && origin() && negate() && thresholds() && mode())
            return std::move(yaml_);
        return tl::unexpected(std::move(status_));
    }

private:
    bool refuse(const YAML::Node& node, std::string_view message) {
        const YAML::Mark mark = node.Mark();
        status_ = {StatusCode::corrupt_file,
                   fmt::format("{}:{}:{}: {}", name_, mark.line + 1, mark.column + 1, message)};
        return false;
    }

    /// Sets node_ to the value of `key`.
    bool find(const char* key) {
        const YAML::Node found = root_[key];
        if (!found.IsDefined()) return refuse(root_, fmt::format("the key '{}' is missing", key));
        node_.reset(found);
        return true;
    }

    /// Stores the number in `node`, which must be at least `low`; `key` is for the message.
    bool number(const char* key, const YAML::Node& node, double low, double& value) {
        std::string_view word =
            node.IsScalar() ? std::string_view(node.Scalar()) : std::string_view{};
        if (word.starts_with('+')) word.remove_prefix(1);
        const auto parsed = parse_number<double>(word, low);
        if (!parsed)
            return refuse(node, fmt::format("{}: needs a number, at least {:g}", key, low));
        value = *parsed;
        return true;
    }
    bool number(const char* key, double low, double& value) {
        return find(key) && number(key, node_, low, value);
    }

    bool image() {
        if (!find("image")) return false;
        if (!node_.IsScalar() || node_.Scalar().empty() ||
            node_.Scalar().find('\0') != std::string::npos) {
            return refuse(node_, "image: needs a file name");
        }
        yaml_.image = node_.Scalar();
        return true;
    }

    bool resolution() {
        if (!number("resolution", 0.0, yaml_.resolution)) return false;
        return yaml_.resolution >= 1e-9 ||
               refuse(node_, "resolution: needs a length of at least 1e-9 metres");
    }

    bool origin() {
        if (!find("origin")) return false;
        if (!node_.IsSequence() || node_.size() != 3)
            return refuse(node_, "origin: needs a list [x, y, yaw]");
        constexpr double kLowest = -1e12;  // far outside any map
        return number("origin", node_[0], kLowest, yaml_.origin.x) &&
               number("origin", node_[1], kLowest, yaml_.origin.y) &&
               number("origin", node_[2], kLowest, yaml_.yaw);
    }

    bool negate() {
        if (!find("negate")) return false;
        const std::string word = node_.IsScalar() ? node_.Scalar() : "";
        yaml_.negate = word == "1" || word == "true";
        return yaml_.negate || word == "0" || word == "false" ||
               refuse(node_, "negate: needs 0, 1, true or false");
    }

    bool thresholds() {
        if (!number("occupied_thresh", 0.0, yaml_.occupied_thresh) ||
            !number("free_thresh", 0.0, yaml_.free_thresh)) {
            return false;
        }
        if (yaml_.occupied_thresh <= 1.0 && yaml_.free_thresh <= yaml_.occupied_thresh) return true;
        return refuse(
            node_, fmt::format("free_thresh {} and occupied_thresh {}: needs 0 <= free_thresh <= "
                               "occupied_thresh <= 1",
                               yaml_.free_thresh, yaml_.occupied_thresh));
    }

    bool mode() {
        const YAML::Node node = root_["mode"];
        if (!node.IsDefined()) return true;
        const auto* const found =
            std::find(kModeNames.begin(), kModeNames.end(), node.IsScalar() ? node.Scalar() : "");
        if (found == kModeNames.end()) return refuse(node, "mode: needs trinary, scale or raw");
        yaml_.mode = static_cast<OccupancyMode>(found - kModeNames.begin());
        return true;
    }

    const YAML::Node& root_;
    std::string_view name_;
    YAML::Node node_;  // the last that find() found
    OccupancyYaml yaml_;
    Status status_;
};

/// A cell's terrain from its occupancy in percent, 0 to 100.
std::uint8_t partly_occupied(int percent) {
    if (percent <= 0) return '.';
    if (percent >= 100) return '@';
    return static_cast<std::uint8_t>('1' + percent * 9 / 100);
}

/// The terrain of a pixel, as map_server interprets the YAML file.
class OccupancyRule {
public:
    OccupancyRule(const OccupancyYaml& yaml, const OccupancyOptions& options)
        : yaml_(yaml), unknown_(options.unknown_is_free ? '.' : '@') {}

    /// `alpha` is -1 if the picture has none.
    [[nodiscard]] std::uint8_t terrain(int grey, int alpha) const {
        if (yaml_.mode == OccupancyMode::raw) return grey <= 100 ? partly_occupied(grey) : unknown_;
        // In mode trinary map_server averages red, green, blue (here all `grey`) and alpha.
        const bool averaged = yaml_.mode == OccupancyMode::trinary && alpha >= 0;
        const int shade = averaged ? 3 * grey + alpha : grey;
        const int white = averaged ? 4 * 255 : 255;
        if (yaml_.mode == OccupancyMode::scale && alpha >= 0 && alpha < 255) return unknown_;
        const double p = static_cast<double>(yaml_.negate ? shade : white - shade) / white;
        if (p > yaml_.occupied_thresh) return '@';
        if (p < yaml_.free_thresh) return '.';
        if (yaml_.mode == OccupancyMode::trinary) return unknown_;
        const double range = yaml_.occupied_thresh - yaml_.free_thresh;
        const double position = range > 0.0 ? (p - yaml_.free_thresh) / range : 0.0;
        return partly_occupied(static_cast<int>(position * 98.0 + 0.5) + 1);  // 1 to 99 %
    }

private:
    const OccupancyYaml& yaml_;
    std::uint8_t unknown_;
};

/// `value` in the range of int32, truncated; the lowest value for NaN.
std::int32_t clamped(double value) {
    constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
    if (!(value > low)) return low;
    return value < high ? static_cast<std::int32_t>(value) : high;
}

}  // namespace

grid::Point GeoReference::to_cell(WorldPoint p) const noexcept {
    const double dx = p.x - origin.x;
    const double dy = p.y - origin.y;
    const double across = dx * std::cos(yaw) + dy * std::sin(yaw);
    const double up = dy * std::cos(yaw) - dx * std::sin(yaw);
    return {clamped(std::floor(across / resolution)),
            clamped(height - 1 - std::floor(up / resolution))};
}

WorldPoint GeoReference::to_world(grid::Point cell) const noexcept {
    const double across = (cell.x + 0.5) * resolution;
    const double up = (height - 0.5 - cell.y) * resolution;
    return {origin.x + across * std::cos(yaw) - up * std::sin(yaw),
            origin.y + across * std::sin(yaw) + up * std::cos(yaw)};
}

Result<OccupancyYaml> parse_occupancy_yaml(std::string_view text, std::string_view name) noexcept
    try {
    if (text.size() > kMaxYamlBytes) {
        return fail(StatusCode::too_large, fmt::format("{}: a map's YAML of {} bytes: at most {}",
                                                       name, text.size(), kMaxYamlBytes));
    }
    try {
        const YAML::Node root = YAML::Load(std::string(text));
        return OccupancyReader(root, name).read();
    } catch (const YAML::Exception& e) {
        return fail(StatusCode::corrupt_file,
                    fmt::format("{}:{}:{}: {}", name, e.mark.line + 1, e.mark.column + 1, e.msg));
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return fail(StatusCode::corrupt_file,
                    fmt::format("{}: not valid YAML: {}", name, e.what()));
    }
} catch (...) {
    return out_of_memory();
}

Result<TerrainImage> occupancy_terrain(const GreyImage& image, const OccupancyYaml& yaml,
                                       const OccupancyOptions& options) noexcept try {
    const OccupancyRule rule(yaml, options);
    TerrainImage terrain{image.width, image.height, {}};
    terrain.terrain.reserve(image.grey.size());
    for (std::size_t i = 0; i < image.grey.size(); ++i) {
        terrain.terrain.push_back(
            rule.terrain(image.grey[i], image.alpha.empty() ? -1 : image.alpha[i]));
    }
    return terrain;
} catch (...) {
    return out_of_memory();
}

Result<OccupancyMap> load_occupancy_map(const std::string& path,
                                        const OccupancyOptions& options) noexcept try {
    const auto yaml = parse_file(path, kMaxYamlBytes, parse_occupancy_yaml);
    if (!yaml) return tl::unexpected(yaml.error());
    const auto image =
        read_image(std::filesystem::path(path).parent_path() / yaml->image, options.limits);
    if (!image) return tl::unexpected(image.error());
    return OccupancyMap{value_of(occupancy_terrain(*image, *yaml, options)),
                        {yaml->resolution, yaml->origin, yaml->yaw, image->height}};
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_occupancy_yaml(const OccupancyYaml& yaml) noexcept try {
    std::string text;
    try {
        text = fmt::format(
            "image: {}\nmode: {}\nresolution: {}\norigin: [{}, {}, {}]\nnegate: {}\n"
            "occupied_thresh: {}\nfree_thresh: {}\n",
            nlohmann::json(yaml.image).dump(),  // YAML has the same quotes and escapes
            kModeNames[static_cast<std::size_t>(yaml.mode) % kModeNames.size()], yaml.resolution,
            yaml.origin.x, yaml.origin.y, yaml.yaw, yaml.negate ? 1 : 0, yaml.occupied_thresh,
            yaml.free_thresh);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return fail(StatusCode::bad_option, fmt::format("YAML of a map: {}", e.what()));
    }
    // Only what the reader accepts may be written.
    const auto copy = parse_occupancy_yaml(text, "YAML of a map");
    rethrow_out_of_memory(copy);
    if (!copy) return fail(StatusCode::bad_option, copy.error().message);
    if (*copy != yaml) {
        return fail(StatusCode::bad_option,
                    "YAML of a map: the image's name or the mode cannot be written");
    }
    return text;
} catch (...) {
    return out_of_memory();
}

Status write_occupancy_map(const std::string& path, const OccupancyMap& map) noexcept try {
    std::filesystem::path picture = path;
    picture.replace_extension(".pgm");
    OccupancyYaml yaml;
    yaml.image = picture.filename().string();
    yaml.resolution = map.geo.resolution;
    yaml.origin = map.geo.origin;
    yaml.yaw = map.geo.yaw;
    auto text = format_occupancy_yaml(yaml);
    if (!text) return in_file(path, std::move(text)).error();
    if (Status s = write_pgm(picture, value_of(picture_of(map.terrain))); !s.ok()) return s;
    return write_file_atomically(path, *text);
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
