#pragma once
// The functions of batch::Searcher. The source of each planner includes and instantiates them.

#include <memory>

#include "batch/host/worker_pool.hpp"
#include "cairn/batch/batch.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"

namespace cairn::batch {

template <Planner P>
struct Searcher<P>::State {
    WorkerPool<P> pool;

    [[nodiscard]] std::size_t memory() const noexcept { return pool.memory(); }
};

template <Planner P>
Searcher<P>::Searcher() noexcept = default;
template <Planner P>
Searcher<P>::~Searcher() = default;
template <Planner P>
Searcher<P>::Searcher(Searcher&&) noexcept = default;
template <Planner P>
Searcher<P>& Searcher<P>::operator=(Searcher&&) noexcept = default;

template <Planner P>
std::size_t Searcher<P>::memory() const noexcept {
    return memory_of(state_);
}

template <Planner P>
Status Searcher<P>::find_paths(const Index& index, std::span<const Request> requests, Paths& paths,
                               const Query& model, const Options& options,
                               const BuildControl& control) noexcept {
    Status status = guarded([&] {
        if (state_ == nullptr) state_ = std::make_unique<State>();
        return state_->pool.run(index, model, {requests, options, control}, paths);
    });
    // The state may be half changed.
    if (status.code == StatusCode::out_of_memory) state_.reset();
    return status;
}

}  // namespace cairn::batch
