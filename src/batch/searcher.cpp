#include "cairn/batch/searcher.hpp"

#include <optional>
#include <tuple>

#include "batch/askers.hpp"
#include "batch/crew.hpp"

namespace cairn::batch {

/// The crews of the planners that have been asked.
struct Searcher::State {
    std::tuple<std::optional<Crew<HpaAsker>>, std::optional<Crew<HaaAsker>>,
               std::optional<Crew<SubgoalAsker>>, std::optional<Crew<BareAsker>>,
               std::optional<Crew<HnaAsker>>, std::optional<Crew<AstarAsker>>>
        crews;

    template <class Asker, class... Arguments>
    [[nodiscard]] Status run(const typename Crew<Asker>::Batch& batch,
                             typename Asker::Routes& routes, const Arguments&... arguments) {
        auto& crew = std::get<std::optional<Crew<Asker>>>(crews);
        if (!crew) crew.emplace();
        return crew->run(batch, routes, [&](Asker& asker) { asker.prepare(arguments...); });
    }
};

Searcher::Searcher() : state_(std::make_unique<State>()) {}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

Status Searcher::find_paths(const hpa::Index& index, std::span<const CellTrip> trips,
                            CellRoutes& routes, const hpa::Query& model, const Options& options,
                            const BuildControl& control) {
    return state_->run<HpaAsker>({trips, options, control}, routes, index, model, options.cells);
}

Status Searcher::find_paths(const haa::Index& index, std::span<const AgentTrip> trips,
                            CellRoutes& routes, const haa::Query& model, const Options& options,
                            const BuildControl& control) {
    return state_->run<HaaAsker>({trips, options, control}, routes, index, model, options.cells);
}

Status Searcher::find_paths(const subgoal::Index& index, std::span<const CellTrip> trips,
                            CellRoutes& routes, const subgoal::Query& model, const Options& options,
                            const BuildControl& control) {
    return state_->run<SubgoalAsker>({trips, options, control}, routes, index, model,
                                     options.cells);
}

Status Searcher::find_paths(const grid::Map& map, std::span<const CellTrip> trips,
                            CellRoutes& routes, const grid::AstarOptions& astar,
                            const SearchLimits& limits, const Options& options,
                            const BuildControl& control) {
    return state_->run<BareAsker>({trips, options, control}, routes, BareGrid{&map},
                                  BareQuery{{}, {}, astar, limits}, options.cells);
}

Status Searcher::find_paths(const hna::Index& index, std::span<const MeshTrip> trips,
                            MeshRoutes& routes, const hna::Query& model, const Options& options,
                            const BuildControl& control) {
    return state_->run<HnaAsker>({trips, options, control}, routes, index, model);
}

Status Searcher::find_paths(const mesh::Mesh& mesh, std::span<const MeshTrip> trips,
                            MeshRoutes& routes, const SearchLimits& limits, const Options& options,
                            const BuildControl& control) {
    return state_->run<AstarAsker>({trips, options, control}, routes, mesh, limits);
}

}  // namespace cairn::batch
