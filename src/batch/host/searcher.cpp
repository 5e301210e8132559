// The functions of batch::Searcher, for any planner. The requests are sorted (request_order.hpp); a
// worker for each thread answers slices of that order; the lists of the answers are put into the
// order of the requests (result_lists.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "batch/host/request_order.hpp"
#include "batch/host/result_lists.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/planners.hpp"
#include "cairn/searcher.hpp"
#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

[[nodiscard]] static Status check(const Options& options) {
    if (options.cells > Cells::turning)
        return {StatusCode::bad_option,
                fmt::format("cells {}: there is no such choice", static_cast<int>(options.cells))};
    return {};
}

/// Takes from an answer the lists that a batch returns, in grid::Paths or mesh::Paths.
template <class Paths>
class AnswerLists;

template <>
class AnswerLists<grid::Paths> {
public:
    /// A `List` for each of these lists.
    template <template <class> class List>
    using Each = std::tuple<List<grid::Cell>>;

    /// The lists of an answer; valid until the next call.
    template <class Index, class Query, class Answer>
    [[nodiscard]] std::tuple<std::span<const grid::Cell>> of(const Index& index,
                                                             const Query& /*query*/,
                                                             const Answer& answer, Cells cells) {
        if (cells == Cells::all || answer.cells.empty()) return {answer.cells};
        if constexpr (requires { index.width(); }) {
            grid::waypoints(index.width(), answer.cells, turning_);
        } else {
            grid::waypoints(index.map().width(), answer.cells, turning_);
        }
        return {turning_};
    }
    /// These lists of a result, by reference.
    [[nodiscard]] static auto lists_of(grid::Paths& paths) { return std::tie(paths.cells); }
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(turning_); }

private:
    std::vector<grid::Cell> turning_;  // the cells where the last path turns
};

#if CAIRN_HAS_MESH

template <>
class AnswerLists<mesh::Paths> {
public:
    template <template <class> class List>
    using Each = std::tuple<List<mesh::Polygon>, List<mesh::Waypoint>>;

    template <class Index, class Query, class Answer>
    [[nodiscard]] std::tuple<std::span<const mesh::Polygon>, std::span<const mesh::Waypoint>> of(
        const Index& /*index*/, const Query& /*query*/, const Answer& answer, Cells /*cells*/) {
        return {answer.polygons, answer.waypoints};
    }
    [[nodiscard]] static auto lists_of(mesh::Paths& paths) {
        return std::tie(paths.polygons, paths.waypoints);
    }
    [[nodiscard]] std::size_t memory() const noexcept { return 0; }
};

#endif

/// Calls use(x, y) for the i-th elements of two tuples, for each i.
template <class A, class B, class Use>
void for_each_pair(A& a, B& b, Use&& use) {
    const auto use_all = [&]<std::size_t... I>(std::index_sequence<I...> /*indices*/) {
        (use(std::get<I>(a), std::get<I>(b)), ...);
    };
    use_all(std::make_index_sequence<std::tuple_size_v<A>>{});
}

/// The memory that a searcher keeps from batch to batch.
template <Planner P>
struct Searcher<P>::State {
    using Answers = AnswerLists<Paths>;

    struct Worker {
        typename P::Query query;
        cairn::Searcher<P> searcher;
        typename P::Answer answer;
        Answers lists;
        typename Answers::template Each<ListStore> stores;
        /// The last request. If the next one is equal, it gets the same answer and lists.
        std::optional<Request> request;
        std::uint64_t bytes = 0;  // of lists, not yet added to Batch::bytes_

        [[nodiscard]] std::size_t memory() const noexcept {
            return memory_of(searcher, lists) + memory_of_lists(answer) +
                   std::apply([](const auto&... each) { return memory_of(each...); }, stores);
        }
    };

    /// What the answer to a request cost.
    struct Spent {
        std::uint64_t effort = 0;  ///< of Options::max_spent
        std::uint64_t bytes = 0;   ///< of its lists
    };

    class Batch;

    /// Bytes held now. Not while a batch runs.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(order, spent, workers) +
               std::apply([](const auto&... each) { return memory_of(each...); }, lists);
    }

    std::vector<RequestKey> order;
    typename Answers::template Each<ResultLists> lists;
    std::vector<Spent> spent;  // by the requests of a window
    PerWorker<Worker> workers;
};

/// One batch. "Place" is a request's place in state_.order.
template <Planner P>
class Searcher<P>::State::Batch {
public:
    Batch(State& state, const Index& index, std::span<const Request> requests, Paths& paths,
          const Query& model, const Options& options, const BuildControl& control)
        : state_(state),
          index_(index),
          requests_(requests),
          paths_(paths),
          model_(model),
          options_(options),
          control_(control),
          budget_left_(options.max_spent) {}

    [[nodiscard]] Status answer_all() {
        bytes_ = kBytesPerRequest * requests_.size();
        if (has_too_many_bytes()) return too_large();
        paths_.status.assign(requests_.size(), StatusCode::cancelled);
        paths_.cost.assign(requests_.size(), kInfinity);
        sort_requests(requests_, control_, state_.order);
        std::apply([&](auto&... each) { (each.begin(requests_.size()), ...); }, state_.lists);
        state_.workers.for_each([&](Worker& worker) { prepare(worker); });
        if (Status status = answer_in_order(); !status.ok()) return status;
        auto results = Answers::lists_of(paths_);
        for_each_pair(state_.lists, results, [&](const auto& each, auto& result) {
            each.put_in_order(state_.order, control_, result);
        });
        return {};
    }

private:
    /// Up to 24 bytes for a request's key, status and cost; for each of its lists 24 for the Pieces
    /// and 8 for the index of its first item in the result.
    static constexpr std::uint64_t kBytesPerRequest =
        24 + 32 * std::tuple_size_v<decltype(State::lists)>;
    /// Memory is prefetched for the request that comes this many places later.
    static constexpr std::size_t kAhead = 8;
    /// A worker adds its bytes to the shared counter when it has this many: if all threads wrote to
    /// the counter at each request, they would slow each other down.
    static constexpr std::uint64_t kCountedBytes = std::uint64_t{1} << 16;
    /// With a budget, requests are answered in windows of so many places, and charged in their
    /// order after each window. So which requests the budget covers does not depend on the threads.
    static constexpr std::size_t kWindow = 4096;

    [[nodiscard]] Status answer_in_order() {
        Progress progress(control_, std::max<std::size_t>(requests_.size(), 1));
        const std::size_t window = has_budget() ? kWindow : requests_.size();
        std::size_t done = 0;
        while (done < requests_.size() && budget_left_ > 0 && !control_.cancelled()) {
            const std::size_t count = std::min(window, requests_.size() - done);
            if (has_budget()) state_.spent.assign(count, {});
            // If the batch is cancelled, the other requests keep the status `cancelled`.
            state_.workers.begin(control_);
            for_each_range(count, 1, control_,
                           [&](std::size_t number, std::size_t begin, std::size_t end) {
                               Worker& worker = prepared_worker(number);
                               for (std::size_t i = begin; i < end && !control_.cancelled(); ++i)
                                   answer(worker, done, i);
                               progress.add(end - begin);
                           });
            if (has_budget()) charge(done);
            state_.workers.for_each([&](Worker& worker) { count_bytes(worker); });
            if (has_too_many_bytes()) return too_large();
            done += count;
        }
        for (; budget_left_ == 0 && done < requests_.size(); ++done) leave_out(done);
        return {};
    }

    void prepare(Worker& worker) const {
        worker.query = model_;
        std::apply([](auto&... each) { (each.rewind(), ...); }, worker.stores);
        worker.request.reset();
        worker.bytes = 0;
    }
    [[nodiscard]] Worker& prepared_worker(std::size_t number) {
        return state_.workers.of(number, [&] {
            Worker worker;
            prepare(worker);
            return worker;
        });
    }

    /// Answers the i-th request of the window that begins at place `first`.
    void answer(Worker& worker, std::size_t first, std::size_t i) {
        if (!has_budget() && has_too_many_bytes()) return;  // the batch fails anyway
        const std::size_t place = first + i;
        prefetch(place + kAhead);
        if (model_.limits.deadline.passed()) return leave_out(place);
        const std::uint32_t request = state_.order[place].request;
        search(worker, requests_[request]);
        if (worker.answer.status == StatusCode::out_of_memory) throw std::bad_alloc();
        paths_.status[request] = worker.answer.status;
        paths_.cost[request] = worker.answer.cost;
        std::uint64_t bytes = 0;
        for_each_pair(state_.lists, worker.stores, [&](auto& each, const auto& store) {
            each.set(place, store.last());
            bytes += 2 * store.last().size() * sizeof(*store.last().head);
        });
        if (has_budget()) {
            state_.spent[i] = {1 + expanded(worker.answer), bytes};
        } else {
            worker.bytes += bytes;
            if (worker.bytes >= kCountedBytes) count_bytes(worker);
        }
    }

    /// Prefetches the request at a place, and its status and cost in the result: these arrays are
    /// not read in their order. Inlined, because g++ drops calls that seem to have no effect.
    [[gnu::always_inline]] void prefetch(std::size_t place) const noexcept {
        if (place >= requests_.size()) return;
        const std::uint32_t request = state_.order[place].request;
        __builtin_prefetch(&requests_[request]);
        __builtin_prefetch(&paths_.status[request], 1);
        __builtin_prefetch(&paths_.cost[request], 1);
    }

    /// Answers a request in worker.answer, and puts its lists into the worker's stores.
    void search(Worker& worker, const Request& request) {
        if (worker.request == request) return;
        assign(request, worker.query);
        worker.searcher.find(index_, worker.query, worker.answer);
        worker.request = request;
        const auto found = worker.lists.of(index_, worker.query, worker.answer, options_.cells);
        for_each_pair(worker.stores, found,
                      [](auto& store, const auto& list) { store.keep(list); });
    }

    /// How many nodes the main search of an answer expanded.
    [[nodiscard]] static std::uint64_t expanded(const typename P::Answer& answer) noexcept {
        if constexpr (requires { answer.statistics.search; }) {
            return answer.statistics.search.expanded;
        } else {
            return answer.statistics.expanded;
        }
    }

    void count_bytes(Worker& worker) noexcept {
        bytes_.fetch_add(worker.bytes, std::memory_order_relaxed);
        worker.bytes = 0;
    }

    /// Charges the requests of the window at place `first` to the budget, in order. Those after the
    /// end of the budget lose their answers.
    void charge(std::size_t first) {
        for (std::size_t i = 0; i < state_.spent.size(); ++i) {
            if (budget_left_ == 0) {
                leave_out(first + i);
                continue;
            }
            budget_left_ -= std::min(budget_left_, state_.spent[i].effort);
            bytes_ += state_.spent[i].bytes;
        }
    }

    /// Leaves the request at a place without an answer, because the budget or the time is used up.
    void leave_out(std::size_t place) {
        const std::uint32_t request = state_.order[place].request;
        paths_.status[request] = StatusCode::budget_exhausted;
        paths_.cost[request] = kInfinity;
        std::apply([&](auto&... each) { (each.set(place, {}), ...); }, state_.lists);
    }

    [[nodiscard]] bool has_budget() const noexcept {
        return options_.max_spent < std::numeric_limits<std::uint64_t>::max();
    }
    [[nodiscard]] bool has_too_many_bytes() const noexcept {
        return bytes_.load(std::memory_order_relaxed) > options_.max_bytes;
    }
    [[nodiscard]] Status too_large() const {
        return {StatusCode::too_large,
                fmt::format("the paths of {} requests take more than {} bytes: use smaller "
                            "batches, or less detail",
                            requests_.size(), options_.max_bytes)};
    }

    State& state_;
    const Index& index_;
    std::span<const Request> requests_;
    Paths& paths_;
    const Query& model_;  // the query of each request, but for its endpoints
    const Options& options_;
    const BuildControl& control_;
    std::atomic<std::uint64_t> bytes_{0};  // that count towards Options::max_bytes
    std::uint64_t budget_left_;            // of Options::max_spent
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
    Status status = guarded([&]() -> Status {
        if (state_ == nullptr) state_ = std::make_unique<State>();
        if (Status checked = check_threads(control); !checked.ok()) return checked;
        if (Status checked = check(options); !checked.ok()) return checked;
        if (requests.size() > std::numeric_limits<std::uint32_t>::max())
            return {StatusCode::too_large,
                    fmt::format("{} requests: too many for one batch", requests.size())};
        return on_threads(control, [&] {
            typename State::Batch batch(*state_, index, requests, paths, model, options, control);
            return batch.answer_all();
        });
    });
    // An exception may have left the state inconsistent.
    if (status.code == StatusCode::out_of_memory) state_.reset();
    return status;
}

template class Searcher<grid::AstarPlanner>;
template class Searcher<grid::JpsPlanner>;
#if CAIRN_HAS_HAA
template class Searcher<haa::Planner>;
#endif
#if CAIRN_HAS_HNA
template class Searcher<hna::Planner>;
#endif
#if CAIRN_HAS_HPA
template class Searcher<hpa::Planner>;
#endif
#if CAIRN_HAS_MESH
template class Searcher<mesh::AstarPlanner>;
#endif
#if CAIRN_HAS_SUBGOAL
template class Searcher<subgoal::Planner>;
#endif

}  // namespace cairn::batch
