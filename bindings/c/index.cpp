// Indexes, and the options of queries.

#include <fmt/format.h>

#include <algorithm>

#include "cairn/planners.hpp"
#include "handles.hpp"
#if CAIRN_HAS_INDEX_FILE
#include "cairn/index_file.hpp"
#endif

namespace cairn::c {
namespace {

/// The map as index files are compared with it: haa's is an image.
Result<AnyMap> map_for_file(const AnyMap& map) {
#if CAIRN_HAS_HAA
    if (std::holds_alternative<haa::AnnotatedMap>(map))
        return image_of(map).map([](grid::TerrainImage image) { return AnyMap(std::move(image)); });
#endif
    return map;
}

/// The same for an index file, whose planner decides.
Result<AnyIndex> load_index(const std::string& path, const cairn_map* map,
                            const LoadOptions& options = {}) {
    if (map == nullptr) return AnyIndex::load(path, nullptr, options);
    const auto own = map_for_file(map->map);
    if (!own) return tl::unexpected(own.error());
    return AnyIndex::load(path, &*own, options);
}

#if CAIRN_HAS_INDEX_FILE

/// The index in bytes if it is of planner P; of another kind of map: unsupported.
template <class P>
Result<AnyIndex> index_from_bytes(const std::shared_ptr<const std::string>& bytes,
                                  const AnyMap* map) {
    using Index = typename P::Index;
    const auto span = std::as_bytes(std::span(*bytes));
    constexpr const char* kName = "index";
    auto loaded = [&]() -> Result<Index> {
        if (map != nullptr) {
            const auto* const own = std::get_if<typename IndexFileMap<Index>::type>(map);
            if (own != nullptr) return cairn::from_bytes<Index>(span, bytes, kName, *own);
            return fail(StatusCode::unsupported, "the index belongs to another kind of map");
        }
        return cairn::from_bytes<Index>(span, bytes, kName);
    }();
    if (!loaded) return tl::unexpected(std::move(loaded.error()));
    return AnyIndex::of<P>(*loaded);
}

Result<AnyIndex> parse_index(std::string_view given, const cairn_map* map) {
    std::optional<AnyMap> own;
    if (map != nullptr) {
        auto converted = map_for_file(map->map);
        if (!converted) return tl::unexpected(std::move(converted.error()));
        own = std::move(*converted);
    }
    const auto bytes = std::make_shared<const std::string>(given);
    const auto about = inspect_bytes(std::as_bytes(std::span(*bytes)), "index");
    if (!about) return tl::unexpected(about.error());
    Result<AnyIndex> out =
        fail(StatusCode::unsupported, "this library lacks the planner " + about->kind);
    AllPlanners::for_each([&]<class P>() {
        if constexpr (IndexedPlanner<P>) {
            if (P::kName == about->kind) out = index_from_bytes<P>(bytes, own ? &*own : nullptr);
        }
    });
    return out;
}

Result<std::string> bytes_of(const AnyIndex& index) {
    Result<std::string> out = fail(StatusCode::unsupported, "the planner has no index to save");
    AllPlanners::for_each([&]<class P>() {
        if constexpr (IndexedPlanner<P>) {
            if (const auto* const own = index.as<P>()) out = to_bytes(*own);
        }
    });
    return out;
}

#endif

Result<double> option_of(const AnyIndex& index, const char* name) {
    Result<double> out =
        fail(StatusCode::bad_option, std::string("the index has no option '") + name + "'");
    AllPlanners::for_each([&]<class P>() {
        if constexpr (IndexedPlanner<P>) {
            const auto* const own = index.as<P>();
            const Field* const field =
                own == nullptr ? nullptr : find_field(P::Options::fields(), name);
            if (field != nullptr) out = field_value(*field, field->get(&own->options()));
        }
    });
    return out;
}

Result<AnyIndex> with_labels(const AnyIndex& index, const std::int32_t* agents,
                             std::size_t num_agents, const BuildControl& control) {
#if CAIRN_HAS_HAA
    if (const auto* const own = index.as<haa::Planner>(); own != nullptr && num_agents > 0) {
        if (agents == nullptr) return tl::unexpected(null_argument());
        std::vector<haa::Agent> list;
        for (std::size_t i = 0; i < num_agents; ++i)
            list.push_back({static_cast<std::uint32_t>(agents[2 * i + 1]), agents[2 * i]});
        const auto labelled = own->with_labels(list, control);
        if (!labelled) return tl::unexpected(labelled.error());
        return AnyIndex::of<haa::Planner>(*labelled);
    }
#endif
    return index.with_labels(control);
}

Result<AnyIndex> with_costs(const AnyIndex& index, std::span<const std::uint8_t> costs,
                            const BuildControl& control) {
#if CAIRN_HAS_HAA
    if (index.as<haa::Planner>() != nullptr) {
        if (costs.size() % haa::kMaxTerrains != 0)
            return fail(StatusCode::bad_option, "the costs are not 16 for each capability");
        const std::vector<haa::Capability> capabilities = capabilities_of(costs);
        return index.with_costs(std::span(capabilities), control);
    }
#endif
    if (costs.size() != 256)
        return fail(StatusCode::bad_option, "the costs are not 256, one for each byte");
    return index.with_costs(weights_of(costs.data()), control);
}

/// A query handle with other queries.
Result<cairn_query> query_handle(const Result<AnyQuery>& query) {
    if (!query) return tl::unexpected(query.error());
    return queries_of(*query).map([](Queries queries) { return cairn_query{std::move(queries)}; });
}

}  // namespace

Result<Queries> queries_of(const AnyQuery& query) {
    Result<AnyQuery> reachable = fail(StatusCode::unsupported);
    AllPlanners::for_each([&]<class P>() {
        const auto* const own = query.as<P>();
        if (own == nullptr) return;
        typename P::Query least = *own;
        if constexpr (requires { P::Detail::reachable; }) {
            least.detail = P::Detail::reachable;
        } else {
            least.detail = P::Detail::cost;
        }
        reachable = AnyQuery::of<P>(least);
    });
    if (!reachable) return tl::unexpected(std::move(reachable.error()));
    return Queries{query, std::move(*reachable)};
}

Result<cairn_index> index_of(Result<AnyIndex> index) {
    if (!index) return tl::unexpected(std::move(index.error()));
    const auto query = index->query();
    if (!query) return tl::unexpected(query.error());
    auto usual = queries_of(*query);
    if (!usual) return tl::unexpected(std::move(usual.error()));
    return cairn_index{std::move(*index), std::move(*usual)};
}

SearchLimits limits_of(const Given<cairn_limits>& given) noexcept {
    SearchLimits out;
    if (given->max_cost != 0) out.max_cost = given->max_cost;
    if (given->max_expanded != 0) out.max_expanded = given->max_expanded;
    if (given->microseconds != 0) out.deadline = Deadline::in_microseconds(given->microseconds);
    out.partial_path = given->partial_path != 0;
    if (given->cancel != nullptr) out.cancel = given->cancel->flag.get();
    return out;
}

Status Edits::read(const cairn_edits* edits, Space space) {
    const Given<cairn_edits> given(edits);
    if (!given.valid()) return wrong_size();
    space_ = space;
    if (given->count == 0) return {};
    if ((given->cells == nullptr) == (given->polygons == nullptr))
        return {StatusCode::bad_option, "edits are either of cells or of polygons"};
    if (given->cells != nullptr) {
        space_ = Space::grid;
        for (const cairn_terrain_edit& e : std::span(given->cells, given->count)) {
            if (Status status = check_choice("terrain", e.terrain, 255); !status.ok())
                return status;
            cells_.push_back({{e.x, e.y, e.width, e.height}, static_cast<std::uint8_t>(e.terrain)});
        }
        return {};
    }
#if CAIRN_HAS_MESH
    space_ = Space::mesh;
    return read_edits({given->polygons, given->count}, polygons_);
#else
    return not_built("mesh");
#endif
}

AnyEdits Edits::get() const noexcept {
#if CAIRN_HAS_MESH
    if (space_ == Space::mesh) return std::span<const mesh::PolygonEdit>(polygons_);
#endif
    return std::span<const grid::TerrainEdit>(cells_);
}

}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::AnyIndex;
using cairn::Result;
using cairn::Status;
using cairn::StatusCode;

cairn_status cairn_index_build(const char* planner, const cairn_map* map,
                               const cairn_setting* settings, size_t num_settings,
                               const cairn_control* control, cairn_index** index) {
    return make(
        index,
        [&]() -> Result<cairn_index> {
            const auto list = settings_of(settings, num_settings);
            if (!list) return tl::unexpected(list.error());
            const Control given(control);
            if (Status status = given.check(); !status.ok())
                return tl::unexpected(std::move(status));
            return index_of(AnyIndex::build(planner, map->map, *list, given.get()));
        },
        planner, map);
}

cairn_status cairn_index_load(const char* path, const cairn_map* map, cairn_index** index) {
    return make(
        index, [&] { return index_of(load_index(path, map)); }, path);
}

cairn_status cairn_index_load_checked(const char* path, const cairn_map* map, int32_t checks,
                                      cairn_index** index) {
    return make(
        index,
        [&]() -> Result<cairn_index> {
            if (checks < CAIRN_CHECK_CONTENTS || checks > CAIRN_CHECK_NONE)
                return fail(StatusCode::bad_option, fmt::format("checks: there are no {}", checks));
            return index_of(
                load_index(path, map, {.checks = static_cast<cairn::FileChecks>(checks)}));
        },
        path);
}

cairn_status cairn_index_from_bytes(const void* bytes, size_t num_bytes, const cairn_map* map,
                                    cairn_index** index) {
    return make(
        index,
        [&]() -> Result<cairn_index> {
#if CAIRN_HAS_INDEX_FILE
            return index_of(parse_index({static_cast<const char*>(bytes), num_bytes}, map));
#else
            return tl::unexpected(not_built("index_file"));
#endif
        },
        bytes);
}

cairn_status cairn_index_save(const cairn_index* index, const char* path) {
    return call([&] { return index->index.save(path); }, index, path);
}

cairn_status cairn_index_save_with_map(const cairn_index* index, const char* path) {
    return call([&] { return index->index.save(path, {.with_map = true}); }, index, path);
}

cairn_status cairn_index_to_bytes(const cairn_index* index, cairn_bytes** bytes) {
    return make(
        bytes,
        [&]() -> Result<cairn_bytes> {
#if CAIRN_HAS_INDEX_FILE
            return bytes_of(index->index).map([](std::string made) {
                return cairn_bytes{std::move(made)};
            });
#else
            return tl::unexpected(not_built("index_file"));
#endif
        },
        index);
}

void cairn_index_free(cairn_index* index) { delete index; }

cairn_status cairn_index_get(const cairn_index* index, cairn_index_info* info) {
    return call(
        [&] {
            cairn_index_info out{};
            out.planner = static_cast<uint32_t>(&index->index.planner() - cairn::planners().data());
            out.has_labels = index->index.has_labels();
            out.has_closure = index->index.has_closure();
            out.memory = index->index.memory();
            return give(out, info);
        },
        index, info);
}

cairn_status cairn_index_map(const cairn_index* index, cairn_map** map) {
    return make(
        map, [&]() -> Result<cairn_map> { return cairn_map{index->index.map()}; }, index);
}

cairn_status cairn_index_option(const cairn_index* index, const char* name, double* value) {
    return call(
        [&]() -> Status {
            const auto own = option_of(index->index, name);
            if (!own) return own.error();
            *value = *own;
            return {};
        },
        index, name, value);
}

cairn_status cairn_index_edited(const cairn_index* index, const cairn_edits* edits,
                                cairn_index** edited) {
    return make(
        edited,
        [&]() -> Result<cairn_index> {
            Edits list;
            if (Status status = list.read(edits, index->index.planner().space); !status.ok())
                return tl::unexpected(std::move(status));
            return index_of(index->index.edited(list.get()));
        },
        index, edits);
}

cairn_status cairn_index_changed(const cairn_index* index, const cairn_mesh_change* change,
                                 cairn_index** changed) {
    return make(
        changed,
        [&]() -> Result<cairn_index> {
#if CAIRN_HAS_MESH
            MeshChange own;
            if (Status status = own.read(change); !status.ok())
                return tl::unexpected(std::move(status));
#if CAIRN_HAS_HNA
            if (const auto* const hna = index->index.as<cairn::hna::Planner>())
                return index_of(
                    hna->changed(own.get()).and_then(AnyIndex::of<cairn::hna::Planner>));
#endif
            if (const auto* const mesh = index->index.as<cairn::mesh::AstarPlanner>())
                return index_of(
                    mesh->changed(own.get()).and_then(AnyIndex::of<cairn::mesh::AstarPlanner>));
            return cairn::fail(StatusCode::unsupported, "the index is of no mesh");
#else
            return tl::unexpected(not_built("mesh"));
#endif
        },
        index, change);
}

cairn_status cairn_index_with_labels(const cairn_index* index, const int32_t* agents,
                                     size_t num_agents, const cairn_control* control,
                                     cairn_index** labelled) {
    return make(
        labelled,
        [&]() -> Result<cairn_index> {
            const Control given(control);
            if (Status status = given.check(); !status.ok())
                return tl::unexpected(std::move(status));
            return index_of(with_labels(index->index, agents, num_agents, given.get()));
        },
        index);
}

cairn_status cairn_index_with_costs(const cairn_index* index, const uint8_t* costs,
                                    size_t num_costs, const cairn_control* control,
                                    cairn_index** changed) {
    return make(
        changed,
        [&]() -> Result<cairn_index> {
            const Control given(control);
            if (Status status = given.check(); !status.ok())
                return tl::unexpected(std::move(status));
            return index_of(with_costs(index->index, {costs, num_costs}, given.get()));
        },
        index, costs);
}

cairn_status cairn_query_create(const cairn_index* index, const cairn_setting* settings,
                                size_t num_settings, cairn_query** query) {
    return make(
        query,
        [&]() -> Result<cairn_query> {
            const auto list = settings_of(settings, num_settings);
            if (!list) return tl::unexpected(list.error());
            return query_handle(index->index.query(*list));
        },
        index);
}

void cairn_query_free(cairn_query* query) { delete query; }

cairn_status cairn_query_with_limits(const cairn_query* query, const cairn_limits* limits,
                                     cairn_query** limited) {
    return make(
        limited,
        [&]() -> Result<cairn_query> {
            const Given<cairn_limits> given(limits);
            if (!given.valid()) return tl::unexpected(wrong_size());
            auto made = query_handle(query->queries.full.with_limits(limits_of(given)));
            if (!made) return made;
            if (given->cancel != nullptr) made->cancel = given->cancel->flag;
            made->blocked = query->blocked;
            return made;
        },
        query);
}

cairn_status cairn_query_with_blocked(const cairn_query* query, const uint32_t* cells,
                                      size_t num_cells, cairn_query** blocked) {
    return make(
        blocked,
        [&]() -> Result<cairn_query> {
            if (num_cells > 0 && cells == nullptr) return tl::unexpected(null_argument());
            const auto list =
                std::make_shared<const std::vector<uint32_t>>(cells, cells + num_cells);
            if (!std::is_sorted(list->begin(), list->end()))
                return cairn::fail(StatusCode::bad_option, "blocked cells must ascend");
            auto made = query_handle(query->queries.full.with_blocked(*list));
            if (!made) return made;
            made->blocked = list;
            made->cancel = query->cancel;
            return made;
        },
        query);
}
