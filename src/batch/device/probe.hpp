#pragma once
// A probe of a team: a kernel calls every function of team.hpp once with known numbers, and the
// host compares the results with its own. A GPU must pass it before it is used.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batch/device/team.hpp"

namespace cairn::batch {

/// What one lane got from the functions of its team.
struct LaneProbe {
    std::uint64_t least = 0;
    LaneSum sum;
    std::uint64_t broadcast = 0;
    std::uint64_t claimed = 0;
    LaneCount odd;                ///< lanes whose number is odd
    std::uint64_t neighbour = 0;  ///< the number that the next lane wrote to memory

    friend bool operator==(const LaneProbe&, const LaneProbe&) = default;
};

/// The input of a lane: a number that fills all 64 bits, so that lost halves show.
[[nodiscard]] CAIRN_HOST_DEVICE constexpr std::uint64_t probe_number(std::uint32_t lane) noexcept {
    std::uint64_t x = (std::uint64_t{lane} + 1) * 0x9E37'79B9'7F4A'7C15ULL;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9ULL;
    return x ^ x >> 31;
}
/// What each team claims from the counter.
inline constexpr std::uint64_t kProbeClaim = 5'000'000'001;

/// Runs the probe on all lanes of a team. `results` and `written` have an item for each lane;
/// `counter` is shared by all teams.
template <class Team>
CAIRN_HOST_DEVICE void probe_team(const Team& team, LaneProbe* results, std::uint64_t* written,
                                  std::uint64_t& counter) {
    const std::uint32_t lane = team.lane();
    const std::uint64_t number = probe_number(lane);
    LaneProbe& result = results[lane];
    result.least = team.least(number);
    result.sum = team.sum(number);
    result.broadcast = team.broadcast(number);
    result.odd = team.count(number % 2 == 1);
    written[lane] = number;
    team.sync();
    result.neighbour = written[(lane + 1) % team.lanes()];
    result.claimed = team.claim(counter, lane == 0 ? kProbeClaim : 1);
}

/// The results that one team of `lanes` lanes must get.
[[nodiscard]] inline std::vector<LaneProbe> probe_results(std::uint32_t lanes) {
    LaneProbe common;
    common.least = ~std::uint64_t{0};
    common.broadcast = probe_number(0);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        common.least = std::min(common.least, probe_number(lane));
        common.sum.all += probe_number(lane);
        common.odd.all += probe_number(lane) % 2 == 1 ? 1 : 0;
    }
    std::vector<LaneProbe> results(lanes, common);
    std::uint64_t sum = 0;
    std::uint32_t odd = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        results[lane].sum.before = sum;
        results[lane].odd.before = odd;
        results[lane].neighbour = probe_number((lane + 1) % lanes);
        sum += probe_number(lane);
        odd += probe_number(lane) % 2 == 1 ? 1 : 0;
    }
    return results;
}

/// Whether the results of some teams, one team after another, are right. The teams share a counter
/// that began at 0 and ended at `counter`.
[[nodiscard]] inline bool probe_holds(std::span<const LaneProbe> results, std::uint32_t lanes,
                                      std::uint64_t counter) {
    const std::size_t teams = results.size() / lanes;
    const std::vector<LaneProbe> expected = probe_results(lanes);
    std::vector<std::uint64_t> claimed;
    for (std::size_t i = 0; i < results.size(); ++i) {
        LaneProbe result = results[i];
        if (i % lanes == 0) claimed.push_back(result.claimed);
        if (result.claimed != claimed.back()) return false;
        result.claimed = 0;
        if (result != expected[i % lanes]) return false;
    }
    std::sort(claimed.begin(), claimed.end());
    for (std::size_t team = 0; team < teams; ++team) {
        if (claimed[team] != team * kProbeClaim) return false;
    }
    return counter == teams * kProbeClaim;
}

}  // namespace cairn::batch
