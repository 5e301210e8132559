#pragma once
// The sets of maps and meshes that papers use, found in a folder by what is in its files. Names of
// folders do not matter: a set is a folder that directly holds its files.
//
//   the HPA* and HAA* papers' 120 maps   maps without trees, all sides 50 to 320
//   a game's set                         maps whose scenario (FILE.map.scen) names them in a folder
//                                        of the game: maps/dao/arena.map
//   bg512                                as a game's set, maps/bgmaps, with all sides 512
//   the HAA* author's scenarios          files .scenario
//   meshes                               files .bin or .mesh that begin as such
//
// If several folders hold such a set, the folder given counts if it is one, otherwise the one with
// most files; of equal ones the first by name. A game's maps without scenarios look like any others
// of their size: they can only be told by naming their folder.

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::app {

/// A folder's files, by name.
using FileSet = std::vector<std::filesystem::path>;

/// The files with one of these extensions in `root` and all folders below it: a set for each folder
/// that holds some, by name. Folders that may not be read, and links to folders, are skipped.
/// Errors: io_error (`root`).
[[nodiscard]] Result<std::vector<FileSet>> file_sets(
    const std::filesystem::path& root, std::initializer_list<std::string_view> extensions);

/// The set of the folder itself if it is one; otherwise the largest set below it. Empty if there is
/// none.
[[nodiscard]] FileSet chosen_set(const std::filesystem::path& root,
                                 const std::vector<FileSet>& sets);

/// The maps of a folder.
struct MapSet {
    FileSet files;
    int least_side = 0;
    int most_side = 0;
    int soft = 0;      ///< trees, in percent of all free tiles, rounded; free: trees and '.', 'G'
    std::string game;  ///< the folder of the map that the first scenario names; empty if none
};

/// The sets of maps in `root` and below. A folder with a file .map that cannot be read as a map is
/// none. Errors: io_error (`root`).
[[nodiscard]] Result<std::vector<MapSet>> find_map_sets(const std::filesystem::path& root);

/// The chosen set of those that fulfil `is`; empty if there is none.
[[nodiscard]] FileSet chosen_maps(const std::filesystem::path& root,
                                  const std::vector<MapSet>& sets,
                                  const std::function<bool(const MapSet&)>& is);

/// Whether a set may be that of the HPA* and HAA* papers: Baldur's Gate in its original size.
[[nodiscard]] bool is_paper_set(const MapSet& set) noexcept;
/// Whether a set may be bg512: Baldur's Gate, scaled up.
[[nodiscard]] bool is_bg512(const MapSet& set) noexcept;

/// What the HPA* and HAA* papers need, in the words of data_folder.
inline constexpr std::string_view kPaperMaps =
    "the 120 Baldur's Gate maps (MovingAI's set 'bg', original size)";

/// The folder that --data names, or $CAIRN_DATA if `data` is empty. Errors: bad_option if neither
/// is given; the message says that the folder must hold `what`, at any depth.
[[nodiscard]] Result<std::filesystem::path> data_folder(const std::string& data,
                                                        std::string_view what);

}  // namespace cairn::app
