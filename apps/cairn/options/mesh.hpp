#pragma once
// The options of subcommands for navigation meshes: how a mesh is read or made by Recast, how its
// index is built, and places on the command line.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/formats/raster.hpp"
#include "cairn/hna/discs.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "command.hpp"
#include "options/fields.hpp"

namespace cairn::app {

/// Whether the extension is .bin (Detour's tile sets) or .obj (geometry).
[[nodiscard]] bool is_tile_source(const std::filesystem::path& file);

/// The group "Recast, for .obj": how geometry becomes a mesh.
class RecastFlags {
public:
    RecastFlags();

    void add_to(CLI::App& command);
    /// bad_option with `message` if any option was given; else ok.
    [[nodiscard]] Status refuse_given(std::string_view message) const;

    /// The mesh of a .bin or .obj file, in which the polygons that Detour's default filter excludes
    /// are blocked. Errors: those of the readers, of Recast and of Mesh::build; unsupported
    /// (built without Detour).
    [[nodiscard]] Result<mesh::Mesh> load(Context& context, const std::filesystem::path& file,
                                          const mesh::MeshOptions& options) const;
    /// Writes the mesh of a .bin or .obj file as a tile set. Errors: those of the readers, of
    /// Recast and of writing; unsupported (built without Detour).
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
    double longest_part = 0;              ///< as in MeshOptions
    std::vector<std::string> area_costs;  ///< "AREA=COST"
    formats::PictureLimits limits;        ///< of maps
    RecastFlags recast;

    void add_to(CLI::App& command);
    /// Errors: bad_option.
    [[nodiscard]] Result<mesh::MeshOptions> options() const;
    /// Reads a mesh of any format, by its extension. Errors: unsupported (another extension);
    /// bad_option (an option that is wrong, or not for this format); those of the format's reader.
    [[nodiscard]] Result<mesh::Mesh> load(Context& context,
                                          const std::filesystem::path& file) const;
    /// bad_option with `message` if any option was given; else ok.
    [[nodiscard]] Status refuse_given(std::string_view message) const;

private:
    std::vector<CLI::Option*> mesh_options_;  // the group "Mesh"
};

/// Whether a command line is about a mesh: an argument or --output names a mesh, geometry or the
/// index file of a mesh, or the planner is hna. Opens files with unknown extensions.
[[nodiscard]] Result<bool> names_mesh(const Arguments& arguments, Context& context);
/// Whether NavmeshFlags::load reads files of this extension; that includes maps, but no index
/// files.
[[nodiscard]] bool is_mesh_file(const std::filesystem::path& file);

/// The groups "Mesh", "Recast" and "Index".
struct HnaFlags {
    NavmeshFlags mesh;
    IndexFlags index;

    void add_to(CLI::App& command);
    /// Loads an index file, or builds the index of the mesh in any other file. Errors: bad_option
    /// (an option of the build with an index file); those of loading, reading and building.
    [[nodiscard]] Result<hna::Index> load_or_build(Context& context,
                                                   const std::filesystem::path& file) const;
};

/// The path of a disc over a mesh, and the index that it was found with.
struct DiscPath {
    hna::DiscIndex index;
    hna::DiscQuery query;
    hna::DiscAnswer answer;
    double seconds = 0;  ///< the shortest of all rounds
};

/// The option --radius: the agent is a disc.
struct DiscFlags {
    double radius = 0;

    void add_to(CLI::App& command);
    [[nodiscard]] bool given() const { return radius > 0; }
    /// Finds the path of the disc over the mesh of a file, `rounds` times. Errors: those of
    /// HnaFlags::load_or_build and of hna::DiscIndex::build; the status of the query.
    [[nodiscard]] Result<DiscPath> find(Context& context, const HnaFlags& flags,
                                        const std::filesystem::path& file, const std::string& start,
                                        const std::string& goal, const QueryFlags& query,
                                        int rounds = 1) const;
};

/// Adds --planner hna. It only states that the input is a mesh: see names_mesh.
void add_mesh_planner(CLI::App& command);

/// Reads a place: "X,Y,Z" is a point, "X,Z" the point of the surface there nearest to height 0,
/// "#N" the centre of polygon N. `name`: the argument in the error. Errors: bad_option.
[[nodiscard]] Result<mesh::Place> parse_place(const std::string& text, const std::string& name,
                                              const mesh::Mesh& mesh);

}  // namespace cairn::app
