#pragma once
// Options to read a map, and points on the command line.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/grid/map.hpp"
#include "command.hpp"
#include "options/common.hpp"

namespace cairn::app {

/// The group "Map": the move rules and costs.
struct MapFlags {
    std::string neighbours = "8";
    std::string corners = "strict";
    std::string costs = "408,577";
    std::string weights = "weighted";

    void add_to(CLI::App& command);
    /// Errors: bad_option.
    [[nodiscard]] Result<grid::MapOptions> options() const;
    /// Reads a map of any format. Errors: those of formats::load_terrain_map.
    [[nodiscard]] Result<grid::Map> load(const std::filesystem::path& file) const;
    /// bad_option with `message` if --weights was given (no_weights) or any option was (none); else
    /// ok.
    [[nodiscard]] Status no_weights(std::string_view message) const;
    [[nodiscard]] Status none(std::string_view message) const;

private:
    std::vector<CLI::Option*> all_;  // --weights last
};

/// bad_option if one of these options was given: "--name MESSAGE". Else ok.
[[nodiscard]] Status refuse_given(const std::vector<CLI::Option*>& options,
                                  std::string_view message);

/// "X,Y" as a point. Errors: bad_option, naming `what`.
[[nodiscard]] Result<grid::Point> parse_point(const std::string& text, const std::string& what);
/// "X,Y,W,H" as a rectangle, its numbers from `least` to Map::kMaxSide; else std::nullopt.
[[nodiscard]] std::optional<grid::Rect> parse_rectangle(std::string_view text, std::int32_t least);

}  // namespace cairn::app
