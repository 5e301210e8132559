#include <fmt/format.h>

#include <vector>

#include "cairn/index_file/hna_index_file.hpp"
#include "hna/snapshot.hpp"
#include "hna_index_generated.h"
#include "index_file/hna_index_mesh.hpp"
#include "index_file/index_parts.hpp"

namespace cairn::index_file {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

std::uint8_t flag(bool set) { return set ? 1 : 0; }

schema::HnaOptions options_of(const hna::Options& o) {
    return {o.label_bytes,
            o.levels,
            o.mu,
            static_cast<std::uint8_t>(o.partitioner),
            static_cast<std::uint8_t>(o.pccp),
            flag(o.labels)};
}

std::size_t page_bytes(const hna::LevelRows& rows) {
    return index_file::page_bytes(rows.towards) + index_file::page_bytes(rows.away);
}

std::size_t bytes_of(const hna::Snapshot& s) {
    std::size_t bytes =
        page_bytes(s.rows) + page_bytes(s.top_rows) + index_file::page_bytes(s.centre_rows);
    for (int level = 1; level <= s.top(); ++level) {
        const std::size_t below =
            level == 1 ? s.mesh().num_polygons() : std::size_t{s.partition().clusters(level - 1)};
        bytes += below * sizeof(std::uint32_t) +
                 index_file::page_bytes(s.overlay.levels[static_cast<std::size_t>(level - 1)]);
    }
    return bytes + (s.labels ? label_array_bytes(s.labels->labels.arrays()) : 0);
}

Offset<schema::HnaLevel> add_level(FlatBufferBuilder& builder, const hna::Snapshot& s, int level) {
    const auto clusters =
        add_records(builder, s.overlay.levels[static_cast<std::size_t>(level - 1)]);
    const hna::Partition& partition = s.partition();
    const std::uint32_t below =
        level == 1 ? s.mesh().num_polygons() : partition.clusters(level - 1);
    std::uint32_t* parents = nullptr;
    const auto vector = builder.CreateUninitializedVector(below, &parents);
    for (std::uint32_t child = 0; child < below; ++child) {
        parents[child] =
            level == 1 ? partition.cluster(1, child) : partition.parent(level - 1, child);
    }
    return schema::CreateHnaLevel(builder, vector, clusters,
                                  s.mesh().topology->changed ? partition.clusters(level) : 0);
}

Offset<schema::HnaRows> add_rows(FlatBufferBuilder& builder, const hna::LevelRows& rows,
                                 bool directed) {
    const auto towards = add_records(builder, rows.towards);
    Offset<schema::Records> away;
    if (directed) away = add_records(builder, rows.away);
    return schema::CreateHnaRows(builder, towards, away);
}

}  // namespace

Result<std::string> index_bytes(const hna::Index& index) {
    const hna::Snapshot& s = index.snapshot();
    const mesh::MeshImage image = image_of(index.mesh());
    const std::size_t numbers =
        s.mesh().topology->changed
            ? 8 * (std::size_t{s.mesh().num_polygons()} + std::size_t{s.mesh().num_links()})
            : 0;
    const std::size_t size = bytes_of(s) + image_bytes(image) + numbers;
    if (size > kMaxIndexBytes) {
        return fail(StatusCode::too_large,
                    fmt::format("the index takes {} bytes, but a file holds {}: build it without "
                                "labels or Pccp, or with a smaller mu",
                                size, kMaxIndexBytes));
    }
    FlatBufferBuilder builder(size + 4096);
    const bool directed = s.overlay.base.directed();
    std::vector<Offset<schema::HnaLevel>> levels;
    levels.reserve(static_cast<std::size_t>(s.top()));
    for (int level = 1; level <= s.top(); ++level) levels.push_back(add_level(builder, s, level));
    const auto level_vector = builder.CreateVector(levels);
    const auto rows = add_rows(builder, s.rows, directed);
    Offset<schema::HnaRows> top_rows;
    if (wants_top_rows(s)) top_rows = add_rows(builder, s.top_rows, directed);
    Offset<schema::Records> centre_rows;
    if (from_centres(s.options)) centre_rows = add_records(builder, s.centre_rows);
    Offset<schema::Labels> labels;
    if (s.labels) labels = add_labels(builder, s.labels->labels.arrays());
    const auto mesh = add_mesh(builder, index.mesh(), image);
    const schema::HnaOptions options = options_of(s.options);
    builder.Finish(schema::CreateHnaIndex(builder, kHnaIndexVersion, mesh, &options, level_vector,
                                          rows, top_rows, centre_rows, labels),
                   schema::HnaIndexIdentifier());
    return sealed_bytes(builder);
}

Status save_index(const std::filesystem::path& path, const hna::Index& index) {
    return write_index(path, index_bytes(index));
}

}  // namespace cairn::index_file
