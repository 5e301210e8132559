// cairn-lab detour-changes: an index that follows changes of a tile set.

#include "lab.hpp"

#ifdef CAIRN_APP_DETOUR

#include <DetourAlloc.h>

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/measurement.hpp"
#include "cairn/detour/path_index.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/mesh/reachability.hpp"
#include "inputs.hpp"
#include "options/fields.hpp"

namespace cairn::app {
namespace {

using detour::PathIndex;

/// A tile set that changes.
class ChangingTiles {
public:
    /// Changes happen where the index has polygons of its largest component.
    ChangingTiles(dtNavMesh& nav_mesh, const PathIndex& index, std::uint64_t seed)
        : nav_mesh_(nav_mesh), tiles_(nav_mesh), random_(seed) {
        const auto reachability = mesh::Reachability::build(index.index().mesh()).value();
        for (int t = 0; t < tiles_.getMaxTiles(); ++t) {
            const auto polygons = index.refs().of_tile(static_cast<std::size_t>(t));
            const bool connected = std::ranges::any_of(polygons, [&](mesh::Polygon p) {
                return reachability.component(p) == reachability.largest() &&
                       reachability.largest() != mesh::kNone;
            });
            if (!connected) continue;
            const dtMeshHeader& header = *tiles_.getTile(t)->header;
            places_.push_back({header.x, header.y});
        }
    }
    [[nodiscard]] bool empty() const noexcept { return places_.empty(); }

    /// Removes tiles that have at least so many polygons together, if there are as many: those at a
    /// random place and around it. Adds copies of them. Returns the references of both; none if a
    /// tile could not be added.
    [[nodiscard]] std::vector<dtTileRef> replace(int polygons) {
        std::vector<dtTileRef> refs;
        changed_ = 0;
        const auto [x, y] = place();
        for (int ring = 0; changed_ < polygons && ring < kRings; ++ring) {
            for (int dx = -ring; dx <= ring; ++dx) {
                for (int dy = -ring; dy <= ring; ++dy) {
                    if (std::max(std::abs(dx), std::abs(dy)) == ring)
                        append_tiles(x + dx, y + dy, polygons, refs);
                }
            }
        }
        std::vector<std::pair<unsigned char*, int>> copies;
        copies.reserve(refs.size());
        for (const dtTileRef ref : refs) copies.push_back(take(ref));
        for (const auto& [bytes, size] : copies) {
            dtTileRef added = 0;
            if (dtStatusFailed(nav_mesh_.addTile(bytes, size, DT_TILE_FREE_DATA, 0, &added)))
                return {};
            refs.push_back(added);
        }
        return refs;
    }

    /// Takes the flags of a random polygon away, or gives them back. Returns its reference.
    [[nodiscard]] std::vector<dtPolyRef> flip() {
        const auto [x, y] = place();
        std::array<const dtMeshTile*, 1> found{};
        if (tiles_.getTilesAt(x, y, found.data(), 1) == 0) return {};
        const auto count = static_cast<unsigned>(found[0]->header->polyCount);
        const dtPolyRef ref =
            tiles_.getPolyRefBase(found[0]) | static_cast<dtPolyRef>(random_() % count);
        std::uint16_t flags = 0;
        nav_mesh_.getPolyFlags(ref, &flags);
        nav_mesh_.setPolyFlags(ref, flags == 0 ? std::uint16_t{1} : std::uint16_t{0});
        changed_ = 1;
        return {ref};
    }

    /// How many polygons the last change took.
    [[nodiscard]] int changed() const noexcept { return changed_; }

private:
    static constexpr int kRings = 30;
    static constexpr int kLayers = 32;  // at one position

    std::array<int, 2> place() { return places_[random_() % places_.size()]; }

    void append_tiles(int x, int y, int polygons, std::vector<dtTileRef>& refs) {
        std::array<const dtMeshTile*, kLayers> found{};
        const int count = tiles_.getTilesAt(x, y, found.data(), kLayers);
        for (int i = 0; i < count && changed_ < polygons; ++i) {
            refs.push_back(tiles_.getTileRef(found[static_cast<std::size_t>(i)]));
            changed_ += found[static_cast<std::size_t>(i)]->header->polyCount;
        }
    }

    /// Removes a tile; returns a copy of its bytes.
    std::pair<unsigned char*, int> take(dtTileRef ref) {
        const dtMeshTile& tile = *tiles_.getTileByRef(ref);
        const int size = tile.dataSize;
        auto* const copy =
            static_cast<unsigned char*>(dtAlloc(static_cast<std::size_t>(size), DT_ALLOC_PERM));
        std::memcpy(copy, tile.data, static_cast<std::size_t>(size));
        unsigned char* left = nullptr;  // unless the dtNavMesh owned the bytes
        nav_mesh_.removeTile(ref, &left, nullptr);
        dtFree(left);
        return {copy, size};
    }

    dtNavMesh& nav_mesh_;
    const dtNavMesh& tiles_;
    std::mt19937_64 random_;
    std::vector<std::array<int, 2>> places_;
    int changed_ = 0;
};

/// The times of an index that follows changes, in milliseconds.
struct Followed {
    std::vector<double> compared;  // updates that compare everything
    std::vector<double> named;     // updates that are told what has changed
    std::vector<double> labels;    // with_labels after each
    double polygons = 0;           // changed ones in all
    std::uint64_t wrong = 0;       // how often the two differ, or the last from one built anew

    [[nodiscard]] Row row() const {
        Row all{{"changes", labels.size()},
                {"polygons_a_change", polygons / static_cast<double>(labels.size())},
                {"wrong", wrong}};
        const std::array<std::pair<const char*, const std::vector<double>*>, 3> lists{
            {{"compared", &compared}, {"named", &named}, {"labels", &labels}}};
        for (const auto& [name, ms] : lists) {
            for (const std::size_t percent : {50U, 90U}) {
                const std::string column = std::string(name) + (percent == 50 ? "_median" : "_p90");
                all.emplace_back(column + "_ms", ms->empty() ? 0 : percentile(*ms, percent));
            }
        }
        return all;
    }
};

struct DetourChangesOptions {
    std::vector<std::filesystem::path> files;
    int changes = 100;
    int polygons = 60;
    std::uint64_t seed = 1;
    IndexFlags index;
    Sheets sheets;

    Outcome run(Context& context);

private:
    [[nodiscard]] Status bench(const std::filesystem::path& file, Context& context);
};

/// Follows changes. change(i) makes one, named(index, change) updates for it alone.
template <class Change, class Named>
Result<Followed> follow(const dtNavMesh& nav_mesh, PathIndex index, int changes,
                        const ChangingTiles& tiles, Change&& change, Named&& named,
                        const Context& context) {
    Followed followed;
    for (int i = 0; i < changes; ++i) {
        if (context.cancel.cancelled()) return fail(StatusCode::cancelled);
        const auto refs = change();
        if (refs.empty()) return fail(StatusCode::out_of_memory);
        followed.polygons += tiles.changed();
        // Each change is timed with one of the two: the second would find all in the caches.
        std::array<Result<PathIndex>, 2> updated{index, index};
        for (std::size_t turn = 0; turn < 2; ++turn) {
            const bool compares = (static_cast<std::size_t>(i) + turn) % 2 == 0;
            const double begin = now();
            updated[turn] = compares ? index.updated(nav_mesh) : named(index, refs);
            const double ms = 1e3 * (now() - begin);
            if (!updated[turn]) return tl::unexpected(updated[turn].error());
            if (turn == 0) (compares ? followed.compared : followed.named).push_back(ms);
        }
        if (updated[0]->index() != updated[1]->index()) ++followed.wrong;
        const double begin = now();
        auto labelled = updated[0]->with_labels();
        followed.labels.push_back(1e3 * (now() - begin));
        if (!labelled) return tl::unexpected(labelled.error());
        index = std::move(*labelled);
    }
    const auto anew = index.index().rebuilt();
    if (!anew) return tl::unexpected(anew.error());
    if (*anew != index.index()) ++followed.wrong;
    return followed;
}

Status DetourChangesOptions::bench(const std::filesystem::path& file, Context& context) {
    const auto nav_mesh = detour::read_tile_set(file.string());
    if (!nav_mesh) return nav_mesh.error();
    const auto options = index.options<hna::Planner>();
    if (!options) return options.error();
    const auto built = PathIndex::build(**nav_mesh, dtQueryFilter(), {*options, {}});
    if (!built) return of_file(file, built.error());
    ChangingTiles tiles(**nav_mesh, *built, seed);
    if (tiles.empty()) return of_file(file, {StatusCode::no_path, "no polygon can be walked on"});
    const auto add = [&](const char* what, const Followed& followed) {
        sheets.add("detour_changes", joined({{"mesh", file.stem().string()},
                                             {"polygons", built->index().mesh().num_polygons()},
                                             {"change", what}},
                                            followed.row()));
    };
    const auto of_polygons = follow(
        **nav_mesh, *built, changes, tiles, [&] { return tiles.flip(); },
        [&](const PathIndex& at, const std::vector<dtPolyRef>& refs) {
            return at.updated(**nav_mesh, refs);
        },
        context);
    if (!of_polygons) return of_polygons.error();
    add("flags", *of_polygons);
    const auto of_tiles = follow(
        **nav_mesh, built->updated(**nav_mesh).value(), changes, tiles,
        [&] { return tiles.replace(polygons); },
        [&](const PathIndex& at, const std::vector<dtTileRef>& refs) {
            return at.updated_tiles(**nav_mesh, refs);
        },
        context);
    if (!of_tiles) return of_tiles.error();
    add("tiles", *of_tiles);
    return sheets.status();
}

Outcome DetourChangesOptions::run(Context& context) {
    return sheets.for_each(files, context, [&](const auto& file) { return bench(file, context); });
}

}  // namespace

void add_detour_changes(CLI::App& app, Context& context) {
    auto options = std::make_shared<DetourChangesOptions>();
    CLI::App* command = add_command(
        app, context, "detour-changes",
        "Measures how an index follows changes of tile sets, in the largest component: a polygon "
        "that loses or regains its flags, and tiles that are removed and added again. Half of the "
        "updates compare the whole mesh (`compared`), half are told what has changed (`named`); "
        "`labels`: the time of with_labels after each. `wrong`: how often the two updates differ, "
        "or the last index from one that is built anew.",
        "cairn-lab detour-changes level.bin\n"
        "cairn-lab detour-changes *.bin --changes 500 --polygons 20 --out OUT");
    command->add_option("tiles", options->files, "Tile sets (.bin)")->required();
    add_count(*command, "--changes", options->changes, 1'000'000, "Changes of each kind")
        ->type_name("N");
    add_count(*command, "--polygons", options->polygons, 1'000'000,
              "A change replaces tiles until they have so many polygons")
        ->type_name("N");
    command->add_option("--seed", options->seed, "Seed of the changes")->capture_default_str();
    options->index.add_to(*command, Space::mesh);
    options->sheets.add_to(*command);
    on_run(command, context, std::move(options));
}

}  // namespace cairn::app

#else

namespace cairn::app {

// Without Detour there is no such command.
void add_detour_changes(CLI::App& /*app*/, Context& /*context*/) {}

}  // namespace cairn::app

#endif
