#include "batch/device/grid/hpa_form.hpp"

#include <algorithm>
#include <cstddef>

#include "cairn/grid/line.hpp"
#include "core/guarded.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::batch {

Status HpaArrays::check(const hpa::Index& index) {
    const auto refuse = [](const char* why) { return Status{StatusCode::unsupported, why}; };
    if (!index.has_closure())
        return refuse(
            "the index has neither labels nor their closure (labels_status says why): load the "
            "result of Index::with_labels");
    if (!index.options().move_tables)
        return refuse("devices need move tables: build the index with Options::move_tables");
    const hpa::LabelEngine& engine = *index.snapshot().labels;
    if (engine.labels.num_nodes() != engine.nodes.size() ||
        (index.has_labels() && engine.labels.num_nodes() > 0 && !engine.labels.has_paths())) {
        return refuse("the cut labels do not belong to the index's nodes: build the index again");
    }
    return {};
}

bool HpaArrays::has_labels(const hpa::Index& index) noexcept {
    return index.has_labels() && device_reads(index.snapshot().labels->labels);
}

HpaArrays::HpaArrays(const hpa::Index& index)
    : closure_(value_of(index.snapshot().labels->labels.closure().in_one_piece())) {
    if (has_labels(index)) labels_ = value_of(index.snapshot().labels->labels.in_one_piece());
    const hpa::Snapshot& snapshot = index.snapshot();
    const hpa::Partition& partition = snapshot.overlay.base.partition;
    describe_costs(index.map());
    describe_nodes(snapshot);
    form_.side = partition.side(1);
    form_.columns = partition.columns(1);
    first_word_.reserve(partition.clusters(1) + std::size_t{1});
    for (std::uint32_t cluster = 0; cluster < partition.clusters(1); ++cluster) {
        first_word_.push_back(words_.size());
        const RecordStore::Record tables = snapshot.tables[cluster];
        words_.insert(words_.end(), tables.begin(), tables.end());
    }
    first_word_.push_back(words_.size());
    form_.first_word = first_word_;
    form_.words = words_;
    form_.labels = labels_.arrays();
    form_.closure = closure_form(closure_);
    form_.most_stops = CellForm::stops_of(cells_.size());
}

void HpaArrays::describe_nodes(const hpa::Snapshot& snapshot) {
    const hpa::LevelOneNodes& nodes = snapshot.labels->nodes;
    for (std::uint32_t number = 0; number < nodes.size(); ++number)
        cells_.push_back(nodes.cell(number));
    if (!nodes.from_scratch()) places_.resize(nodes.size());
    const std::uint32_t clusters = snapshot.overlay.base.clusters(1);
    first_place_.reserve(clusters + std::size_t{1});
    std::uint32_t place = 0;
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const std::uint32_t count = snapshot.overlay.cluster(1, cluster).count();
        first_place_.push_back(place);
        form_.most_connectors = std::max(form_.most_connectors, count);
        if (nodes.from_scratch()) {
            place += count;
            continue;
        }
        for (std::uint32_t slot = 0; slot < count; ++slot) {
            nodes_.push_back(nodes.of(cluster)[slot]);
            places_[nodes_.back()] = place++;
        }
    }
    first_place_.push_back(place);
    form_.first_place = first_place_;
    form_.nodes = nodes_;
    form_.places = places_;
    form_.cells = cells_;
}

void HpaArrays::describe_costs(const grid::Map& map) {
    form_.width = map.width();
    form_.height = map.height();
    form_.straight = map.uniform() ? map.min_straight() : map.options().costs.straight;
    form_.diagonal = map.uniform() ? map.min_diagonal() : map.options().costs.diagonal;
    if (map.uniform()) return;
    weights_.reserve(map.size());
    for (grid::Cell cell = 0; cell < map.size(); ++cell)
        weights_.push_back(static_cast<std::uint8_t>(map.weight(cell)));
    form_.weights = weights_;
}

bool HpaArrays::is_for_host(const hpa::Index& index, const grid::Request& request) {
    const grid::Map& map = index.map();
    const hpa::Partition& partition = index.snapshot().overlay.base.partition;
    if (partition.cluster(1, request.start) == partition.cluster(1, request.goal)) return true;
    return map.uniform() &&
           grid::free_line(map, request.start, request.goal).shape != grid::LineShape::none;
}

}  // namespace cairn::batch
