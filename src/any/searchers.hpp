#pragma once
// The searchers that AnySearcher and AnyWorldSearcher hold. One template serves indexes and worlds:
// a planner's searcher takes the index first, its searcher of a world has it already.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "any/holders.hpp"
#include "core/memory.hpp"

namespace cairn::detail {

/// In each call `on` is an index of this planner, or the world that the searcher was made for;
/// `query` and `answer` are of this planner, too.
struct SearcherHolder : Holder {
    using Places = std::span<const AnyPlace>;

    using Holder::Holder;
    [[nodiscard]] virtual std::unique_ptr<AnswerHolder> new_answer() const = 0;
    virtual StatusCode find(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                            const AnyPlace& goal, AnswerHolder& answer) = 0;
    /// Unsupported on a world.
    virtual StatusCode trace(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                             const AnyPlace& goal, AnswerHolder& answer, SearchTrace& trace) = 0;
    virtual StatusCode begin(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                             const AnyPlace& goal, AnswerHolder& answer) = 0;
    virtual bool advance(std::uint64_t budget, Deadline until) noexcept = 0;
    virtual StatusCode costs(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                             Places goals, std::span<Cost> costs) = 0;
    virtual StatusCode costs(const Searchable& on, const QueryHolder& query, Places starts,
                             Places goals, std::span<Cost> costs) = 0;
    virtual StatusCode find_nearest(const Searchable& on, const QueryHolder& query,
                                    const AnyPlace& start, Places goals,
                                    std::span<GoalCost> nearest, std::size_t& count) = 0;
    virtual StatusCode find_nearest(const Searchable& on, const QueryHolder& query,
                                    const AnyPlace& start, Places goals, AnswerHolder& answer,
                                    std::size_t& nearest) = 0;
#if CAIRN_HAS_BATCH
    virtual Status find_paths(const Searchable& on, const QueryHolder& query,
                              const AnyRequests& requests, PathsOfAnySpace& paths,
                              const batch::Options& options, const BuildControl& control) = 0;
#endif
    [[nodiscard]] virtual std::size_t memory() const noexcept = 0;
};

/// The searchers of a planner on any index, as one.
template <class P>
class IndexSearcher : public Searcher<P> {
public:
    using Searcher<P>::Searcher;
#if CAIRN_HAS_BATCH
    Status find_paths(const typename P::Index& index, std::span<const typename P::Request> requests,
                      typename P::Paths& paths, const typename P::Query& model,
                      const batch::Options& options, const BuildControl& control) noexcept {
        return batch_.find_paths(index, requests, paths, model, options, control);
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return Searcher<P>::memory() + batch_.memory();
    }

private:
    batch::Searcher<P> batch_;
#endif
};

#if CAIRN_HAS_BATCH

/// Copies a request of any type of AnyRequests. False if one of its places is not of planner P.
/// Without an agent of its own it gets that of the query.
template <class P, class Given>
[[nodiscard]] bool convert(const Given& given, const typename P::Query& query,
                           typename P::Request& own) noexcept {
    if constexpr (std::same_as<Given, AnyRequest>) {
        const auto* const start = std::get_if<typename P::Place>(&given.start);
        const auto* const goal = std::get_if<typename P::Place>(&given.goal);
        if (start == nullptr || goal == nullptr) return false;
        own.start = *start;
        own.goal = *goal;
        if constexpr (
            requires { given.agent; } && requires { own.agent; })
            own.agent = given.agent.value_or(query.agent);
        return true;
    } else if constexpr (std::same_as<decltype(Given::start), typename P::Place>) {
        own.start = given.start;
        own.goal = given.goal;
        if constexpr (requires { own.agent; }) own.agent = query.agent;
        return true;
    }
    return false;
}

/// The result as planner P's own; made empty if it was of the other space.
template <class P>
[[nodiscard]] typename P::Paths& own_paths(PathsOfAnySpace& paths) noexcept {
    using Paths = typename P::Paths;
    if (auto* const own = std::get_if<Paths>(&paths)) return *own;
    return paths.emplace<Paths>();
}

[[nodiscard]] inline Status wrong_query() {
    return {StatusCode::unsupported, "the query is of another planner"};
}
/// The status of a request or a route whose places are not of planner P.
template <class P>
[[nodiscard]] Status wrong_places() {
    return {StatusCode::unsupported,
            fmt::format("the planner {} takes places of another kind of map", P::kName)};
}

#endif

/// `OwnSearcher` is IndexSearcher<P> or WorldSearcher<P>.
template <class P, class OwnSearcher, class Base = SearcherHolder>
class SearcherOf : public Base {
public:
    using Places = std::span<const AnyPlace>;
    using Place = typename P::Place;

    template <class... Arguments>
    explicit SearcherOf(const Arguments&... arguments)
        : Base(kPosition<P>), searcher_(arguments...) {}

    std::unique_ptr<AnswerHolder> new_answer() const override {
        return std::make_unique<AnswerOf<P>>();
    }
    StatusCode find(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                    const AnyPlace& goal, AnswerHolder& answer) override {
        if (!set(query, start, goal)) return StatusCode::unsupported;
        typename P::Answer& own = own_answer(answer);
        return with_index(
            on, [&](const auto&... index) { return searcher_.find(index..., query_, own); });
    }
    StatusCode trace(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                     const AnyPlace& goal, AnswerHolder& answer,
                     [[maybe_unused]] SearchTrace& trace) override {
        if constexpr (std::same_as<OwnSearcher, IndexSearcher<P>>) {
            if (!set(query, start, goal)) return StatusCode::unsupported;
            return OwnSearcher::trace(static_cast<const IndexOf<P>&>(on).index, query_,
                                      own_answer(answer), trace);
        }
        return StatusCode::unsupported;
    }
    StatusCode begin(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                     const AnyPlace& goal, AnswerHolder& answer) override {
        if (!set(query, start, goal)) return StatusCode::unsupported;
        typename P::Answer& own = own_answer(answer);
        return with_index(
            on, [&](const auto&... index) { return searcher_.begin(index..., query_, own); });
    }
    bool advance(std::uint64_t budget, Deadline until) noexcept override {
        return searcher_.advance(budget, until);
    }
    StatusCode costs(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                     Places goals, std::span<Cost> costs) override {
        set(query);
        if (!convert(start, query_.start) || !convert(goals, goals_))
            return StatusCode::unsupported;
        return with_index(on, [&](const auto&... index) {
            return searcher_.costs(index..., query_, goals_, costs);
        });
    }
    StatusCode costs(const Searchable& on, const QueryHolder& query, Places starts, Places goals,
                     std::span<Cost> costs) override {
        set(query);
        if (!convert(starts, starts_) || !convert(goals, goals_)) return StatusCode::unsupported;
        return with_index(on, [&](const auto&... index) {
            return searcher_.costs(index..., query_, starts_, goals_, costs);
        });
    }
    StatusCode find_nearest(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                            Places goals, std::span<GoalCost> nearest,
                            std::size_t& count) override {
        set(query);
        if (!convert(start, query_.start) || !convert(goals, goals_))
            return StatusCode::unsupported;
        return with_index(on, [&](const auto&... index) {
            return searcher_.find_nearest(index..., query_, goals_, nearest, count);
        });
    }
    StatusCode find_nearest(const Searchable& on, const QueryHolder& query, const AnyPlace& start,
                            Places goals, AnswerHolder& answer, std::size_t& nearest) override {
        set(query);
        if (!convert(start, query_.start) || !convert(goals, goals_))
            return StatusCode::unsupported;
        auto& held = static_cast<AnswerOf<P>&>(answer);
        const StatusCode status = with_index(on, [&](const auto&... index) {
            return searcher_.find_nearest(index..., query_, goals_, held.answer, nearest);
        });
        if (status == StatusCode::ok) held.goal = goals_[nearest];
        return status;
    }
#if CAIRN_HAS_BATCH
    Status find_paths(const Searchable& on, const QueryHolder& query, const AnyRequests& requests,
                      PathsOfAnySpace& paths, const batch::Options& options,
                      const BuildControl& control) override {
        set(query);
        const auto own = own_requests(requests);
        if (!own) return wrong_places<P>();
        return with_index(on, [&](const auto&... index) {
            return searcher_.find_paths(index..., *own, own_paths<P>(paths), query_, options,
                                        control);
        });
    }
#endif
    std::size_t memory() const noexcept override { return sizeof *this + memory_of_members(); }

protected:
    /// Copies the query; its start and goal are still to be set.
    void set(const QueryHolder& query) noexcept {
        query_ = static_cast<const QueryOf<P>&>(query).query;
    }
    [[nodiscard]] std::size_t memory_of_members() const noexcept {
        std::size_t bytes = memory_of(searcher_, starts_, goals_);
#if CAIRN_HAS_BATCH
        bytes += memory_of(requests_);
#endif
        return bytes;
    }

    OwnSearcher searcher_;
    typename P::Query query_;

private:
    /// Calls a member of the searcher, with the index if it takes one.
    template <class Call>
    auto with_index([[maybe_unused]] const Searchable& on, const Call& call) {
        if constexpr (std::same_as<OwnSearcher, IndexSearcher<P>>) {
            return call(static_cast<const IndexOf<P>&>(on).index);
        } else {
            return call();
        }
    }
    /// False if the places are not of this planner.
    [[nodiscard]] bool set(const QueryHolder& query, const AnyPlace& start, const AnyPlace& goal) {
        set(query);
        return convert(start, query_.start) && convert(goal, query_.goal);
    }
    [[nodiscard]] static bool convert(const AnyPlace& any, Place& own) noexcept {
        const auto* const place = std::get_if<Place>(&any);
        if (place != nullptr) own = *place;
        return place != nullptr;
    }
    [[nodiscard]] static bool convert(Places any, std::vector<Place>& own) {
        own.resize(any.size());
        for (std::size_t i = 0; i < any.size(); ++i) {
            if (!convert(any[i], own[i])) return false;
        }
        return true;
    }
#if CAIRN_HAS_BATCH
    /// The requests as this planner's; copied only if they are of another type. None if they are of
    /// the other space.
    [[nodiscard]] std::optional<std::span<const typename P::Request>> own_requests(
        const AnyRequests& any) {
        using Own = std::span<const typename P::Request>;
        return std::visit(
            [&]<class Given>(const Given& given) -> std::optional<Own> {
                if constexpr (std::same_as<Given, Own>) {
                    return given;
                } else {
                    requests_.resize(given.size());
                    for (std::size_t i = 0; i < given.size(); ++i) {
                        if (!detail::convert<P>(given[i], query_, requests_[i])) return {};
                    }
                    return Own(requests_);
                }
            },
            any);
    }
#endif
    /// The planner's own answer to query_.
    [[nodiscard]] typename P::Answer& own_answer(AnswerHolder& answer) const noexcept {
        auto& held = static_cast<AnswerOf<P>&>(answer);
        held.goal = query_.goal;
        return held.answer;
    }

    std::vector<Place> starts_;
    std::vector<Place> goals_;
#if CAIRN_HAS_BATCH
    std::vector<typename P::Request> requests_;
#endif
};

}  // namespace cairn::detail
