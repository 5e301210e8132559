#pragma once
// The host's part of batches on grids; see host_share.hpp.

#include <vector>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/host_share.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/grid/smooth.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "grid/endpoints.hpp"

namespace cairn::batch {

/// `TArrays`: HpaArrays or SubgoalArrays.
template <class TArrays>
class CellHost {
public:
    using Arrays = TArrays;
    using Planner = typename Arrays::Planner;
    using Query = typename Planner::Query;
    using Form = typename Arrays::Form;
    using Index = typename Arrays::Index;

    void begin(const Index& index, const DeviceGridQuery& query) {
        index_ = &index;
        query_ = {};
        query_.engine = query.engine == DeviceGridEngine::climb ? Planner::Engine::climb
                                                                : Planner::Engine::cut_labels;
        query_.detail = query.paths ? Planner::Detail::path : Planner::Detail::cost;
        if constexpr (requires { query_.smoothing; }) query_.smoothing = hpa::Smoothing::none;
        cells_ = query.cells;
    }

    [[nodiscard]] StatusCode locate(const grid::Request& request) const {
        const StatusCode status = grid::check_start(index_->map(), request.start);
        return status != StatusCode::ok ? status : grid::check_goal(index_->map(), request.goal);
    }
    [[nodiscard]] bool answers(const grid::Request& request) const {
        return Arrays::is_for_host(*index_, request);
    }

    class Worker {
    public:
        /// The items of the answer stay valid until the next call.
        [[nodiscard]] HostAnswer answer(const CellHost& host, const grid::Request& request) {
            Query query = host.query_;
            assign(request, query);
            searcher_.find(*host.index_, query, answer_);
            if (host.cells_ == Cells::all || answer_.cells.empty())
                return {answer_.status, answer_.cost, answer_.cells};
            grid::waypoints(host.index_->map(), answer_.cells, turning_);
            return {answer_.status, answer_.cost, turning_};
        }

    private:
        cairn::Searcher<Planner> searcher_;
        typename Planner::Answer answer_;
        std::vector<grid::Cell> turning_;
    };

private:
    const Index* index_ = nullptr;
    Query query_;
    Cells cells_ = Cells::all;
};

using HpaHost = CellHost<HpaArrays>;
using SubgoalHost = CellHost<SubgoalArrays>;

}  // namespace cairn::batch
