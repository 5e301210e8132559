#pragma once
// The parts of a Tiled map or tileset that matter for paths, in one form for JSON and XML.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::formats {

/// An object of the JSON form, or the element of XML that stands for it. An element <layer> or
/// <group> gets the attribute `type`, as in JSON; its <data> belongs to it, and <properties> to the
/// element around them.
struct TiledNode {
    /// "map", "tileset", "layer", "tile", "chunk" or "property".
    std::string_view kind;
    /// Scalars as text: true and false, numbers as they are written.
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<TiledNode> children;
    std::optional<std::vector<std::uint32_t>> numbers;  ///< tile data that is not encoded
    std::optional<std::string> text;                    ///< tile data that is encoded

    /// The attribute's text; null if there is none.
    [[nodiscard]] const std::string* find(std::string_view key) const noexcept {
        for (const auto& [name, value] : attributes) {
            if (name == key) return &value;
        }
        return nullptr;
    }
    /// The attribute's text, empty if there is none.
    [[nodiscard]] std::string_view get(std::string_view key) const noexcept {
        const std::string* found = find(key);
        return found != nullptr ? std::string_view(*found) : std::string_view();
    }
};

/// The tree of JSON or XML; `name` stands for the file in messages. The file's `type` is "map" or
/// "tileset". Errors: corrupt_file.
[[nodiscard]] Result<TiledNode> read_tiled_tree(std::string_view bytes, std::string_view name);

}  // namespace cairn::formats
