#pragma once
// Options of navigation meshes: how a mesh is read, how its index is built.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/hna/hna.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "command.hpp"
#include "options/fields.hpp"

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

    /// The mesh of a .bin or .obj file, in which the polygons that Detour's default filter excludes
    /// are blocked. Errors: those of the readers, of Recast and of Mesh::build; unsupported.
    [[nodiscard]] Result<mesh::Mesh> load(Context& context, const std::filesystem::path& file,
                                          const mesh::MeshOptions& options) const;
    /// Writes the mesh of a .bin or .obj file as a tile set. Errors: those of the readers, of
    /// Recast and of writing; unsupported.
    [[nodiscard]] Status write_tiles(Context& context, const std::filesystem::path& input,
                                     const std::filesystem::path& output) const;

private:
    struct Settings;
    std::shared_ptr<Settings> settings_;
    std::vector<CLI::Option*> all_;
};

/// The groups "Mesh" and "Recast".
struct NavmeshFlags {
    mesh::Scoring scoring = mesh::Scoring::portal_midpoints;
    double longest_part = 0;
    std::vector<std::string> area_costs;
    RecastFlags recast;

    void add_to(CLI::App& command);
    /// Errors: bad_option.
    [[nodiscard]] Result<mesh::MeshOptions> options() const;
    /// Reads a mesh of any format, by its extension. Errors: unsupported (another extension), and
    /// those of the format's reader.
    [[nodiscard]] Result<mesh::Mesh> load(Context& context,
                                          const std::filesystem::path& file) const;
    /// Errors: bad_option with `message` if any option was given.
    [[nodiscard]] Status none(std::string_view message) const;

private:
    std::vector<CLI::Option*> own_;
};

/// Whether a command line is about a mesh: an argument is a mesh, geometry or an index file of a
/// mesh, or the planner is hna. The values of options that name other files do not count.
[[nodiscard]] bool names_mesh(std::span<char* const> arguments);
/// Whether the extension is that of a mesh; false for index files.
[[nodiscard]] bool is_mesh_file(const std::filesystem::path& file);

/// The groups "Mesh", "Recast" and "Index".
struct HnaFlags {
    NavmeshFlags mesh;
    IndexFlags index;

    void add_to(CLI::App& command);
    /// The index of an index file, or one built for the mesh in a file.
    [[nodiscard]] Result<hna::Index> load_or_build(Context& context,
                                                   const std::filesystem::path& file) const;
};

/// --planner hna, which only states that the input is a mesh.
void add_mesh_planner(CLI::App& command);

/// Reads a place: "X,Y,Z" is a point, "X,Z" the point of the surface there nearest to height 0,
/// "#N" the centre of polygon N. Errors: bad_option, naming `what`.
[[nodiscard]] Result<mesh::Place> parse_place(const std::string& text, const std::string& what,
                                              const mesh::Mesh& mesh);

}  // namespace cairn::app
