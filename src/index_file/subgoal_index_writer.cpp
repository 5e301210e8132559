#include <fmt/format.h>

#include "cairn/file.hpp"
#include "cairn/index_file/subgoal_index_file.hpp"
#include "index_file/index_parts.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal_index_generated.h"

namespace cairn::index_file {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

schema::SubgoalOptions options_of(const subgoal::Options& o) {
    const auto flag = [](bool set) { return set ? std::uint8_t{1} : std::uint8_t{0}; };
    return {o.label_bytes,
            o.levels,
            static_cast<std::uint8_t>(o.edges),
            flag(o.prune),
            static_cast<std::uint8_t>(o.extra_edges),
            static_cast<std::uint8_t>(o.order),
            flag(o.labels)};
}

std::size_t bytes_of(const subgoal::Snapshot& s) {
    const std::size_t graph = page_bytes(s.graph.records());
    if (!s.engines) return graph;
    return graph + level_array_bytes(s.engines->levels.arrays()) +
           label_array_bytes(s.engines->labels.arrays());
}

Offset<schema::LevelGraph> add_levels(FlatBufferBuilder& builder, const NLevelArrays& arrays) {
    const auto vertices = add_structs<schema::LevelVertex>(builder, arrays.vertices);
    const auto levels = add_array(builder, arrays.levels);
    const auto arcs = add_structs<schema::LevelArc>(builder, arrays.arcs);
    return schema::CreateLevelGraph(builder, vertices, levels, arcs, arrays.extra_edges);
}

Offset<schema::SubgoalEngines> add_engines(FlatBufferBuilder& builder,
                                           const subgoal::Engines& engines) {
    const auto levels = add_levels(builder, engines.levels.arrays());
    Offset<schema::Labels> labels;
    Offset<flatbuffers::String> missing;
    if (engines.has_labels()) {
        labels = add_labels(builder, engines.labels.arrays());
    } else {
        missing = builder.CreateString(engines.labels_status.message);
    }
    return schema::CreateSubgoalEngines(builder, engines.taut_edges, levels, labels, missing);
}

}  // namespace

Result<std::string> index_bytes(const subgoal::Index& index) {
    const subgoal::Snapshot& s = index.snapshot();
    const std::size_t size = bytes_of(s);
    if (size > kMaxIndexBytes) {
        return fail(StatusCode::too_large,
                    fmt::format("the index takes {} bytes, but a file holds {}: build it without "
                                "labels or with fewer levels",
                                size, kMaxIndexBytes));
    }
    FlatBufferBuilder builder(size + 4096);
    const auto graph = add_records(builder, s.graph.records());
    Offset<schema::SubgoalEngines> engines;
    if (s.engines) engines = add_engines(builder, *s.engines);
    const schema::SubgoalOptions options = options_of(s.options);
    builder.Finish(
        schema::CreateSubgoalIndex(builder, kSubgoalIndexVersion, s.map.width(), s.map.height(),
                                   s.map.fingerprint(), &options, graph, engines),
        schema::SubgoalIndexIdentifier());
    return sealed_bytes(builder);
}

Status save_index(const std::filesystem::path& path, const subgoal::Index& index) {
    return write_index(path, index_bytes(index));
}

}  // namespace cairn::index_file
