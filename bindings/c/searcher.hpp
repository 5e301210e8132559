#pragma once
// What a cairn_searcher holds. One type serves indexes and worlds.

#include <optional>
#include <vector>

#include "handles.hpp"

struct cairn_trace {
    std::vector<cairn_trace_event> events{};
    uint64_t left_out = 0;
};

struct cairn_searcher {
    /// Returns call(searcher, index) or, for a world, call(searcher).
    template <class Call>
    auto ask(const Call& call) {
#if CAIRN_HAS_WORLD
        if (of_world) return call(*of_world);
#endif
        return call(of_index, *index);
    }
    [[nodiscard]] const cairn::AnyQuery& query_or_usual(const cairn_query* query) const noexcept {
        return (query == nullptr ? usual : query->queries).full;
    }

    cairn::c::Queries usual;  // if a call names no query
    cairn::AnySearcher of_index{};
    std::optional<cairn::AnyIndex> index{};  // none for a world
#if CAIRN_HAS_WORLD
    std::shared_ptr<cairn::AnyWorld> world{};  // outlives of_world
    std::optional<cairn::AnyWorldSearcher> of_world{};
#endif
    // Arguments as the C++ interface takes them, kept for their memory:
    cairn::c::Places starts{};
    cairn::c::Places goals{};
    std::vector<cairn::GoalCost> nearest{};
    cairn::AnyAnswer reached{};
#if CAIRN_HAS_BATCH
    std::vector<cairn::AnyRequest> requests{};
    std::vector<cairn::grid::Request> cells{};
#if CAIRN_HAS_MESH
    std::vector<cairn::mesh::Request> points{};
#endif
#endif
#if CAIRN_HAS_WORLD
    std::vector<cairn::AnyRoute> routes{};
#endif
};
