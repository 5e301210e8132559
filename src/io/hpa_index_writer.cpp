#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/io/file.hpp"
#include "cairn/io/hpa_index_file.hpp"
#include "hpa/snapshot.hpp"
#include "hpa_index_generated.h"
#include "io/hpa_index_seal.hpp"

namespace cairn::io {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

// Both sides list the same members in the same order.
template <class A, class B>
constexpr bool kAlike = sizeof(A) == sizeof(B) && alignof(A) == alignof(B);
static_assert(kAlike<schema::LabelNode, CutLabelNode>);
static_assert(kAlike<schema::LabelPlace, CutLabelPlace>);
static_assert(kAlike<schema::LabelGroup, CutLabelGroup>);

schema::Options options_of(const hpa::Options& o) {
    return {o.cluster_size,
            o.levels,
            o.branching,
            o.wide_entrance,
            o.label_bytes,
            static_cast<std::uint8_t>(o.transitions),
            static_cast<std::uint8_t>(o.diagonals),
            o.move_tables ? std::uint8_t{1} : std::uint8_t{0}};
}

std::size_t words_of(const RecordStore& store) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < store.page_count(); ++i) words += store.page(i).size();
    return words;
}

std::size_t bytes_of(const hpa::Snapshot& s) {
    std::size_t words = s.options.move_tables ? words_of(s.tables) : 0;
    for (const RecordStore& level : s.overlay.levels) words += words_of(level);
    return words * sizeof(std::uint32_t) +
           (s.labels ? label_array_bytes(s.labels->labels.arrays()) : 0);
}

Offset<schema::Records> add_records(FlatBufferBuilder& builder, const RecordStore& store) {
    std::uint32_t* words = nullptr;
    const auto vector = builder.CreateUninitializedVector(words_of(store), &words);
    for (std::size_t i = 0; i < store.page_count(); ++i) {
        const RecordStore::Record page = store.page(i);
        words = std::copy(page.begin(), page.end(), words);
    }
    return schema::CreateRecords(builder, vector);
}

template <class T>
Offset<flatbuffers::Vector<T>> add_array(FlatBufferBuilder& builder, std::span<const T> values) {
    return builder.CreateVector(values.data(), values.size());
}

template <class Struct, class T>
Offset<flatbuffers::Vector<const Struct*>> add_structs(FlatBufferBuilder& builder,
                                                       std::span<const T> values) {
    return builder.CreateVectorOfStructs(reinterpret_cast<const Struct*>(values.data()),
                                         values.size());
}

Offset<schema::Labels> add_labels(FlatBufferBuilder& builder, const CutLabelArrays& arrays) {
    const auto nodes = add_structs<schema::LabelNode>(builder, arrays.nodes);
    const auto entries = add_array(builder, arrays.entries);
    const auto group_common = add_array(builder, arrays.group_common);
    const auto block_common = add_array(builder, arrays.block_common);
    const auto hops = add_array(builder, arrays.hops);
    const auto wide_hops = add_array(builder, arrays.wide_hops);
    const auto places = add_structs<schema::LabelPlace>(builder, arrays.places);
    const auto head = add_array(builder, arrays.head);
    const auto groups = add_structs<schema::LabelGroup>(builder, arrays.groups);
    return schema::CreateLabels(builder, nodes, entries, group_common, block_common, hops,
                                wide_hops, places, head, groups);
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
    const schema::Options options = options_of(s.options);
    const grid::Map& map = s.overlay.map;
    builder.Finish(schema::CreateIndex(builder, kHpaIndexVersion, map.width(), map.height(),
                                       map.fingerprint(), &options, level_vector, tables, labels),
                   schema::IndexIdentifier());

    std::string bytes;
    bytes.reserve(builder.GetSize() + kChecksumBytes);
    bytes.assign(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
    seal(bytes);
    return bytes;
}

Status save_index(const std::filesystem::path& path, const hpa::Index& index) {
    const auto bytes = index_bytes(index);
    if (!bytes) {
        return {bytes.error().code, fmt::format("{}: {}", path.string(), bytes.error().message)};
    }
    return write_file_atomically(path, *bytes);
}

}  // namespace cairn::io
