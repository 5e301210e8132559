#include <fmt/format.h>

#include <vector>

#include "cairn/index_file/haa_index_file.hpp"
#include "haa/snapshot.hpp"
#include "haa_index_generated.h"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

std::uint8_t flag(bool set) { return set ? 1 : 0; }

schema::HaaOptions options_of(const haa::Options& o) {
    return {o.label_bytes,
            o.view_bytes,
            o.cluster_size,
            o.levels,
            o.branching,
            o.wide_entrance,
            o.shift,
            o.reach,
            static_cast<std::uint8_t>(o.abstraction),
            static_cast<std::uint8_t>(o.transitions),
            flag(o.move_tables),
            flag(o.labels)};
}

schema::HaaMapOptions options_of(const haa::AnnotationOptions& o) {
    return {o.max_size,
            o.costs.straight,
            o.costs.diagonal,
            static_cast<std::uint8_t>(o.anchor),
            static_cast<std::uint8_t>(o.rules.neighbourhood),
            static_cast<std::uint8_t>(o.rules.corner)};
}

Offset<schema::HaaMap> add_map(FlatBufferBuilder& builder, const haa::AnnotatedMap& map) {
    std::uint8_t* bytes = nullptr;
    const auto terrain = builder.CreateUninitializedVector(map.size(), &bytes);
    for (grid::Cell cell = 0; cell < map.size(); ++cell) *bytes++ = map.terrain(cell);
    const haa::AnnotationOptions& annotation = map.options();
    const auto key = add_array(builder, std::span<const std::uint8_t>(annotation.key.terrain));
    std::vector<std::uint16_t> sets;
    std::vector<std::uint8_t> weights;
    for (const haa::Capability& c : annotation.capabilities) {
        sets.push_back(c.terrains);
        weights.insert(weights.end(), c.weight.begin(), c.weight.end());
    }
    const auto set_vector = builder.CreateVector(sets);
    const auto weight_vector = builder.CreateVector(weights);
    const schema::HaaMapOptions options = options_of(annotation);
    return schema::CreateHaaMap(builder, map.width(), map.height(), map.fingerprint(), &options,
                                key, set_vector, weight_vector, terrain);
}

}  // namespace

Result<std::string> index_bytes(const haa::Index& index) {
    const haa::Snapshot& s = index.snapshot();
    const std::size_t size = s.map.size() + page_bytes(s.clusters);
    if (size > kMaxIndexBytes) {
        return fail(StatusCode::too_large,
                    fmt::format("the index takes {} bytes, but a file holds {}: build it with "
                                "larger clusters, for fewer agents, or as low_quality",
                                size, kMaxIndexBytes));
    }
    FlatBufferBuilder builder(size + 4096);
    const auto clusters = add_records(builder, s.clusters);
    const auto map = add_map(builder, s.map);
    const schema::HaaOptions options = options_of(s.options);
    builder.Finish(schema::CreateHaaIndex(builder, kHaaIndexVersion, map, &options, clusters),
                   schema::HaaIndexIdentifier());
    return sealed_bytes(builder);
}

Status save_index(const std::filesystem::path& path, const haa::Index& index) {
    return write_index(path, index_bytes(index));
}

}  // namespace cairn::index_file
