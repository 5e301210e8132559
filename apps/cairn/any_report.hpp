#pragma once
// What an index of any kind is made of, and its map.

#include <string>

#include "any_index.hpp"
#include "command.hpp"

namespace cairn::app {

/// Size, free cells and rules of the index's map.
[[nodiscard]] std::string map_text(const AnyIndex& index);
[[nodiscard]] Json map_json(const AnyIndex& index);

/// The options that the index was built with, as the command line writes them.
[[nodiscard]] std::string options_text(const AnyIndex& index);

/// Tables of its graph, and bytes in all and by part. Errors: as haa::Index::view.
[[nodiscard]] Result<std::string> index_text(const AnyIndex& index);
/// Both, and the options, as members of an object. Errors: as haa::Index::view.
[[nodiscard]] Result<Json> index_json(const AnyIndex& index);

}  // namespace cairn::app
