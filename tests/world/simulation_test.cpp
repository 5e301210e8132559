// A world under load: some threads edit, do its work, save and load, others ask in every way. Each
// answer is checked against the snapshot that it is about. CAIRN_TEST_SCALE=200 makes 100,000
// frames of it.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "cairn/index_file.hpp"
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

using Planners = testing::Types<hpa::Planner, subgoal::Planner, haa::Planner, grid::AstarPlanner,
                                grid::JpsPlanner, hna::Planner, mesh::AstarPlanner>;
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

}  // namespace
}  // namespace cairn::test
