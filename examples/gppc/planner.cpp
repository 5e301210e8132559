#include "planner.hpp"

#include <chrono>
#include <cstdio>
#include <system_error>

#include "cairn/index_file.hpp"

using namespace cairn;

namespace gppc {
namespace {

void complain(const Status& status) {
    std::fprintf(stderr, "%s: %s\n", kName, status.message.c_str());
}

/// The closest integers to 1 : sqrt 2 with which no path can reach kInfinity, even if all cells are
/// traversable, for maps of up to 126 million cells.
CostModel cost_model(int width, int height) {
    const auto cells = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    for (const CostModel& model : {CostModel::fine(), CostModel::standard(), CostModel{70, 99}}) {
        if (cells * model.diagonal < kInfinity) return model;
    }
    return {12, 17};
}

/// Says so if not all subgoals have labels.
void tell_of_labels(const subgoal::Index& index) {
    if (!index.has_labels()) {
        complain(index.labels_status());
    } else if (const auto statistics = index.statistics();
               statistics && statistics->label_piece > 0) {
        std::fprintf(stderr,
                     "%s: pieces of up to %u subgoals have no labels: see Options::label_bytes\n",
                     kName, statistics->label_piece);
    }
}

}  // namespace

Result<grid::Map> make_map(int width, int height, std::span<const std::uint8_t> terrain) {
    return grid::Map::create(width, height, terrain,
                             {.rules = {},
                              .costs = cost_model(width, height),
                              .weights = grid::TerrainWeights::literal()});
}

void preprocess(const Result<grid::Map>& map, const std::filesystem::path& file) {
    if (!map) return complain(map.error());
    const auto index = subgoal::Index::build(*map);
    if (!index) return complain(index.error());
    tell_of_labels(*index);
    std::error_code ignored;  // `save` reports what is wrong with the folder
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
    if (const Status saved = save(*index, file); !saved.ok()) complain(saved);
}

std::unique_ptr<Planner> Planner::open(const Result<grid::Map>& map,
                                       const std::filesystem::path& file) {
    if (!map) return complain(map.error()), nullptr;
    auto index = load<subgoal::Index>(file, *map);
    if (!index) index = subgoal::Index::build(*map);
    if (!index) return complain(index.error()), nullptr;
    auto jps_map = grid::JpsMap::create(*map);
    if (!jps_map) return complain(jps_map.error()), nullptr;
    return std::unique_ptr<Planner>(new Planner(std::move(*jps_map), *index));
}

// Before the first build nobody knows its time. Two nanoseconds for each byte of the index are more
// than most changes take, and less than building it from nothing takes.
Planner::Planner(grid::JpsMap map, const subgoal::Index& index)
    : map_(std::move(map)),
      index_(index),
      completer_(index),
      patience_us_(static_cast<double>(index.memory()) * 2e-3) {}

void Planner::change(std::span<const grid::TerrainEdit> edits) {
    if (edits.empty()) return;
    auto map = map_.edited(edits);
    if (!map) return complain(map.error());
    map_ = std::move(*map);
    index_.reset();
    searched_us_ = 0;
    if (completing_) {
        completer_.stop();
        completing_ = false;
        patience_us_ *= 2;  // that work was of no use
    }
}

void Planner::take_index() {
    auto completed = completer_.take();
    if (!completed) return;
    index_ = std::move(completed->index);
    patience_us_ = completed->microseconds;
    completing_ = false;
}

std::span<const grid::Cell> Planner::path(grid::Point start, grid::Point goal) {
    if (start == goal) return {};
    if (completing_) take_index();
    if (!index_) {
        const auto begin = std::chrono::steady_clock::now();
        jps_.find(map_, {.start = start, .goal = goal}, jps_answer_);
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - begin;
        searched_us_ += time.count();
        if (!completing_ && searched_us_ >= patience_us_) {
            completer_.start(map_.map());
            completing_ = true;
        }
        return jps_answer_.cells;  // empty unless its status is ok
    }
    if (searcher_.find(*index_, {.start = start, .goal = goal}, answer_) != StatusCode::ok) {
        return {};
    }
    return answer_.cells;
}

std::size_t Planner::memory() const noexcept {
    return map_.map().bytes() + map_.bytes() + (index_ ? index_->memory() : 0) +
           searcher_.memory() + jps_.memory();
}

}  // namespace gppc
