#pragma once
// The options that say how a map is read, and points and rectangles on the command line.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/raster.hpp"
#include "cairn/grid/map.hpp"
#include "command.hpp"
#include "options/common.hpp"

namespace cairn::app {

/// --edit: rectangles of a map that are changed.
struct EditFlags {
    std::vector<std::string> texts;

    /// `what`: the first words of the help.
    void add_to(CLI::App& command, const char* group, const std::string& what);
    /// Errors: bad_option.
    [[nodiscard]] Result<std::vector<grid::TerrainEdit>> edits() const;
};

/// Adds --max-pixels, --array-cells and those of Tiled maps.
void add_picture_flags(CLI::App& command, formats::PictureLimits& limits, const char* group);

/// The group "Map": move rules, costs and terrain weights.
struct MapFlags {
    std::string neighbours = "8";
    std::string corners = "strict";
    std::string costs = "408,577";
    std::string weights = "weighted";
    formats::PictureLimits limits;

    void add_to(CLI::App& command);
    /// Errors: bad_option.
    [[nodiscard]] Result<grid::MapOptions> options() const;
    /// Reads a map of any format. Errors: bad_option; those of formats::load_terrain_map.
    [[nodiscard]] Result<grid::Map> load(const std::filesystem::path& file) const;
    /// bad_option with `message` if --weights was given; else ok.
    [[nodiscard]] Status refuse_weights(std::string_view message) const;
    /// bad_option with `message` if any option of the group was given; else ok.
    [[nodiscard]] Status refuse_given(std::string_view message) const;

private:
    std::vector<CLI::Option*> all_;  // --weights last
};

/// bad_option, "--name MESSAGE", if one of these options was given; else ok.
[[nodiscard]] Status refuse_given(const std::vector<CLI::Option*>& options,
                                  std::string_view message);

/// Reads "X,Y", which may lie outside the map. `name`: the argument in the error. Errors:
/// bad_option.
[[nodiscard]] Result<grid::Point> parse_point(const std::string& text, const std::string& name);
/// Reads "X,Y,W,H". std::nullopt unless these are four numbers from `least` to Map::kMaxSide.
[[nodiscard]] std::optional<grid::Rect> parse_rectangle(std::string_view text, std::int32_t least);

}  // namespace cairn::app
