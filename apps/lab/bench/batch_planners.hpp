#pragma once
// One interface to find many paths with a planner: in batches, one query after another, and on a
// device.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/agents.hpp"
#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// How much of each path is computed and kept, regardless of the planner's name.
enum class PathForm : std::uint8_t { cells, turning, cost };

/// The answers of a loop of single queries, by request.
struct KeptAnswers {
    explicit KeptAnswers(std::size_t requests)
        : status(requests), cost(requests), cells(requests) {}
    std::vector<StatusCode> status;
    std::vector<Cost> cost;
    std::vector<std::vector<grid::Cell>> cells;  ///< empty lists for PathForm::cost
};

/// A planner on a device, and the same planner on the host to compare with.
struct DeviceTwin {
    batch::DeviceGridIndex index;
    std::shared_ptr<batch::DeviceSearcher> searcher;
    /// The same batch on the host: the engine of devices, on the index that was loaded.
    std::function<Status(std::span<const grid::Request>, PathForm, const BuildControl&,
                         grid::Paths&)>
        batch;
};

/// A planner on one map, by batches and by single queries. Request: grid::Request or haa::Request.
template <class Request>
struct RequestPlanner {
    std::string name;
    bool exact = false;  ///< every answer is a shortest path
    std::string note;    ///< why the index has no labels, though its options have them
    /// A batch. Annotated A* lists no cells.
    std::function<Status(std::span<const Request>, PathForm, const BuildControl&, grid::Paths&)>
        batch;
    /// Answers the requests one after another with one searcher. Stops early if cancelled.
    std::function<void(std::span<const Request>, PathForm, KeptAnswers&)> loop;
    /// Loads the index onto a device. Empty if devices do not support the planner. Errors: as
    /// batch::DeviceGridIndex::load.
    std::function<Result<DeviceTwin>(const batch::Device&)> on_device{};
};

/// The number of answers of a device that differ from those of a batch on the host. `lists`: the
/// paths of the batch; empty if it has none.
[[nodiscard]] std::uint64_t differing(const batch::DeviceItems& device, const PathCosts& host,
                                      const Lists<std::uint32_t>& lists);

/// Makes the planners of a map. Equal indexes are built once. The map must outlive the planners,
/// and so must `measure.cancel`, which also stops their loops.
class CellPlanners {
public:
    CellPlanners(const grid::Map& map, const MeasureOptions& measure)
        : map_(&map), measure_(measure) {}
    /// Errors: unsupported (the planner has no batches); those of the builds.
    [[nodiscard]] Result<RequestPlanner<grid::Request>> get(const PlannerSpec& spec);

private:
    const grid::Map* map_;
    MeasureOptions measure_;
    IndexCache<hpa::Planner> hpa_;
    IndexCache<subgoal::Planner> subgoal_;
};

/// The same for agents, with their views made in advance. The problems must outlive the planners.
class AgentPlanners {
public:
    AgentPlanners(const haa::AnnotatedMap& map, const AgentProblems& problems,
                  const MeasureOptions& measure)
        : map_(&map), problems_(&problems), measure_(measure) {}
    [[nodiscard]] Result<RequestPlanner<haa::Request>> get(const PlannerSpec& spec);

private:
    const haa::AnnotatedMap* map_;
    const AgentProblems* problems_;
    MeasureOptions measure_;
    IndexCache<haa::Planner> haa_;
};

/// One planner, one crowd and one form of answer on a device. Times last until all answers are in
/// the host's memory.
struct DeviceRun {
    double us = 0;                ///< an agent
    double host_us = 0;           ///< an agent, for the same on the host, in batches on all threads
    double bytes = 0;             ///< copied to the device and back, an agent
    double on_host = 0;           ///< the share of agents answered by searches on the host
    std::size_t index_bytes = 0;  ///< of the device's memory
    std::uint64_t wrong = 0;      ///< answers that differ from the host's
};

/// Finds the paths of a crowd in batches of `chunk` requests; the shortest round of each counts.
/// Errors: those of batches, also on the device; cancelled.
[[nodiscard]] Result<DeviceRun> measure_on_device(const DeviceTwin& twin,
                                                  std::span<const grid::Request> requests,
                                                  std::size_t chunk, PathForm form,
                                                  const MeasureOptions& options);

}  // namespace cairn::app
