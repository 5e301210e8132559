#include "cairn/grid/jps.hpp"

#include <algorithm>
#include <limits>

#include "core/guarded.hpp"
#include "core/memory.hpp"
#include "grid/endpoints.hpp"
#include "grid/jump_search.hpp"
#include "grid/map_checks.hpp"
#include "grid/obstacle_bits.hpp"
#include "grid/trace_points.hpp"

namespace cairn::grid {
namespace {

Status check_supported(const Map& map) {
    const std::string reason = objection_to_corners(map);
    if (reason.empty()) return {};
    return {StatusCode::unsupported,
            "jump point search does not serve this map: " + reason + "; use A* or HPA*"};
}

}  // namespace

Result<JpsMap> JpsMap::create(const Map& map) noexcept try {
    if (Status s = check_supported(map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(map, std::make_shared<const ObstacleBits>(make_obstacle_bits(map)));
} catch (...) {
    return out_of_memory();
}

Result<JpsMap> JpsMap::edited(std::span<const TerrainEdit> edits) const noexcept try {
    const Result<Map> map = map_.edited(edits);
    if (!map) return tl::unexpected(map.error());
    if (Status s = check_supported(*map); !s.ok()) return tl::unexpected(std::move(s));
    return JpsMap(*map, std::make_shared<const ObstacleBits>(grid::edited(*bits_, *map, edits)));
} catch (...) {
    return out_of_memory();
}

std::size_t JpsMap::bytes() const noexcept { return bits_->bytes(); }

namespace {

// The names of jump points in a trace.
struct JumpNames {
    const JumpNodes* nodes = nullptr;
    const Map* map = nullptr;
    TraceNode operator()(std::uint32_t node) const {
        const Point p = (*nodes)[node].point();
        return {map->cell(p), trace_point(p)};
    }
};

// The search of a Jps, or one that records.
template <class Observer>
struct JumpRun : SearchRun<BasicJumpSearch<Observer>> {
    void begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options,
               const SearchLimits& limits) {
        const StatusCode code = check_endpoints(map.map(), start, goal);
        if (code != StatusCode::ok) return this->refuse(code);
        this->search.begin(map.map(), map.bits().rows, map.bits().columns, start, goal,
                           limits.max_cost);
        this->start(limits, options.cost_only);
    }
    bool advance(std::uint64_t max_expansions) {
        constexpr std::uint64_t kSlice = 64;  // expansions between two checks of the cancel flag
        return SearchRun<BasicJumpSearch<Observer>>::advance(max_expansions, kSlice);
    }
};

}  // namespace

struct Jps::State : JumpRun<NoObserver> {};

Jps::Jps() : state_(std::make_unique<State>()) {}
Jps::~Jps() = default;
Jps::Jps(Jps&&) noexcept = default;
Jps& Jps::operator=(Jps&&) noexcept = default;

std::size_t Jps::memory() const noexcept { return memory_of(state_); }

void Jps::begin(const JpsMap& map, Point start, Point goal, const JpsOptions& options,
                const SearchLimits& limits) {
    state_->begin(map, start, goal, options, limits);
}

Progress Jps::advance(std::uint64_t max_expansions) {
    return state_->advance(max_expansions) ? Progress::running : Progress::finished;
}

StatusCode Jps::take(Path& out) { return state_->take(out); }

StatusCode Jps::find_path(const JpsMap& map, Point start, Point goal, Path& out,
                          const JpsOptions& options, const SearchLimits& limits) {
    begin(map, start, goal, options, limits);
    advance(std::numeric_limits<std::uint64_t>::max());
    return take(out);
}

[[gnu::cold]] StatusCode Jps::trace_path(const JpsMap& map, Point start, Point goal, Path& out,
                                         SearchTrace& trace, const JpsOptions& options,
                                         const SearchLimits& limits) {
    TraceRecorder recorder(trace);
    if (check_endpoints(map.map(), start, goal) == StatusCode::ok)
        record_ends(map.map(), start, goal, recorder);
    JumpRun<TraceObserver<JumpNames>> run;
    run.search.observer = {recorder, 0, {&run.search.nodes(), &map.map()}};
    run.begin(map, start, goal, options, limits);
    run.advance(std::numeric_limits<std::uint64_t>::max());
    run.take(out);
    finish(map.map(), out, goal, recorder);
    return out.status;
}

const SearchStatistics& Jps::statistics() const noexcept { return state_->search.statistics(); }

}  // namespace cairn::grid
