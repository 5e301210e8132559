#include "haa/query_run.hpp"

#include <algorithm>
#include <utility>

#include "core/searcher.hpp"
#include "haa/snapshot.hpp"
#include "haa/view_making.hpp"

namespace cairn::haa {

void reset(Answer& answer, const Query& query, const Index& /*index*/) noexcept {
    hpa::empty(answer, query.goal, 0);
}

const hpa::Index* HeldViews::get(const Index& index, Agent agent, StatusCode& status) {
    const Snapshot& snapshot = index.snapshot();
    if (!snapshot.map.knows(agent)) {
        status = StatusCode::bad_option;
        return nullptr;
    }
    const std::uint32_t agent_class = snapshot.map.class_of(agent);
    Held* held = find(snapshot, agent_class);
    if (held == nullptr) {
        auto view = index.view(agent);
        if (!view) {
            status = view.error().code;
            return nullptr;
        }
        held = &*std::min_element(held_.begin(), held_.end(),
                                  [](const Held& a, const Held& b) { return a.used < b.used; });
        held->snapshot_id = snapshot.id;
        held->agent_class = agent_class;
        held->complete = is_complete(*view, snapshot.options);
        held->view = std::move(*view);
    }
    snapshot.views->touch(agent_class);
    held->used = ++clock_;
    return &*held->view;
}

// The held view, or null. A view that is not complete is dropped once the index has a complete one.
HeldViews::Held* HeldViews::find(const Snapshot& snapshot, std::uint32_t agent_class) {
    for (Held& held : held_) {
        if (held.snapshot_id != snapshot.id || held.agent_class != agent_class) continue;
        if (held.complete || !snapshot.views->has_complete(agent_class)) return &held;
        held = Held{};
    }
    return nullptr;
}

void QueryRun::begin(const Index& index, const Query& query, Answer& answer) {
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = views_.get(index, query.agent, status);
    begun_ = view != nullptr;
    if (begun_) return run_.begin(*view, view_query(query), answer);
    reset(answer, query, index);
    answer.status = status;
}

StatusCode QueryRun::check_start(const Index& index, const Query& query) {
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = views_.get(index, query.agent, status);
    return view == nullptr ? status : hpa::QueryRun::check_start(*view, view_query(query));
}

}  // namespace cairn::haa

namespace cairn {

template <>
struct RunOf<haa::Planner> {
    using Type = haa::QueryRun;
};

}  // namespace cairn

template class cairn::Searcher<cairn::haa::Planner>;
