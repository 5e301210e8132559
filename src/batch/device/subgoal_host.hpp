#pragma once
// The host's share of batches on subgoal graphs: trips that a free line answers, which is cheap,
// and those that a device could not answer.

#include <vector>

#include "batch/device/host_share.hpp"
#include "batch/device/subgoal_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/subgoal/searcher.hpp"

namespace cairn::batch {

class SubgoalHost {
public:
    using Form = SubgoalForm;
    using Arrays = SubgoalArrays;

    void begin(const subgoal::Index& index, const DeviceGridQuery& query);
    [[nodiscard]] Settled settle(const CellTrip& trip) const;

    class Worker {
    public:
        /// Its items last until the next.
        [[nodiscard]] HostAnswer answer(const SubgoalHost& host, const CellTrip& trip);

    private:
        subgoal::Searcher searcher_;
        subgoal::Answer answer_;
        std::vector<grid::Cell> turning_;
    };

private:
    const subgoal::Index* index_ = nullptr;
    subgoal::Query query_;
    Cells cells_ = Cells::all;
};

}  // namespace cairn::batch
