// Planners chosen by name at run time. Each class of cairn/any.hpp holds one of the holders below,
// whose virtual functions are implemented once for each planner P.

#include "cairn/any.hpp"

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <utility>
#include <vector>

#include "cairn/planners.hpp"
#include "core/memory.hpp"
#if CAIRN_HAS_INDEX_FILE
#include "cairn/index_file.hpp"
#include "core/guarded.hpp"
#endif

namespace cairn {
namespace {

using detail::AnswerHolder;
using detail::IndexHolder;
using detail::QueryHolder;
using detail::SearcherHolder;

template <class P>
constexpr Space kSpace = std::same_as<typename P::Place, grid::Point> ? Space::grid : Space::mesh;

template <class P>
PlannerInfo info_of() {
    PlannerInfo info;
    info.name = P::kName;
    info.space = kSpace<P>;
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

template <class P, class... Listed>
constexpr std::size_t position_in(PlannerList<Listed...> /*list*/) {
    std::size_t position = 0;
    bool found = false;
    ((found = found || std::same_as<P, Listed>, position += found ? 0 : 1), ...);
    return position;
}
/// The position of a planner in AllPlanners, and so in planners().
template <class P>
constexpr std::size_t kPosition = position_in<P>(AllPlanners());

/// Returns use<P>() for the planner that `info`, an element of planners(), describes.
template <class Value, class Use>
Value with_planner(const PlannerInfo& info, const Use& use) {
    Value value = fail(StatusCode::unsupported);
    const auto position = static_cast<std::size_t>(&info - planners().data());
    AllPlanners::for_each([&]<class P>() {
        if (kPosition<P> == position) value = use.template operator()<P>();
    });
    return value;
}

/// The map or mesh of an index. An index without either is the map itself.
template <class Index>
const auto& map_of(const Index& index) {
    if constexpr (requires { index.mesh(); }) {
        return index.mesh();
    } else if constexpr (requires { index.map(); }) {
        return index.map();
    } else {
        return index;
    }
}

Space space_of(const AnyMap& map) {
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

}  // namespace

namespace detail {

struct Holder {
    explicit Holder(std::size_t position) noexcept : planner(position) {}
    virtual ~Holder() = default;
    std::size_t planner;  // its position in planners()
};

struct QueryHolder : Holder {
    using Holder::Holder;
};

struct IndexHolder : Holder {
    using Shared = std::shared_ptr<const IndexHolder>;

    using Holder::Holder;
    [[nodiscard]] virtual AnyMap map() const = 0;
    [[nodiscard]] virtual std::size_t memory() const = 0;
    [[nodiscard]] virtual bool has_labels() const = 0;
    [[nodiscard]] virtual bool has_closure() const = 0;
    [[nodiscard]] virtual Result<Shared> edited(const AnyEdits& edits) const = 0;
    /// Null if the planner has no labels; an equal index if nothing is missing.
    [[nodiscard]] virtual Result<Shared> with_labels(const BuildControl& control) const = 0;
    [[nodiscard]] virtual Status save(const std::string& file) const = 0;
    [[nodiscard]] virtual Result<std::shared_ptr<const QueryHolder>> query(
        Settings settings) const = 0;
};

struct AnswerHolder : Holder {
    using Holder::Holder;
    [[nodiscard]] virtual Cost cost() const noexcept = 0;
    [[nodiscard]] virtual AnswerDetails details() const noexcept = 0;
};

struct SearcherHolder : Holder {
    using Places = std::span<const AnyPlace>;

    using Holder::Holder;
    [[nodiscard]] virtual std::unique_ptr<AnswerHolder> new_answer() const = 0;
    // `index`, `query` and `answer` must belong to this planner.
    virtual StatusCode find(const IndexHolder& index, const QueryHolder& query,
                            const AnyPlace& start, const AnyPlace& goal, AnswerHolder& answer) = 0;
    virtual StatusCode costs(const IndexHolder& index, const QueryHolder& query,
                             const AnyPlace& start, Places goals, std::span<Cost> costs) = 0;
    virtual StatusCode find_nearest(const IndexHolder& index, const QueryHolder& query,
                                    const AnyPlace& start, Places goals, AnswerHolder& answer,
                                    std::size_t& nearest) = 0;
    [[nodiscard]] virtual std::size_t memory() const noexcept = 0;
};

}  // namespace detail

namespace {

template <class P>
struct QueryOf final : QueryHolder {
    explicit QueryOf(const typename P::Query& q) : QueryHolder(kPosition<P>), query(q) {}
    typename P::Query query;
};

template <class P>
struct IndexOf final : IndexHolder {
    using Index = typename P::Index;

    explicit IndexOf(Index made) : IndexHolder(kPosition<P>), index(std::move(made)) {}

    AnyMap map() const override { return map_of(index); }
    std::size_t memory() const override {
        if constexpr (IndexedPlanner<P>) return index.memory();
        return 0;
    }
    bool has_labels() const override {
        if constexpr (requires { index.has_labels(); }) return index.has_labels();
        return false;
    }
    bool has_closure() const override {
        if constexpr (requires { index.has_closure(); }) return index.has_closure();
        return false;
    }
    Result<Shared> edited(const AnyEdits& edits) const override {
        return std::visit(
            [this](const auto& list) -> Result<Shared> {
                if constexpr (requires { index.edited(list); }) return shared(index.edited(list));
                return fail(
                    StatusCode::unsupported,
                    fmt::format("the planner {} takes edits of another kind of map", P::kName));
            },
            edits);
    }
    Result<Shared> with_labels([[maybe_unused]] const BuildControl& control) const override {
        if constexpr (requires { index.with_labels(control); })
            return shared(index.with_labels(control));
        return Shared();
    }
    Status save([[maybe_unused]] const std::string& file) const override {
#if CAIRN_HAS_INDEX_FILE
        if constexpr (IndexedPlanner<P>) return cairn::save(index, file);
#endif
        return {StatusCode::unsupported,
                fmt::format("the planner {} has no index to save in this build", P::kName)};
    }
    Result<std::shared_ptr<const QueryHolder>> query(Settings settings) const override {
        typename P::Query parsed;
        if (Status status = apply_settings(settings, parsed); !status.ok())
            return tl::unexpected(std::move(status));
        return std::make_shared<const QueryOf<P>>(parsed);
    }

    [[nodiscard]] static Result<Shared> shared(Result<Index> made) {
        if (!made) return tl::unexpected(std::move(made.error()));
        return std::make_shared<const IndexOf>(std::move(*made));
    }

    Index index;
};

template <class P>
struct AnswerOf final : AnswerHolder {
    AnswerOf() : AnswerHolder(kPosition<P>) {}

    Cost cost() const noexcept override { return answer.cost; }
    AnswerDetails details() const noexcept override {
        AnswerDetails out;
        out.lower_bound = answer.status == StatusCode::ok && P::kExact ? answer.cost : 0;
        if constexpr (requires { answer.lower_bound; }) out.lower_bound = answer.lower_bound;
        out.goal = goal;
        if constexpr (requires { answer.goal; }) out.goal = answer.goal;
        out.engine = engine();
        if constexpr (requires { answer.cells; }) out.cells = answer.cells;
        if constexpr (requires { answer.subgoals; }) {
            out.nodes = answer.subgoals;
        } else if constexpr (kSpace<P> == Space::grid && requires { answer.abstract_nodes; }) {
            out.nodes = answer.abstract_nodes;
        }
#if CAIRN_HAS_MESH
        if constexpr (requires { answer.waypoints; }) {
            out.polygons = answer.polygons;
            out.waypoints = answer.waypoints;
        }
#endif
        const auto& s = answer.statistics;
        if constexpr (requires { s.connect; }) {
            out.effort = {{{"connect", s.connect}, {"search", s.search}, {"refine", s.refine}}};
        } else if constexpr (requires { s.search; }) {
            out.effort[0] = {"search", s.search};
        } else {
            out.effort[0] = {"search", s};
        }
        return out;
    }

    /// AnswerDetails::engine.
    [[nodiscard]] std::string_view engine() const noexcept {
        if constexpr (requires { answer.engine; }) {
            if constexpr (requires { answer.direct_line; }) {
                if (answer.direct_line) return "line";
            }
            if (answer.engine == P::Engine::automatic) return "none";
            const Field* const field = find_field(P::Query::fields(), "engine");
            for (const Choice& choice : field->choices) {
                if (choice.value == static_cast<int>(answer.engine)) return choice.name;
            }
        }
        return P::kName;
    }

    typename P::Answer answer;
    typename P::Place goal{};  // the goal requested; of several, the nearest
};

template <class P>
struct SearcherOf final : SearcherHolder {
    using Place = typename P::Place;

    explicit SearcherOf(std::size_t cached_endpoints)
        : SearcherHolder(kPosition<P>), searcher(cached_endpoints) {}

    std::unique_ptr<AnswerHolder> new_answer() const override {
        return std::make_unique<AnswerOf<P>>();
    }
    StatusCode find(const IndexHolder& index, const QueryHolder& query, const AnyPlace& start,
                    const AnyPlace& goal, AnswerHolder& answer) override {
        if (!set_start(query, start)) return StatusCode::unsupported;
        const auto* const place = std::get_if<Place>(&goal);
        if (place == nullptr) return StatusCode::unsupported;
        request.goal = *place;
        auto& own = static_cast<AnswerOf<P>&>(answer);
        own.goal = *place;
        return searcher.find(index_of(index), request, own.answer);
    }
    StatusCode costs(const IndexHolder& index, const QueryHolder& query, const AnyPlace& start,
                     Places goals, std::span<Cost> costs) override {
        if (!set_start(query, start) || !set_goals(goals)) return StatusCode::unsupported;
        return searcher.costs(index_of(index), request, places, costs);
    }
    StatusCode find_nearest(const IndexHolder& index, const QueryHolder& query,
                            const AnyPlace& start, Places goals, AnswerHolder& answer,
                            std::size_t& nearest) override {
        if (!set_start(query, start) || !set_goals(goals)) return StatusCode::unsupported;
        auto& own = static_cast<AnswerOf<P>&>(answer);
        const StatusCode status =
            searcher.find_nearest(index_of(index), request, places, own.answer, nearest);
        if (status == StatusCode::ok) own.goal = places[nearest];
        return status;
    }
    std::size_t memory() const noexcept override {
        return sizeof *this + memory_of(searcher, places);
    }

private:
    /// Sets `request` except its goal. False if the start is not a place of this planner.
    [[nodiscard]] bool set_start(const QueryHolder& query, const AnyPlace& start) {
        const auto* const place = std::get_if<Place>(&start);
        if (place == nullptr) return false;
        request = static_cast<const QueryOf<P>&>(query).query;
        request.start = *place;
        return true;
    }
    /// Sets `places` to the goals. False if one is not a place of this planner.
    [[nodiscard]] bool set_goals(Places goals) {
        places.clear();
        for (const AnyPlace& goal : goals) {
            const auto* const place = std::get_if<Place>(&goal);
            if (place == nullptr) return false;
            places.push_back(*place);
        }
        return true;
    }
    [[nodiscard]] static const typename P::Index& index_of(const IndexHolder& index) {
        return static_cast<const IndexOf<P>&>(index).index;
    }

    Searcher<P> searcher;
    typename P::Query request;
    std::vector<Place> places;
};

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
                                       [[maybe_unused]] const AnyMap* map) {
    if constexpr (IndexedPlanner<P>) {
        using Index = typename P::Index;
        if (map != nullptr) {
            const auto* const own = std::get_if<typename IndexFileMap<Index>::type>(map);
            if (own != nullptr) return IndexOf<P>::shared(cairn::load<Index>(file, *own));
            return fail(StatusCode::unsupported,
                        fmt::format("{}: an index of the planner {}, which takes another kind of "
                                    "map",
                                    file, P::kName));
        }
        if constexpr (IndexFileMap<Index>::kHeld)
            return IndexOf<P>::shared(cairn::load<Index>(file));
        return fail(StatusCode::unsupported,
                    fmt::format("{}: holds no map, so the map must be given", file));
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

AnyQuery::AnyQuery(std::shared_ptr<const detail::QueryHolder> held) noexcept
    : held_(std::move(held)) {}

const PlannerInfo& AnyQuery::planner() const noexcept { return planners()[held_->planner]; }

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
    const PlannerInfo* const info = find_planner(planner, space_of(map));
    if (info == nullptr) return no_planner(planner, space_of(map));
    auto built = with_planner<Result<IndexHolder::Shared>>(
        *info, [&]<class P>() { return build_index<P>(map, options, control); });
    if (!built) return tl::unexpected(std::move(built.error()));
    return AnyIndex(std::move(*built));
} catch (...) {
    return out_of_memory();
}

Result<AnyIndex> AnyIndex::load([[maybe_unused]] const std::string& file,
                                [[maybe_unused]] const AnyMap* map) noexcept {
#if CAIRN_HAS_INDEX_FILE
    return guarded([&]() -> Result<AnyIndex> {
        const auto about = inspect(file);
        if (!about) return tl::unexpected(about.error());
        for (const PlannerInfo& info : planners()) {
            if (info.name != about->kind || !info.has_index) continue;
            auto loaded = with_planner<Result<IndexHolder::Shared>>(
                info, [&]<class P>() { return load_index<P>(file, map); });
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

Status AnyIndex::save(const std::string& file) const noexcept try {
    return held_->save(file);
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
        [](detail::IndexHolder::Shared next) { return AnyIndex(std::move(next)); });
} catch (...) {
    return out_of_memory();
}

Result<AnyIndex> AnyIndex::with_labels(const BuildControl& control) const noexcept try {
    return held_->with_labels(control).map([&](detail::IndexHolder::Shared labelled) {
        return labelled == nullptr ? *this : AnyIndex(std::move(labelled));
    });
} catch (...) {
    return out_of_memory();
}

Result<AnyQuery> AnyIndex::query(Settings settings) const noexcept try {
    return held_->query(settings).map([](std::shared_ptr<const detail::QueryHolder> query) {
        return AnyQuery(std::move(query));
    });
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

detail::SearcherHolder* AnySearcher::searcher_of(const AnyIndex& index, const AnyQuery& query,
                                                 AnyAnswer* answer) {
    const std::size_t position = index.held_->planner;
    if (query.held_->planner != position) return nullptr;
    if (held_ == nullptr || held_->planner != position) {
        held_.reset();
        AllPlanners::for_each([&]<class P>() {
            if (kPosition<P> == position)
                held_ = std::make_unique<SearcherOf<P>>(cached_endpoints_);
        });
    }
    if (answer != nullptr && (answer->held_ == nullptr || answer->held_->planner != position)) {
        answer->held_ = held_->new_answer();
    }
    return held_.get();
}

StatusCode AnySearcher::find(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                             const AnyPlace& goal, AnyAnswer& answer) noexcept {
    const StatusCode status = guarded([&] {
        auto* const searcher = searcher_of(index, query, &answer);
        if (searcher == nullptr) return StatusCode::unsupported;
        return searcher->find(*index.held_, *query.held_, start, goal, *answer.held_);
    });
    return finish(answer, status);
}

StatusCode AnySearcher::costs(const AnyIndex& index, const AnyQuery& query, const AnyPlace& start,
                              std::span<const AnyPlace> goals, std::span<Cost> costs) noexcept try {
    auto* const searcher = searcher_of(index, query, nullptr);
    if (searcher == nullptr) return StatusCode::unsupported;
    return searcher->costs(*index.held_, *query.held_, start, goals, costs);
} catch (...) {
    return out_of_memory();
}

StatusCode AnySearcher::find_nearest(const AnyIndex& index, const AnyQuery& query,
                                     const AnyPlace& start, std::span<const AnyPlace> goals,
                                     AnyAnswer& answer, std::size_t& nearest) noexcept {
    const StatusCode status = guarded([&] {
        auto* const searcher = searcher_of(index, query, &answer);
        if (searcher == nullptr) return StatusCode::unsupported;
        return searcher->find_nearest(*index.held_, *query.held_, start, goals, *answer.held_,
                                      nearest);
    });
    return finish(answer, status);
}

std::size_t AnySearcher::memory() const noexcept { return held_ == nullptr ? 0 : held_->memory(); }

StatusCode AnySearcher::finish(AnyAnswer& answer, StatusCode status) noexcept {
    if (status == StatusCode::unsupported || status == StatusCode::out_of_memory)
        answer.held_.reset();
    answer.status_ = status;
    answer.cost_ = status == StatusCode::ok ? answer.held_->cost() : kInfinity;
    return status;
}

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
