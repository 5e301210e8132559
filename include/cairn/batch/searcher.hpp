#pragma once
// Asks batch after batch, as a game does frame after frame.

#include <memory>
#include <span>

#include "cairn/batch/routes.hpp"
#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/haa/searcher.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"

namespace cairn::batch {

/// The working memory of batches: a searcher of the planner's for each thread that takes part, and
/// room for what the largest batch has gathered. Each searcher keeps the last index that it was
/// used with alive. Keep one per calling thread, for any number of indexes.
///
/// find_paths answers as the function of that name with the same arguments
/// (cairn/batch/find_paths.hpp says what, and which errors there are), but into `routes`, whose
/// memory is used again: a batch no larger than one before, of the same index, clears and maps
/// none. What is kept from earlier batches does not count towards Options::max_bytes. When it does
/// not return ok, what `routes` holds is of no meaning.
class Searcher {
public:
    Searcher();
    ~Searcher();
    /// What is moved from can be assigned to or destroyed, nothing else.
    Searcher(Searcher&&) noexcept;
    Searcher& operator=(Searcher&&) noexcept;

    [[nodiscard]] Status find_paths(const hpa::Index& index, std::span<const CellTrip> trips,
                                    CellRoutes& routes, const hpa::Query& model = {},
                                    const Options& options = {}, const BuildControl& control = {});
    [[nodiscard]] Status find_paths(const haa::Index& index, std::span<const AgentTrip> trips,
                                    CellRoutes& routes, const haa::Query& model = {},
                                    const Options& options = {}, const BuildControl& control = {});
    [[nodiscard]] Status find_paths(const subgoal::Index& index, std::span<const CellTrip> trips,
                                    CellRoutes& routes, const subgoal::Query& model = {},
                                    const Options& options = {}, const BuildControl& control = {});
    [[nodiscard]] Status find_paths(const grid::Map& map, std::span<const CellTrip> trips,
                                    CellRoutes& routes, const grid::AstarOptions& astar = {},
                                    const SearchLimits& limits = {}, const Options& options = {},
                                    const BuildControl& control = {});
    [[nodiscard]] Status find_paths(const hna::Index& index, std::span<const MeshTrip> trips,
                                    MeshRoutes& routes, const hna::Query& model = {},
                                    const Options& options = {}, const BuildControl& control = {});
    [[nodiscard]] Status find_paths(const mesh::Mesh& mesh, std::span<const MeshTrip> trips,
                                    MeshRoutes& routes, const SearchLimits& limits = {},
                                    const Options& options = {}, const BuildControl& control = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::batch
