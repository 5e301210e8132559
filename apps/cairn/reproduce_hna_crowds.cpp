#include "reproduce_hna_crowds.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>

#include "cairn/batch/batch.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/planner.hpp"

namespace cairn::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Agents whose paths A* finds; the time is scaled up for larger crowds.
constexpr std::size_t kMostSearched = 2'000;
/// The largest crowd that is asked for in all ways.
constexpr std::size_t kMostCompared = 65'535;
constexpr int kSharing = 100;

/// Runs crowds on one mesh.
class Crowds {
public:
    Crowds(const hna::Index& index, const HnaControl& control)
        : index_(&index), control_(&control) {}

    [[nodiscard]] Result<HnaCrowd> measure(std::span<const mesh::Request> trips, bool compare) {
        HnaCrowd crowd;
        crowd.agents = static_cast<int>(trips.size());
        crowd.compared = compare;
        const auto sample = trips.first(std::min(trips.size(), kMostSearched));
        const double scale = static_cast<double>(trips.size()) / static_cast<double>(sample.size());
        const auto astar = [&](std::span<const mesh::Request> some, mesh::Paths& to,
                               const BuildControl& build) {
            return astar_.find_paths(index_->mesh(), some, to, {}, {}, build);
        };
        mesh::Paths optima;
        if (Status s = run(sample, astar, compare, crowd.astar, optima); !s.ok())
            return tl::unexpected(std::move(s));
        for (double* seconds : {&crowd.astar.one_thread, &crowd.astar.threads}) *seconds *= scale;

        std::vector<mesh::Request> shared(trips.begin(), trips.end());
        for (std::size_t i = 0; i < shared.size(); ++i)
            shared[i].goal = trips[i % std::max<std::size_t>(1, trips.size() / kSharing)].goal;
        mesh::Paths routes;
        struct Way {
            hna::Engine engine;
            std::span<const mesh::Request> trips;
            HnaCrowdTime& time;
        };
        for (const Way& way : {Way{hna::Engine::astar, trips, crowd.pccp},
                               Way{hna::Engine::cut_labels, trips, crowd.labels},
                               Way{hna::Engine::cut_labels, shared, crowd.shared}}) {
            hna::Query model;
            model.engine = way.engine;
            model.detail = hna::Detail::corridor;
            const auto ask = [&](std::span<const mesh::Request> all, mesh::Paths& to,
                                 const BuildControl& build) {
                return searcher_.find_paths(*index_, all, to, model, {}, build);
            };
            if (Status s = run(way.trips, ask, compare, way.time, routes); !s.ok())
                return tl::unexpected(std::move(s));
            if (compare) way.time.loop = loop(way.trips, model);
            if (way.trips.data() == trips.data()) {
                for (std::size_t i = 0; i < sample.size(); ++i)
                    crowd.wrong += routes.cost[i] != optima.cost[i] ? 1 : 0;
            }
        }
        return crowd;
    }

private:
    static constexpr int kRounds = 3;

    [[nodiscard]] static double since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    template <class Ask>
    [[nodiscard]] Status run(std::span<const mesh::Request> trips, const Ask& ask, bool one_thread,
                             HnaCrowdTime& time, mesh::Paths& routes) {
        const auto least = [&](int threads, double& seconds) -> Status {
            BuildControl build;
            build.cancel = control_->cancel;
            build.threads = threads;
            seconds = std::numeric_limits<double>::infinity();
            for (int round = 0; round < kRounds; ++round) {
                const auto start = Clock::now();
                if (Status s = ask(trips, routes, build); !s.ok()) return s;
                seconds = std::min(seconds, since(start));
                if (build.cancelled()) return fail(StatusCode::cancelled).value();
            }
            return {};
        };
        if (one_thread) {
            if (Status s = least(1, time.one_thread); !s.ok()) return s;
        }
        return least(control_->threads, time.threads);
    }

    /// The ordinary interface; every corridor is kept.
    [[nodiscard]] double loop(std::span<const mesh::Request> trips, hna::Query query) const {
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round < kRounds; ++round) {
            std::vector<std::vector<mesh::Polygon>> corridors(trips.size());
            hna::Searcher searcher;
            hna::Answer answer;
            const auto start = Clock::now();
            for (std::size_t i = 0; i < trips.size(); ++i) {
                query.start = trips[i].start;
                query.goal = trips[i].goal;
                searcher.find(*index_, query, answer);
                corridors[i] = answer.polygons;
            }
            least = std::min(least, since(start));
        }
        return least;
    }

    const hna::Index* index_;
    const HnaControl* control_;
    batch::Searcher<hna::Planner> searcher_;
    batch::Searcher<mesh::AstarPlanner> astar_;
};

Json milliseconds(double seconds) { return seconds > 0 ? Json(1e3 * seconds) : Json(); }
Json times(double slow, double fast) { return slow > 0 && fast > 0 ? Json(slow / fast) : Json(); }

const HnaCrowd* compared(const HnaCrowds& mesh) {
    const auto found = std::ranges::find(mesh.crowds, true, &HnaCrowd::compared);
    return found == mesh.crowds.end() ? nullptr : &*found;
}

}  // namespace

std::vector<int> crowd_sizes(int largest) {
    std::vector<int> sizes;
    for (const int size : {1'000, 10'000, 65'535, 500'000}) {
        if (size < largest) sizes.push_back(size);
    }
    sizes.push_back(largest);
    return sizes;
}

Result<HnaCrowds> measure_crowds(const HnaMesh& mesh, int largest, std::uint64_t seed,
                                 const HnaControl& control) {
    hna::Options options;
    options.mu = 20;
    BuildControl build;
    build.cancel = control.cancel;
    const auto index = hna::Index::build(mesh.centres, options, build);
    if (!index) return tl::unexpected(index.error());
    HnaMesh drawn = mesh;
    draw_pairs(drawn, largest, seed);
    std::vector<mesh::Request> trips;
    trips.reserve(drawn.pairs.size());
    for (const auto& [start, goal] : drawn.pairs) trips.push_back({start, goal});
    HnaCrowds result{mesh.name, mesh.centres.num_polygons(), {}, {}};
    Crowds crowds(*index, control);
    if (trips.empty()) return fail(StatusCode::bad_option, mesh.name + ": a mesh without polygons");
    const std::size_t compared =
        std::min({trips.size(), static_cast<std::size_t>(largest), kMostCompared});
    for (const int agents : crowd_sizes(largest)) {
        const auto count = static_cast<std::size_t>(agents);
        auto crowd = crowds.measure(std::span(trips).first(count), count == compared);
        if (!crowd) return tl::unexpected(std::move(crowd.error()));
        result.crowds.push_back(*crowd);
        control.step();
    }
    if (control.device) {
        auto device = measure_device(mesh.name, *index, trips, *control.device, control);
        if (!device) return tl::unexpected(std::move(device.error()));
        result.device = *std::move(device);
    }
    return result;
}

Exhibit hna_figure_11(const std::vector<HnaCrowds>& meshes) {
    Exhibit e{"hna-figure-11",
              "Figure 11: milliseconds in which all agents have their corridors",
              {"mesh", "agents", "A*", "PCCP", "labels", "labels, goals shared", "PCCP x A*",
               "labels x A*", "shared x A*"},
              {},
              {}};
    for (const HnaCrowds& mesh : meshes) {
        for (const HnaCrowd& c : mesh.crowds) {
            e.rows.push_back(
                {mesh.name, c.agents, milliseconds(c.astar.threads), milliseconds(c.pccp.threads),
                 milliseconds(c.labels.threads), milliseconds(c.shared.threads),
                 times(c.astar.threads, c.pccp.threads), times(c.astar.threads, c.labels.threads),
                 times(c.astar.threads, c.shared.threads)});
        }
    }
    e.notes.push_back(
        fmt::format("Batches on all threads, level 1, mu 20. A*, one search per agent, is measured "
                    "on {} agents "
                    "and scaled up. Shared: {} agents to a goal.",
                    kMostSearched, kSharing));
    e.notes.emplace_back(
        "The paper's, on a GPU: up to 500,000 agents; A* on it 4.3 to 15.7 times slower than PCCP, "
        "3.6 to 9.8 times slower than CUDA HNA*.");
    return e;
}

Exhibit hna_figure_12(const std::vector<HnaCrowds>& meshes) {
    Exhibit e{"hna-figure-12",
              "Figure 12: times as fast as A*",
              {"mesh", "polygons", "agents", "PCCP", "labels", "labels, goals shared"},
              {},
              {}};
    for (const HnaCrowds& mesh : meshes) {
        const HnaCrowd* c = compared(mesh);
        if (c == nullptr) continue;
        e.rows.push_back({mesh.name, mesh.polygons, c->agents,
                          times(c->astar.threads, c->pccp.threads),
                          times(c->astar.threads, c->labels.threads),
                          times(c->astar.threads, c->shared.threads)});
    }
    return e;
}

Exhibit hna_crowd_frames(const std::vector<HnaCrowds>& meshes) {
    constexpr double kFrame = 0.040;
    Exhibit e{"hna-crowd-frames",
              "Table 3, many agents: paths in a frame of 40 ms",
              {"mesh", "A*", "PCCP", "labels", "labels, goals shared"},
              {},
              {}};
    for (const HnaCrowds& mesh : meshes) {
        if (mesh.crowds.empty()) continue;
        const HnaCrowd& c = mesh.crowds.back();
        const auto fit = [&](const HnaCrowdTime& time) {
            return static_cast<std::uint64_t>(kFrame * c.agents / time.threads);
        };
        e.rows.push_back({mesh.name, fit(c.astar), fit(c.pccp), fit(c.labels), fit(c.shared)});
    }
    e.notes.emplace_back(
        "At the rate of the largest crowd. The paper's, CUDA and PCCP: City Island 48 and 63, "
        "Tropical Island 62 and 140.");
    return e;
}

Exhibit hna_crowd_threads(const std::vector<HnaCrowds>& meshes) {
    Exhibit e{"hna-crowd-threads",
              "Threads: microseconds an agent",
              {"mesh", "agents", "way", "one query after another", "batch, one thread",
               "batch, all threads", "all x one thread", "all x one query"},
              {},
              {}};
    for (const HnaCrowds& mesh : meshes) {
        const HnaCrowd* c = compared(mesh);
        if (c == nullptr) continue;
        const auto each = [&](double seconds) {
            return seconds > 0 ? Json(1e6 * seconds / c->agents) : Json();
        };
        const auto row = [&](const char* way, const HnaCrowdTime& t) {
            e.rows.push_back({mesh.name, c->agents, way, each(t.loop), each(t.one_thread),
                              each(t.threads), times(t.one_thread, t.threads),
                              times(t.loop, t.threads)});
        };
        row("A*", c->astar);
        row("PCCP", c->pccp);
        row("labels", c->labels);
        row("labels, goals shared", c->shared);
    }
    return e;
}

}  // namespace cairn::app
