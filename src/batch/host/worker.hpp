#pragma once
// A searcher that answers one request after another, for any planner.

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/mesh/path.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/mesh/planner.hpp"
#include "cairn/searcher.hpp"
#include "core/memory.hpp"

namespace cairn::batch {

/// The lists of an answer: those that `Paths` of its planner has.
template <class Paths>
class AnswerLists;

template <>
class AnswerLists<grid::Paths> {
public:
    using Spans = std::tuple<std::span<const grid::Cell>>;

    template <class Index, class Query, class Answer>
    [[nodiscard]] Spans of(const Index& index, const Query& /*query*/, const Answer& answer,
                           Cells cells) {
        if (cells == Cells::all || answer.cells.empty()) return {answer.cells};
        if constexpr (requires { index.width(); }) {
            grid::waypoints(index.width(), answer.cells, turning_);
        } else {
            grid::waypoints(index.map().width(), answer.cells, turning_);
        }
        return {turning_};
    }
    [[nodiscard]] static auto places(grid::Paths& paths) { return std::tie(paths.cells); }
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(turning_); }

private:
    std::vector<grid::Cell> turning_;
};

template <>
class AnswerLists<mesh::Paths> {
public:
    using Spans = std::tuple<std::span<const mesh::Polygon>, std::span<const mesh::Waypoint>>;

    template <class Index, class Query, class Answer>
    [[nodiscard]] Spans of(const Index& index, const Query& query, const Answer& answer,
                           Cells /*cells*/) {
        if constexpr (requires { answer.waypoints; }) {
            return {answer.polygons, answer.waypoints};
        } else {
            polygons_.clear();
            if (answer.status == StatusCode::ok && query.detail == mesh::Detail::path)
                mesh::polygons(index, query.start.polygon, answer.links, polygons_);
            return {polygons_, {}};
        }
    }
    [[nodiscard]] static auto places(mesh::Paths& paths) {
        return std::tie(paths.polygons, paths.waypoints);
    }
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(polygons_); }

private:
    std::vector<mesh::Polygon> polygons_;
};

template <class P>
class RequestSearcher {
public:
    using Request = typename P::Request;
    using Paths = typename P::Paths;
    using Spans = typename AnswerLists<Paths>::Spans;

    /// The index must outlive the answers.
    void prepare(const typename P::Index& index, const typename P::Query& model, Cells cells) {
        index_ = &index;
        query_ = model;
        cells_ = cells;
    }

    const typename P::Answer& answer(const Request& request) {
        assign(request, query_);
        searcher_.find(*index_, query_, answer_);
        return answer_;
    }

    /// Nodes that the main search of the last answer expanded.
    [[nodiscard]] std::uint64_t expanded() const noexcept {
        if constexpr (requires { answer_.statistics.search; }) {
            return answer_.statistics.search.expanded;
        } else {
            return answer_.statistics.expanded;
        }
    }
    /// The lists of the last answer, good until the next.
    [[nodiscard]] Spans lists() { return lists_.of(*index_, query_, answer_, cells_); }
    /// The places of such lists in a result.
    [[nodiscard]] static auto places(Paths& paths) { return AnswerLists<Paths>::places(paths); }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(searcher_, lists_) + memory_of_lists(answer_);
    }

private:
    const typename P::Index* index_ = nullptr;
    typename P::Query query_;
    Cells cells_ = Cells::all;
    cairn::Searcher<P> searcher_;
    typename P::Answer answer_;
    AnswerLists<Paths> lists_;
};

}  // namespace cairn::batch
