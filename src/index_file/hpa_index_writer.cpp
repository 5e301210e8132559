#include <fmt/format.h>

#include <vector>

#include "cairn/index_file/hpa_index_file.hpp"
#include "hpa/snapshot.hpp"
#include "hpa_index_generated.h"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

schema::HpaOptions options_of(const hpa::Options& o) {
    return {o.cluster_size,
            o.levels,
            o.branching,
            o.wide_entrance,
            o.label_bytes,
            static_cast<std::uint8_t>(o.transitions),
            static_cast<std::uint8_t>(o.diagonals),
            o.move_tables ? std::uint8_t{1} : std::uint8_t{0}};
}

std::size_t bytes_of(const hpa::Snapshot& s) {
    std::size_t bytes = s.options.move_tables ? page_bytes(s.tables) : 0;
    for (const RecordStore& level : s.overlay.levels) bytes += page_bytes(level);
    return bytes + (s.labels ? label_array_bytes(s.labels->labels.arrays()) : 0);
}

}  // namespace

Result<std::string> index_bytes(const hpa::Index& index) {
    const hpa::Snapshot& s = index.snapshot();
    const std::size_t size = bytes_of(s);
    if (size > kMaxIndexBytes) {
        return fail(StatusCode::too_large,
                    fmt::format("the index takes {} bytes, but a file holds {}: build it without "
                                "labels or move tables, or with larger clusters",
                                size, kMaxIndexBytes));
    }
    FlatBufferBuilder builder(size + 4096);
    std::vector<Offset<schema::Records>> levels;
    for (const RecordStore& level : s.overlay.levels) levels.push_back(add_records(builder, level));
    const auto level_vector = builder.CreateVector(levels);
    Offset<schema::Records> tables;
    if (s.options.move_tables) tables = add_records(builder, s.tables);
    Offset<schema::Labels> labels;
    if (s.labels) labels = add_labels(builder, s.labels->labels.arrays());
    const schema::HpaOptions options = options_of(s.options);
    const grid::Map& map = s.overlay.base.map;
    builder.Finish(
        schema::CreateHpaIndex(builder, kHpaIndexVersion, map.width(), map.height(),
                               map.fingerprint(), &options, level_vector, tables, labels),
        schema::HpaIndexIdentifier());
    return sealed_bytes(builder);
}

Status save_index(const std::filesystem::path& path, const hpa::Index& index) {
    return write_index(path, index_bytes(index));
}

}  // namespace cairn::index_file
