#pragma once
// Detour's tile sets (.bin) and the geometry (.obj) that Recast makes them of. Where Cairn is built
// without Detour, every function here says so.

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "command.hpp"

namespace cairn::app {

/// Whether the extension is .bin or .obj.
[[nodiscard]] bool is_tile_source(const std::filesystem::path& file);

/// The group "Recast": how geometry becomes a mesh.
class RecastFlags {
public:
    RecastFlags();

    void add_to(CLI::App& command);
    /// Errors: bad_option with `message` if any option was given.
    [[nodiscard]] Status none(std::string_view message) const;

    /// The mesh of a .bin or .obj file, with the polygons blocked that Detour's usual filter does
    /// not pass. Errors: those of the readers, of Recast and of Mesh::build; unsupported.
    [[nodiscard]] Result<mesh::Mesh> load(Context& context, const std::filesystem::path& file,
                                          const mesh::MeshOptions& options) const;
    /// Writes such a file as a tile set. Errors: likewise.
    [[nodiscard]] Status write_tiles(Context& context, const std::filesystem::path& input,
                                     const std::filesystem::path& output) const;

private:
    struct Settings;
    std::shared_ptr<Settings> settings_;
    std::vector<CLI::Option*> all_;
};

}  // namespace cairn::app
