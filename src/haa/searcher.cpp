#include "cairn/haa/searcher.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cairn/hpa/searcher.hpp"
#include "haa/snapshot.hpp"
#include "haa/view_making.hpp"

namespace cairn::haa {
namespace {

/// The views that a searcher was last asked for.
class HeldViews {
public:
    /// The view of an agent, or null and why there is none.
    const hpa::Index* get(const Index& index, Agent agent, StatusCode& status) {
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

private:
    struct Held {
        std::uint64_t snapshot_id = 0;
        std::uint32_t agent_class = 0;
        bool complete = false;
        std::uint64_t used = 0;
        std::optional<hpa::Index> view;
    };

    // What is held of a view, unless there is a better one by now.
    Held* find(const Snapshot& snapshot, std::uint32_t agent_class) {
        for (Held& held : held_) {
            if (held.snapshot_id != snapshot.id || held.agent_class != agent_class) continue;
            if (held.complete || !snapshot.views->has_complete(agent_class)) return &held;
            held = Held{};
        }
        return nullptr;
    }

    std::array<Held, 4> held_;
    std::uint64_t clock_ = 0;
};

// The answer where there is no view to ask.
StatusCode refuse(const Query& query, StatusCode status, Answer& answer) {
    answer.status = status;
    answer.cost = answer.abstract_cost = kInfinity;
    answer.lower_bound = 0;
    answer.goal = query.goal;
    answer.engine = hpa::Engine::automatic;
    answer.direct_line = false;
    answer.abstract_level = 0;
    answer.abstract_nodes.clear();
    answer.cells.clear();
    answer.snapshot_id = 0;
    answer.statistics = {};
    return status;
}

}  // namespace

struct Searcher::Impl {
    explicit Impl(std::size_t cached_ends) : searcher(cached_ends) {}

    HeldViews views;
    hpa::Searcher searcher;
    bool begun = false;  // a sliced query
};

Searcher::Searcher(std::size_t cached_ends) : impl_(std::make_unique<Impl>(cached_ends)) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

StatusCode Searcher::find(const Index& index, const Query& query, Answer& answer) {
    impl_->begun = false;
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = impl_->views.get(index, query.agent, status);
    if (view == nullptr) return refuse(query, status, answer);
    return impl_->searcher.find(*view, query, answer);
}

void Searcher::begin(const Index& index, const Query& query, Answer& answer) {
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = impl_->views.get(index, query.agent, status);
    impl_->begun = view != nullptr;
    if (view == nullptr) {
        refuse(query, status, answer);
    } else {
        impl_->searcher.begin(*view, query, answer);
    }
}

bool Searcher::advance(std::uint64_t budget) {
    return impl_->begun && impl_->searcher.advance(budget);
}

StatusCode Searcher::costs(const Index& index, Agent agent, grid::Point start,
                           std::span<const grid::Point> goals, std::span<Cost> costs) {
    impl_->begun = false;
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = impl_->views.get(index, agent, status);
    return view == nullptr ? status : impl_->searcher.costs(*view, start, goals, costs);
}

StatusCode Searcher::find_nearest(const Index& index, const Query& query,
                                  std::span<const grid::Point> goals, Answer& answer,
                                  std::size_t& nearest) {
    impl_->begun = false;
    StatusCode status = StatusCode::ok;
    const hpa::Index* view = impl_->views.get(index, query.agent, status);
    if (view == nullptr) return refuse(query, status, answer);
    const hpa::Query& of_class = query;
    return impl_->searcher.find_nearest(*view, of_class, goals, answer, nearest);
}

}  // namespace cairn::haa
