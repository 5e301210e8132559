// A world under load: some threads edit, do its work, save and load, others ask in every way. Each
// answer is checked against the snapshot that it is about. CAIRN_TEST_SCALE=200 makes 100,000
// frames of it.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "cairn/index_file.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"
#include "world/cases.hpp"

namespace cairn::test {
namespace {

template <class P>
class Simulations : public testing::Test {
protected:
    using Index = typename P::Index;
    using Query = typename P::Query;
    using Request = typename P::Request;
    using Step = typename P::Step;

    /// A path that an agent holds, and the number of edits that it knows.
    struct Held {
        Request request;
        std::vector<Step> steps;
        Cost cost = kInfinity;
        std::uint64_t edits = 0;
    };

    /// One thread that asks.
    class Reader {
    public:
        Reader(const World<P>& world, std::uint64_t seed) : random_(seed), searcher_(world) {
            control_.threads = 1;
        }

        void frame() {
            // What is checked below holds only if no edit came between.
            const WorldSnapshot<P> snapshot = searcher_.snapshot();
            switch (random_.number(0, 4)) {
                case 0:
                    return ask_one(snapshot);
                case 1:
                    return ask_batch(snapshot);
                case 2:
                    return check_held(snapshot);
                case 3:
                    return replan(snapshot);
                default:
                    return ask_around(snapshot);
            }
        }
        [[nodiscard]] std::uint64_t checked() const noexcept { return checked_; }

    private:
        [[nodiscard]] bool is_newest(const WorldSnapshot<P>& snapshot) {
            return searcher_.snapshot().edits == snapshot.edits;
        }
        void expect_right(const WorldSnapshot<P>& snapshot, const Request& request,
                          StatusCode status, Cost cost) {
            const Cost best = optimum<P>(snapshot.index, request);
            EXPECT_EQ(status == StatusCode::ok, best < kInfinity);
            if (status == StatusCode::ok) {
                EXPECT_GE(cost, best);
                if (P::kExact) {
                    EXPECT_EQ(cost, best);
                }
            }
            ++checked_;
        }

        void ask_one(const WorldSnapshot<P>& snapshot) {
            const Request request = any_request<P>(random_, snapshot.index);
            Query query;
            assign(request, query);
            query.detail = decltype(query.detail)::cost;
            searcher_.begin(query, answer_);
            while (searcher_.advance(7)) {
            }
            if (is_newest(snapshot)) expect_right(snapshot, request, answer_.status, answer_.cost);
        }

        void ask_batch(const WorldSnapshot<P>& snapshot) {
            std::vector<Request> requests;
            for (int i = random_.number(1, 6); i > 0; --i)
                requests.push_back(any_request<P>(random_, snapshot.index));
            Query model;
            CancelFlag flag;
            BuildControl control = control_;
            control.cancel = &flag;
            const bool hurried = random_.chance(30);
            if (hurried && random_.chance(50)) flag.cancel();
            if (hurried)
                model.limits.deadline =
                    Deadline::in_microseconds(static_cast<std::uint64_t>(random_.number(0, 50)));
            ASSERT_TRUE(searcher_.find_paths(requests, paths_, model, {}, control).ok());
            if (!is_newest(snapshot)) return;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const StatusCode status = paths_.status[i];
                if (status == StatusCode::budget_exhausted || status == StatusCode::cancelled) {
                    EXPECT_TRUE(hurried);
                    continue;
                }
                expect_right(snapshot, requests[i], status, paths_.cost[i]);
                const auto steps = steps_of(paths_)[i];
                EXPECT_TRUE(is_legal<P>(snapshot.index, requests[i], steps));
                if (status != StatusCode::ok) continue;
                if (held_.size() == 8) held_.erase(held_.begin());
                held_.push_back(
                    {requests[i], {steps.begin(), steps.end()}, paths_.cost[i], snapshot.edits});
            }
        }

        void check_held(const WorldSnapshot<P>& snapshot) {
            for (const Held& held : held_) {
                const bool valid =
                    searcher_.path_valid({held.request, held.steps, held.cost}, held.edits);
                if (!is_newest(snapshot)) return;
                EXPECT_EQ(valid, is_legal<P>(snapshot.index, held.request, held.steps));
                ++checked_;
            }
        }

        void replan(const WorldSnapshot<P>& snapshot) {
            std::vector<Route<P>> routes;
            std::uint64_t edits = snapshot.edits;
            for (const Held& held : held_) {
                routes.push_back({held.request, held.steps, held.cost});
                edits = std::min(edits, held.edits);
            }
            // Those that are newer were legal then, too, unless an edit has freed their way.
            Replanned<P> out;
            const auto what = random_.chance(50) ? ReplanWhat::broken : ReplanWhat::improvable;
            ASSERT_TRUE(searcher_.replan(routes, edits, out, what, {}, control_).ok());
            if (!is_newest(snapshot)) return;
            for (std::size_t k = 0; k < out.routes.size(); ++k)
                expect_right(snapshot, routes[out.routes[k]].request, out.paths.status[k],
                             out.paths.cost[k]);
        }

        void ask_around(const WorldSnapshot<P>& snapshot) {
            if constexpr (requires(Query query) { query.blocked; }) {
                const Request request = any_request<P>(random_, snapshot.index);
                std::vector<grid::Cell> blocked;
                const auto& map = cells_of(snapshot.index);
                for (int i = random_.number(1, 9); i > 0; --i)
                    blocked.push_back(static_cast<grid::Cell>(
                        random_.number(0, static_cast<int>(map.size()) - 1)));
                std::sort(blocked.begin(), blocked.end());
                Query query;
                assign(request, query);
                query.blocked = blocked;
                searcher_.find(query, answer_);
                if (!is_newest(snapshot) || answer_.status != StatusCode::ok) return;
                EXPECT_GE(answer_.cost, optimum<P>(snapshot.index, request));
                for (const grid::Cell cell : answer_.cells) {
                    EXPECT_TRUE(cell == answer_.cells.front() ||
                                !std::ranges::binary_search(blocked, cell));
                }
                ++checked_;
            }
        }

        RandomMaps random_;
        WorldSearcher<P> searcher_;
        BuildControl control_;
        typename P::Answer answer_;
        typename P::Paths paths_;
        std::vector<Held> held_;
        std::uint64_t checked_ = 0;
    };
};

/// Saves an index; what is loaded equals it. HAA* loads with the image of its map, which
/// a world does not keep.
template <class P>
void save_and_load(const typename P::Index& index, const ScratchFolder& folder) {
    if constexpr (IndexedPlanner<P>) {
        const std::string file = (folder.path() / "world.index").string();
        ASSERT_TRUE(save(index, file).ok());
        const auto expect_same = [&](const Result<typename P::Index>& loaded) {
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            EXPECT_TRUE(*loaded == index);
        };
        if constexpr (requires { load<typename P::Index>(file, index.map()); }) {
            expect_same(load<typename P::Index>(file, index.map()));
        } else if constexpr (requires { load<typename P::Index>(file); }) {
            expect_same(load<typename P::Index>(file));
        }
    }
}

TYPED_TEST_SUITE(Simulations, EditablePlanners);

TYPED_TEST(Simulations, ThreadsGetRightAnswersAllTheTime) {
    RandomMaps random(1831);
    WorldOptions options;
    options.order_edits = 7;
    options.remembered_areas = 30;
    auto world = World<TypeParam>::create(first_index<TypeParam>(random), options).value();
    const auto first = world.snapshot().index;
    const ScratchFolder folder;
    std::atomic<int> running = 0;
    std::atomic<std::uint64_t> checked = 0;
    std::vector<std::thread> threads;
    const auto frames = scaled(500);
    for (std::uint64_t k = 0; k < 2; ++k) {
        ++running;
        threads.emplace_back([&, k] {
            typename TestFixture::Reader reader(world, 30 + k);
            for (auto i = frames; i > 0 && !testing::Test::HasFailure(); --i) reader.frame();
            checked += reader.checked();
            --running;
        });
    }
    RandomMaps own(40);
    while (running > 0) {
        ASSERT_TRUE(world.edit(small_edits<TypeParam>(own, first)).has_value());
        if (own.chance(30)) world.work();
        if (own.chance(5)) save_and_load<TypeParam>(world.snapshot().index, folder);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(checked, 0U);
}

/// One world whose calls run out of memory now and then.
template <class P>
class ScarceMemory {
public:
    explicit ScarceMemory(std::uint64_t seed)
        : random_(seed),
          world_(World<P>::create(first_index<P>(random_), options()).value()),
          first_(world_.snapshot().index),
          searcher_(world_) {
        control_.threads = 1;
    }

    void frame() {
        switch (random_.number(0, 3)) {
            case 0:
                return edit();
            case 1:
                return ask();
            case 2:
                return replan();
            default:
                static_cast<void>(failing(60, [&] { return world_.work(); }));
        }
    }
    [[nodiscard]] int failures() const noexcept { return failures_; }
    [[nodiscard]] int paths() const noexcept { return right_; }

private:
    static WorldOptions options() {
        WorldOptions options;
        options.worker = false;
        options.order_edits = 7;
        options.remembered_areas = 30;
        return options;
    }
    /// Makes a call in which one of the first `most` allocations fails.
    auto failing(int most, const auto& call) {
        const FailingAllocations one(static_cast<std::uint64_t>(random_.number(1, most)));
        return call();
    }

    void edit() {
        const auto edits = small_edits<P>(random_, first_);
        const std::uint64_t before = world_.edits();
        const auto number = failing(60, [&] { return world_.edit(edits); });
        ASSERT_EQ(world_.edits(), number ? before + 1 : before);
        if (number) return;
        ASSERT_EQ(number.error().code, StatusCode::out_of_memory);
        ++failures_;
    }

    void ask() {
        requests_.clear();
        for (int i = random_.number(1, 4); i > 0; --i)
            requests_.push_back(any_request<P>(random_, first_));
        const Status status =
            failing(30, [&] { return searcher_.find_paths(requests_, paths_, {}, {}, control_); });
        if (!status.ok()) {
            ASSERT_EQ(status.code, StatusCode::out_of_memory);
            ++failures_;
            return;
        }
        const auto index = world_.snapshot().index;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (paths_.status[i] == StatusCode::out_of_memory) continue;
            const Cost best = optimum<P>(index, requests_[i]);
            ASSERT_EQ(paths_.status[i] == StatusCode::ok, best < kInfinity);
            if (best == kInfinity) continue;
            ASSERT_GE(paths_.cost[i], best);
            ASSERT_TRUE(!P::kExact || paths_.cost[i] == best);
            ASSERT_TRUE(is_legal<P>(index, requests_[i], steps_of(paths_)[i]));
            ++right_;
        }
    }

    void replan() {
        const std::uint64_t found_at = world_.edits();
        ASSERT_TRUE(searcher_.find_paths(requests_, paths_, {}, {}, control_).ok());
        std::vector<Route<P>> routes;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (paths_.status[i] == StatusCode::ok)
                routes.push_back({requests_[i], steps_of(paths_)[i], paths_.cost[i]});
        }
        ASSERT_TRUE(world_.edit(small_edits<P>(random_, first_)).has_value());
        Replanned<P> out;
        const auto broken = [&] {
            return searcher_.replan(routes, found_at, out, ReplanWhat::broken, {}, control_);
        };
        if (!failing(30, broken).ok()) ++failures_;
        ASSERT_TRUE(broken().ok());
        const auto index = world_.snapshot().index;
        for (std::uint32_t i = 0; i < routes.size(); ++i) {
            ASSERT_EQ(std::ranges::binary_search(out.routes, i),
                      !is_legal<P>(index, routes[i].request, routes[i].steps));
        }
    }

    RandomMaps random_;
    World<P> world_;
    typename P::Index first_;
    WorldSearcher<P> searcher_;
    BuildControl control_;
    std::vector<typename P::Request> requests_;
    typename P::Paths paths_;
    int failures_ = 0;
    int right_ = 0;
};

// A call either does all of its work, or says that memory ran out; then it has changed nothing.
TYPED_TEST(Simulations, CallsThatRunOutOfMemoryCanBeMadeAgain) {
    int failures = 0;
    int paths = 0;
    const std::uint64_t worlds = std::max<std::uint64_t>(scaled(20), 12);
    for (std::uint64_t seed = 0; seed < worlds; ++seed) {
        ScarceMemory<TypeParam> world(seed);
        for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) world.frame();
        failures += world.failures();
        paths += world.paths();
    }
    EXPECT_GT(paths, 0);
    if (counts_allocations()) {
        EXPECT_GT(failures, 0);
    }
}

}  // namespace
}  // namespace cairn::test
