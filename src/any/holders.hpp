#pragma once
// What the objects of cairn/any.hpp and cairn/any_world.hpp hold: a query, an index or an answer of
// one planner behind virtual functions, which are implemented once for each planner P.

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cairn/any.hpp"
#include "cairn/planners.hpp"
#if CAIRN_HAS_INDEX_FILE
#include "cairn/index_file.hpp"
#endif

namespace cairn::detail {

template <class P>
constexpr Space kSpace = std::same_as<typename P::Place, grid::Point> ? Space::grid : Space::mesh;

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

/// The edits as planner P's own; unsupported if they are of another space.
template <class P>
Result<std::span<const typename P::Edit>> edits_of(const AnyEdits& edits) {
    if (const auto* const own = std::get_if<std::span<const typename P::Edit>>(&edits)) return *own;
    return fail(StatusCode::unsupported,
                fmt::format("the planner {} takes edits of another kind of map", P::kName));
}

struct Holder {
    explicit Holder(std::size_t position) noexcept : planner(position) {}
    virtual ~Holder() = default;
    std::size_t planner;  // its position in planners()
};

struct QueryHolder : Holder {
    using Shared = std::shared_ptr<const QueryHolder>;

    using Holder::Holder;
    [[nodiscard]] virtual Shared with_limits(const SearchLimits& limits) const = 0;
    /// Null if the planner's queries have no blocked cells.
    [[nodiscard]] virtual Shared with_blocked(std::span<const grid::Cell> cells) const = 0;
};

struct Searchable : Holder {
    using Holder::Holder;
    [[nodiscard]] virtual std::unique_ptr<SearcherHolder> new_searcher(
        std::size_t cached_endpoints) const = 0;
};

struct IndexHolder : Searchable {
    using Shared = std::shared_ptr<const IndexHolder>;

    using Searchable::Searchable;
    [[nodiscard]] virtual AnyMap map() const = 0;
    [[nodiscard]] virtual std::size_t memory() const = 0;
    [[nodiscard]] virtual bool has_labels() const = 0;
    [[nodiscard]] virtual bool has_closure() const = 0;
    [[nodiscard]] virtual Result<Shared> edited(const AnyEdits& edits) const = 0;
    /// Null if the planner has no labels; an equal index if nothing is missing.
    [[nodiscard]] virtual Result<Shared> with_labels(const BuildControl& control) const = 0;
    [[nodiscard]] virtual Result<Shared> with_costs(const AnyCosts& costs,
                                                    const BuildControl& control) const = 0;
    [[nodiscard]] virtual Status save(const std::string& file,
                                      const SaveOptions& options) const = 0;
    [[nodiscard]] virtual Result<QueryHolder::Shared> query(Settings settings) const = 0;
};

struct AnswerHolder : Holder {
    using Holder::Holder;
    [[nodiscard]] virtual StatusCode status() const noexcept = 0;
    [[nodiscard]] virtual Cost cost() const noexcept = 0;
    [[nodiscard]] virtual AnswerDetails details() const noexcept = 0;
};

template <class P>
struct QueryOf final : QueryHolder {
    explicit QueryOf(const typename P::Query& q) : QueryHolder(kPosition<P>), query(q) {}

    Shared with_limits(const SearchLimits& limits) const override {
        auto copy = std::make_shared<QueryOf>(query);
        copy->query.limits = limits;
        return copy;
    }
    Shared with_blocked([[maybe_unused]] std::span<const grid::Cell> cells) const override {
        if constexpr (requires { query.blocked; }) {
            auto copy = std::make_shared<QueryOf>(query);
            copy->query.blocked = cells;
            return copy;
        }
        return nullptr;
    }

    typename P::Query query;
};

template <class P>
struct IndexOf final : IndexHolder {
    using Index = typename P::Index;

    explicit IndexOf(Index made) : IndexHolder(kPosition<P>), index(std::move(made)) {}

    std::unique_ptr<SearcherHolder> new_searcher(std::size_t cached_endpoints) const override;
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
        const auto own = edits_of<P>(edits);
        if (!own) return tl::unexpected(own.error());
        return shared(index.edited(*own));
    }
    Result<Shared> with_labels([[maybe_unused]] const BuildControl& control) const override {
        if constexpr (requires { index.with_labels(control); })
            return shared(index.with_labels(control));
        return Shared();
    }
    Result<Shared> with_costs(const AnyCosts& costs, const BuildControl& control) const override {
        return std::visit(
            [&]([[maybe_unused]] const auto& own) -> Result<Shared> {
                if constexpr (requires { index.with_costs(own, control); }) {
                    return shared(index.with_costs(own, control));
                } else if constexpr (requires { index.with_weights(own); }) {
                    return shared(index.with_weights(own));
                } else {
                    return fail(StatusCode::unsupported,
                                fmt::format("an index of the planner {} cannot get these costs: "
                                            "build one of the map under them",
                                            P::kName));
                }
            },
            costs);
    }
    Status save([[maybe_unused]] const std::string& file,
                [[maybe_unused]] const SaveOptions& options) const override {
#if CAIRN_HAS_INDEX_FILE
        if constexpr (IndexedPlanner<P>) return cairn::save(index, file, options);
#endif
        return {StatusCode::unsupported,
                fmt::format("the planner {} has no index to save in this build", P::kName)};
    }
    Result<QueryHolder::Shared> query(Settings settings) const override {
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

    StatusCode status() const noexcept override { return answer.status; }
    Cost cost() const noexcept override { return answer.cost; }
    AnswerDetails details() const noexcept override {
        AnswerDetails out;
        out.lower_bound = answer.lower_bound;
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

}  // namespace cairn::detail
