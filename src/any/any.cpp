#include "cairn/any.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "any/holders.hpp"
#include "any/searchers.hpp"
#include "cairn/planners.hpp"
#include "core/guarded.hpp"
#include "grid/map_checks.hpp"
#if CAIRN_HAS_INDEX_FILE
#include "cairn/index_file.hpp"
#endif

namespace cairn {

template <class P>
std::unique_ptr<detail::SearcherHolder> detail::IndexOf<P>::new_searcher(
    std::size_t cached_endpoints) const {
    return std::make_unique<SearcherOf<P, IndexSearcher<P>>>(cached_endpoints);
}

namespace {

using detail::AnswerOf;
using detail::IndexHolder;
using detail::IndexOf;
using detail::kPosition;
using detail::QueryOf;
using detail::with_planner;

template <class P>
PlannerInfo info_of() {
    PlannerInfo info;
    info.name = P::kName;
    info.space = detail::kSpace<P>;
    info.summary = P::kSummary;
    info.exact = P::kExact;
    info.has_index = IndexedPlanner<P>;
    info.has_labels = requires(const typename P::Index& index) { index.has_labels(); };
    info.options = P::Options::fields();
    info.query = P::Query::fields();
    return info;
}

template <class... P>
const auto& infos(PlannerList<P...> /*list*/) noexcept {
    static const std::array<PlannerInfo, sizeof...(P)> all{info_of<P>()...};
    return all;
}

Space space_of([[maybe_unused]] const AnyMap& map) {
#if CAIRN_HAS_MESH
    if (std::holds_alternative<mesh::Mesh>(map)) return Space::mesh;
#endif
    return Space::grid;
}

tl::unexpected<Status> no_planner(std::string_view name, Space space) {
    std::vector<std::string_view> known;
    for (const PlannerInfo& info : planners()) {
        if (info.space == space) known.push_back(info.name);
    }
    return fail(StatusCode::unsupported,
                fmt::format("there is no planner '{}' for {} in this build: there are {}{}", name,
                            space == Space::grid ? "maps" : "meshes", fmt::join(known, ", "),
                            suggestion(name, known)));
}

template <class P>
Result<IndexHolder::Shared> build_index(const AnyMap& map, Settings settings,
                                        const BuildControl& control) {
    const auto* const own = std::get_if<typename P::Map>(&map);
    if (own == nullptr) {
        return fail(StatusCode::unsupported,
                    fmt::format("the planner {} takes another kind of map", P::kName));
    }
    typename P::Options options;
    if (Status status = apply_settings(settings, options); !status.ok())
        return tl::unexpected(std::move(status));
    return IndexOf<P>::shared(P::build(*own, options, control));
}

#if CAIRN_HAS_INDEX_FILE

template <class P>
Result<IndexHolder::Shared> load_index([[maybe_unused]] const std::string& file,
                                       [[maybe_unused]] const AnyMap* map,
                                       [[maybe_unused]] const LoadOptions& options) {
    if constexpr (IndexedPlanner<P>) {
        using Index = typename P::Index;
        if (map != nullptr) {
            const auto* const own = std::get_if<typename IndexFileMap<Index>::type>(map);
            if (own != nullptr) return IndexOf<P>::shared(cairn::load<Index>(file, *own, options));
            return fail(StatusCode::unsupported,
                        fmt::format("{}: an index of the planner {}, which takes another kind of "
                                    "map",
                                    file, P::kName));
        }
        return IndexOf<P>::shared(cairn::load<Index>(file, options));
    }
    return fail(StatusCode::unsupported);
}

#endif

}  // namespace

std::span<const PlannerInfo> planners() noexcept { return infos(AllPlanners()); }

const PlannerInfo* find_planner(std::string_view name, Space space) noexcept {
    for (const PlannerInfo& info : planners()) {
        if (info.name == name && info.space == space) return &info;
    }
    return nullptr;
}

const PlannerInfo* suitable_planner(const AnyMap& map) noexcept {
    std::array<std::string_view, 3> names{"hna", "astar", ""};
    if (const auto* const grid = std::get_if<grid::Map>(&map)) {
        names = {grid::suits_corners(*grid) ? "subgoal" : "hpa", "hpa", "astar"};
#if CAIRN_HAS_HAA
    } else if (std::holds_alternative<haa::AnnotatedMap>(map)) {
        names = {"haa", "", ""};
#endif
    } else if (std::holds_alternative<grid::TerrainImage>(map)) {
        return nullptr;
    }
    for (const std::string_view name : names) {
        if (const PlannerInfo* const info = find_planner(name, space_of(map))) return info;
    }
    return nullptr;
}

AnyQuery::AnyQuery(std::shared_ptr<const detail::QueryHolder> held) noexcept
    : held_(std::move(held)) {}

const PlannerInfo& AnyQuery::planner() const noexcept { return planners()[held_->planner]; }

Result<AnyQuery> AnyQuery::with_limits(const SearchLimits& limits) const noexcept try {
    return AnyQuery(held_->with_limits(limits));
} catch (...) {
    return out_of_memory();
}

Result<AnyQuery> AnyQuery::with_blocked(std::span<const grid::Cell> cells) const noexcept try {
    auto query = held_->with_blocked(cells);
    if (query != nullptr) return AnyQuery(std::move(query));
    return fail(StatusCode::unsupported,
                fmt::format("queries of the planner {} have no blocked cells", planner().name));
} catch (...) {
    return out_of_memory();
}

template <class P>
const typename P::Query* AnyQuery::as() const noexcept {
    return held_->planner == kPosition<P> ? &static_cast<const QueryOf<P>&>(*held_).query : nullptr;
}

template <class P>
Result<AnyQuery> AnyQuery::of(const typename P::Query& query) noexcept try {
    return AnyQuery(std::make_shared<const QueryOf<P>>(query));
} catch (...) {
    return out_of_memory();
}

AnyIndex::AnyIndex(std::shared_ptr<const detail::IndexHolder> held) noexcept
    : held_(std::move(held)) {}

template <class P>
Result<AnyIndex> AnyIndex::of(const typename P::Index& index) noexcept try {
    return AnyIndex(std::make_shared<const IndexOf<P>>(index));
} catch (...) {
    return out_of_memory();
}

template <class P>
const typename P::Index* AnyIndex::as() const noexcept {
    return held_->planner == kPosition<P> ? &static_cast<const IndexOf<P>&>(*held_).index : nullptr;
}

Result<AnyIndex> AnyIndex::build(std::string_view planner, const AnyMap& map, Settings options,
                                 const BuildControl& control) noexcept try {
    const PlannerInfo* const info =
        planner == "auto" ? suitable_planner(map) : find_planner(planner, space_of(map));
    if (info == nullptr) return no_planner(planner, space_of(map));
    auto built = with_planner<Result<IndexHolder::Shared>>(
        *info, [&]<class P>() { return build_index<P>(map, options, control); });
    if (!built) return tl::unexpected(std::move(built.error()));
    return AnyIndex(std::move(*built));
} catch (...) {
    return out_of_memory();
}

Result<AnyIndex> AnyIndex::load([[maybe_unused]] const std::string& file,
                                [[maybe_unused]] const AnyMap* map,
                                [[maybe_unused]] const LoadOptions& options) noexcept {
#if CAIRN_HAS_INDEX_FILE
    return guarded([&]() -> Result<AnyIndex> {
        const auto about = inspect(file);
        if (!about) return tl::unexpected(about.error());
        for (const PlannerInfo& info : planners()) {
            if (info.name != about->kind || !info.has_index) continue;
            auto loaded = with_planner<Result<IndexHolder::Shared>>(
                info, [&]<class P>() { return load_index<P>(file, map, options); });
            if (!loaded) return tl::unexpected(std::move(loaded.error()));
            return AnyIndex(std::move(*loaded));
        }
        return fail(StatusCode::unsupported,
                    fmt::format("{}: an index of the planner '{}', which is not in this build",
                                file, about->kind));
    });
#else
    return fail(StatusCode::unsupported);
#endif
}

Status AnyIndex::save(const std::string& file, const SaveOptions& options) const noexcept try {
    return held_->save(file, options);
} catch (...) {
    return out_of_memory();
}

const PlannerInfo& AnyIndex::planner() const noexcept { return planners()[held_->planner]; }
AnyMap AnyIndex::map() const { return held_->map(); }
std::size_t AnyIndex::memory() const { return held_->memory(); }
bool AnyIndex::has_labels() const { return held_->has_labels(); }
bool AnyIndex::has_closure() const { return held_->has_closure(); }

Result<AnyIndex> AnyIndex::edited(const AnyEdits& edits) const noexcept try {
    return held_->edited(edits).map(
        [](IndexHolder::Shared next) { return AnyIndex(std::move(next)); });
} catch (...) {
    return out_of_memory();
}

Result<AnyIndex> AnyIndex::with_labels(const BuildControl& control) const noexcept try {
    return held_->with_labels(control).map([&](IndexHolder::Shared labelled) {
        return labelled == nullptr ? *this : AnyIndex(std::move(labelled));
    });
} catch (...) {
    return out_of_memory();
}

Result<AnyIndex> AnyIndex::with_costs(const AnyCosts& costs,
                                      const BuildControl& control) const noexcept try {
    return held_->with_costs(costs, control).map([](IndexHolder::Shared changed) {
        return AnyIndex(std::move(changed));
    });
} catch (...) {
    return out_of_memory();
}

Result<AnyQuery> AnyIndex::query(Settings settings) const noexcept try {
    return held_->query(settings).map(
        [](detail::QueryHolder::Shared query) { return AnyQuery(std::move(query)); });
} catch (...) {
    return out_of_memory();
}

AnyAnswer::AnyAnswer() noexcept = default;
AnyAnswer::~AnyAnswer() = default;
AnyAnswer::AnyAnswer(AnyAnswer&& other) noexcept = default;
AnyAnswer& AnyAnswer::operator=(AnyAnswer&& other) noexcept = default;

AnswerDetails AnyAnswer::details() const noexcept {
    return held_ == nullptr ? AnswerDetails() : held_->details();
}

template <class P>
const typename P::Answer* AnyAnswer::as() const noexcept {
    if (held_ == nullptr || held_->planner != kPosition<P>) return nullptr;
    return &static_cast<const AnswerOf<P>&>(*held_).answer;
}

AnySearcher::AnySearcher(std::size_t cached_endpoints) noexcept
    : cached_endpoints_(cached_endpoints) {}
AnySearcher::~AnySearcher() = default;
AnySearcher::AnySearcher(AnySearcher&& other) noexcept = default;
AnySearcher& AnySearcher::operator=(AnySearcher&& other) noexcept = default;

detail::SearcherHolder* AnySearcher::searcher_of(const detail::Searchable& on,
                                                 const AnyQuery& query, AnyAnswer* answer) {
    begun_ = nullptr;
    const std::size_t position = on.planner;
    if (query.held_->planner != position) return nullptr;
    if (held_ == nullptr || held_->planner != position) {
        held_.reset();
        held_ = on.new_searcher(cached_endpoints_);
    }
    if (answer != nullptr && (answer->held_ == nullptr || answer->held_->planner != position)) {
        answer->held_ = held_->new_answer();
    }
    return held_.get();
}

StatusCode AnySearcher::finish(AnyAnswer& answer, StatusCode status) noexcept {
    if (status == StatusCode::unsupported || status == StatusCode::out_of_memory)
        answer.held_.reset();
    answer.status_ = status;
    answer.cost_ = status == StatusCode::ok ? answer.held_->cost() : kInfinity;
    return status;
}

template <class Call>
StatusCode AnySearcher::with_searcher(const detail::Searchable& on, const AnyQuery& query,
                                      AnyAnswer* answer, const Call& call) noexcept {
    return guarded([&] {
        auto* const searcher = searcher_of(on, query, answer);
        return searcher == nullptr ? StatusCode::unsupported : call(*searcher);
    });
}

StatusCode AnySearcher::find_on(const detail::Searchable& on, const AnyQuery& query,
                                const AnyPlace& start, const AnyPlace& goal,
                                AnyAnswer& answer) noexcept {
    return finish(answer, with_searcher(on, query, &answer, [&](auto& searcher) {
                      return searcher.find(on, *query.held_, start, goal, *answer.held_);
                  }));
}

StatusCode AnySearcher::begin_on(const detail::Searchable& on, const AnyQuery& query,
                                 const AnyPlace& start, const AnyPlace& goal,
                                 AnyAnswer& answer) noexcept {
    const StatusCode status = with_searcher(on, query, &answer, [&](auto& searcher) {
        return searcher.begin(on, *query.held_, start, goal, *answer.held_);
    });
    if (status != StatusCode::ok) return finish(answer, status);
    begun_ = &answer;
    return status;
}

bool AnySearcher::advance(std::uint64_t budget, Deadline until) noexcept {
    if (begun_ == nullptr || held_ == nullptr) return false;
    if (held_->advance(budget, until)) return true;
    finish(*begun_, begun_->held_->status());
    begun_ = nullptr;
    return false;
}

StatusCode AnySearcher::costs_on(const detail::Searchable& on, const AnyQuery& query,
                                 const AnyPlace& start, std::span<const AnyPlace> goals,
                                 std::span<Cost> costs) noexcept {
    return with_searcher(on, query, nullptr, [&](auto& searcher) {
        return searcher.costs(on, *query.held_, start, goals, costs);
    });
}

StatusCode AnySearcher::costs_on(const detail::Searchable& on, const AnyQuery& query,
                                 std::span<const AnyPlace> starts, std::span<const AnyPlace> goals,
                                 std::span<Cost> costs) noexcept {
    return with_searcher(on, query, nullptr, [&](auto& searcher) {
        return searcher.costs(on, *query.held_, starts, goals, costs);
    });
}

StatusCode AnySearcher::find_nearest_on(const detail::Searchable& on, const AnyQuery& query,
                                        const AnyPlace& start, std::span<const AnyPlace> goals,
                                        std::span<GoalCost> nearest, std::size_t& count) noexcept {
    count = 0;
    return with_searcher(on, query, nullptr, [&](auto& searcher) {
        return searcher.find_nearest(on, *query.held_, start, goals, nearest, count);
    });
}

StatusCode AnySearcher::find_nearest_on(const detail::Searchable& on, const AnyQuery& query,
                                        const AnyPlace& start, std::span<const AnyPlace> goals,
                                        AnyAnswer& answer, std::size_t& nearest) noexcept {
    return finish(answer, with_searcher(on, query, &answer, [&](auto& searcher) {
                      return searcher.find_nearest(on, *query.held_, start, goals, *answer.held_,
                                                   nearest);
                  }));
}

#if CAIRN_HAS_BATCH

Status AnySearcher::find_paths_on(const detail::Searchable& on, const AnyQuery& query,
                                  const AnyRequests& requests, AnyPaths& paths,
                                  const batch::Options& options,
                                  const BuildControl& control) noexcept {
    return guarded([&]() -> Status {
        auto* const searcher = searcher_of(on, query, nullptr);
        if (searcher == nullptr) return detail::wrong_query();
        return searcher->find_paths(on, *query.held_, requests, paths.paths_, options, control);
    });
}

Status AnySearcher::find_paths(const AnyIndex& index, const AnyQuery& query,
                               const AnyRequests& requests, AnyPaths& paths,
                               const batch::Options& options,
                               const BuildControl& control) noexcept {
    return find_paths_on(*index.held_, query, requests, paths, options, control);
}

#endif

StatusCode AnySearcher::find(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                             const AnyPlace& goal, AnyAnswer& answer) noexcept {
    return find_on(*index.held_, query, start, goal, answer);
}
StatusCode AnySearcher::trace(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                              const AnyPlace& goal, AnyAnswer& answer,
                              SearchTrace& trace) noexcept {
    const detail::Searchable& on = *index.held_;
    return finish(answer, with_searcher(on, query, &answer, [&](auto& searcher) {
                      return searcher.trace(on, *query.held_, start, goal, *answer.held_, trace);
                  }));
}
StatusCode AnySearcher::begin(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                              const AnyPlace& goal, AnyAnswer& answer) noexcept {
    return begin_on(*index.held_, query, start, goal, answer);
}
StatusCode AnySearcher::costs(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                              std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept {
    return costs_on(*index.held_, query, start, goals, costs);
}
StatusCode AnySearcher::costs(const AnyIndex& index, const AnyQuery& query,
                              std::span<const AnyPlace> starts, std::span<const AnyPlace> goals,
                              std::span<Cost> costs) noexcept {
    return costs_on(*index.held_, query, starts, goals, costs);
}
StatusCode AnySearcher::find_nearest(const AnyIndex& index, const AnyQuery& query,
                                     const AnyPlace& start, std::span<const AnyPlace> goals,
                                     std::span<GoalCost> nearest, std::size_t& count) noexcept {
    return find_nearest_on(*index.held_, query, start, goals, nearest, count);
}
StatusCode AnySearcher::find_nearest(const AnyIndex& index, const AnyQuery& query,
                                     const AnyPlace& start, std::span<const AnyPlace> goals,
                                     AnyAnswer& answer, std::size_t& nearest) noexcept {
    return find_nearest_on(*index.held_, query, start, goals, answer, nearest);
}

std::size_t AnySearcher::memory() const noexcept { return held_ == nullptr ? 0 : held_->memory(); }

// Instantiates the member templates for each planner.
#define CAIRN_ANY_OF(P)                                                  \
    template const P::Query* AnyQuery::as<P>() const noexcept;           \
    template Result<AnyQuery> AnyQuery::of<P>(const P::Query&) noexcept; \
    template Result<AnyIndex> AnyIndex::of<P>(const P::Index&) noexcept; \
    template const P::Index* AnyIndex::as<P>() const noexcept;           \
    template const P::Answer* AnyAnswer::as<P>() const noexcept;

CAIRN_ANY_OF(grid::AstarPlanner)
CAIRN_ANY_OF(grid::JpsPlanner)
#if CAIRN_HAS_HPA
CAIRN_ANY_OF(hpa::Planner)
#endif
#if CAIRN_HAS_SUBGOAL
CAIRN_ANY_OF(subgoal::Planner)
#endif
#if CAIRN_HAS_HAA
CAIRN_ANY_OF(haa::Planner)
#endif
#if CAIRN_HAS_HNA
CAIRN_ANY_OF(hna::Planner)
#endif
#if CAIRN_HAS_MESH
CAIRN_ANY_OF(mesh::AstarPlanner)
#endif

#undef CAIRN_ANY_OF

}  // namespace cairn
