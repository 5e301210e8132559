#pragma once
// Indexes built for measurements, and the time that it took.

#include <algorithm>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "command.hpp"
#include "measurement.hpp"

namespace cairn::app {

/// The least time of some builds, and what the last one made.
template <class Build>
auto timed_build(const MeasureOptions& measure, double& build_seconds, Build&& build) {
    for (int round = 1;; ++round) {
        const double start = now();
        auto built = build();
        const double seconds = now() - start;
        build_seconds = round == 1 ? seconds : std::min(build_seconds, seconds);
        if (!built || round >= measure.rounds) return built;
    }
}

/// Indexes of one map; equal options share one.
template <class Index, class Options>
class IndexShelf {
public:
    template <class Map>
    Result<Index> get(const Map& map, const Options& options, const MeasureOptions& measure,
                      double& build_seconds) {
        for (const Entry& entry : entries_) {
            if (entry.index.options() == options) {
                build_seconds = entry.seconds;
                return entry.index;
            }
        }
        BuildControl control;
        control.threads = measure.threads;
        control.cancel = measure.cancel;
        auto index = timed_build(measure, build_seconds,
                                 [&] { return Index::build(map, options, control); });
        if (index) entries_.push_back({*index, build_seconds});
        return index;
    }

private:
    struct Entry {
        Index index;
        double seconds;
    };
    std::vector<Entry> entries_;
};

}  // namespace cairn::app
