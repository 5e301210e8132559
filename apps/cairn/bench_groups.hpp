#pragma once
// Maps as benchmarks list them: each, each set, all.

#include <algorithm>
#include <string>
#include <vector>

namespace cairn::app {

/// Bench: has the `set` and the name `map` of one map.
template <class Bench>
struct BenchGroup {
    std::string name;  ///< set, set/map or "all"
    std::vector<const Bench*> maps;
};

/// Sets, and all of them where there are several; before them every map, if asked for. A set of
/// one map is left out then.
template <class Bench>
[[nodiscard]] std::vector<BenchGroup<Bench>> bench_groups(const std::vector<Bench>& maps,
                                                          bool per_map) {
    std::vector<BenchGroup<Bench>> sets;
    BenchGroup<Bench> all{"all", {}};
    std::vector<BenchGroup<Bench>> groups;
    for (const Bench& map : maps) {
        all.maps.push_back(&map);
        if (per_map) groups.push_back({map.set + "/" + map.map, {&map}});
        auto own = std::ranges::find(sets, map.set, &BenchGroup<Bench>::name);
        if (own == sets.end()) own = sets.insert(own, {map.set, {}});
        own->maps.push_back(&map);
    }
    for (const BenchGroup<Bench>& set : sets) {
        if (!per_map || set.maps.size() > 1) groups.push_back(set);
    }
    if (sets.size() > 1) groups.push_back(all);
    return groups;
}

}  // namespace cairn::app
