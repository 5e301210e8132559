#pragma once
// The host's part of batches on grids: requests that are not for a device, and those that a device
// could not answer.
//
// `Planner` has a planner's part: its Arrays, Query, Searcher and Answer; query(asked), the single
// query that corresponds; is_for_host(index, request), of a request between free cells.

#include <vector>

#include "batch/device/host_share.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/grid/smooth.hpp"
#include "grid/endpoints.hpp"

namespace cairn::batch {

template <class Planner>
class CellHost {
public:
    using Arrays = typename Planner::Arrays;
    using Form = typename Arrays::Form;
    using Index = typename Arrays::Index;

    void begin(const Index& index, const DeviceGridQuery& query) {
        index_ = &index;
        query_ = Planner::query(query);
        cells_ = query.cells;
    }

    [[nodiscard]] Prepared prepare(const grid::Request& request) const {
        const grid::Map& map = index_->map();
        StatusCode status = grid::check_start(map, request.start);
        if (status == StatusCode::ok) status = grid::check_goal(map, request.goal);
        return {status, status == StatusCode::ok && !Planner::is_for_host(*index_, request)};
    }

    class Worker {
    public:
        /// Its items last until the next.
        [[nodiscard]] HostAnswer answer(const CellHost& host, const grid::Request& request) {
            typename Planner::Query query = host.query_;
            query.start = request.start;
            query.goal = request.goal;
            searcher_.find(*host.index_, query, answer_);
            if (host.cells_ == Cells::all || answer_.cells.empty())
                return {answer_.status, answer_.cost, answer_.cells};
            grid::waypoints(host.index_->map(), answer_.cells, turning_);
            return {answer_.status, answer_.cost, turning_};
        }

    private:
        typename Planner::Searcher searcher_;
        typename Planner::Answer answer_;
        std::vector<grid::Cell> turning_;
    };

private:
    const Index* index_ = nullptr;
    typename Planner::Query query_;
    Cells cells_ = Cells::all;
};

}  // namespace cairn::batch
