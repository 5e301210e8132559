#include "index_file/index_parts.hpp"

#include <algorithm>
#include <vector>

#include "cairn/file.hpp"

namespace cairn::index_file {
namespace {

// Splits the words of a store of `count` records into pages. False if they do not have that shape.
bool split_pages(std::span<const std::uint32_t> words, std::size_t count,
                 std::vector<RecordStore::Record>& pages) {
    constexpr std::size_t kRecords = RecordStore::kPageRecords;
    const std::size_t page_count = (count + kRecords - 1) / kRecords;
    for (std::size_t i = 0; i < page_count; ++i) {
        if (words.size() <= kRecords || words[kRecords] > words.size()) return false;
        const RecordStore::Record page = words.first(words[kRecords]);
        if (!RecordStore::valid_page(page)) return false;
        pages.push_back(page);
        words = words.subspan(page.size());
    }
    if (!words.empty()) return false;
    // The last page's surplus records are empty.
    const std::size_t used = count - (page_count - 1) * kRecords;
    return pages.empty() || pages.back()[used] == pages.back().size();
}

}  // namespace

std::size_t page_bytes(const RecordStore& store) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < store.page_count(); ++i) bytes += store.page(i).size_bytes();
    return bytes;
}

std::size_t page_bytes(const schema::Records* records) {
    return records == nullptr ? 0 : span_of<std::uint32_t>(records->words()).size_bytes();
}

flatbuffers::Offset<schema::Records> add_records(flatbuffers::FlatBufferBuilder& builder,
                                                 const RecordStore& store) {
    std::uint32_t* words = nullptr;
    const auto vector =
        builder.CreateUninitializedVector(page_bytes(store) / sizeof(std::uint32_t), &words);
    for (std::size_t i = 0; i < store.page_count(); ++i) {
        const RecordStore::Record page = store.page(i);
        words = std::copy(page.begin(), page.end(), words);
    }
    return schema::CreateRecords(builder, vector);
}

bool read_records(const schema::Records& records, std::size_t count,
                  const std::shared_ptr<const void>& owner, RecordStore& store) {
    std::vector<RecordStore::Record> pages;
    if (!split_pages(span_of<std::uint32_t>(records.words()), count, pages)) return false;
    store = RecordStore(count, pages, owner);
    return true;
}

std::size_t label_array_bytes(const CutLabelArrays& a) {
    return a.nodes.size_bytes() + a.entries.size_bytes() + a.group_common.size_bytes() +
           a.block_common.size_bytes() + a.hops.size_bytes() + a.wide_hops.size_bytes() +
           a.places.size_bytes() + a.head.size_bytes() + a.groups.size_bytes();
}

std::size_t level_array_bytes(const NLevelArrays& a) {
    return a.vertices.size_bytes() + a.levels.size_bytes() + a.arcs.size_bytes();
}

flatbuffers::Offset<schema::Labels> add_labels(flatbuffers::FlatBufferBuilder& builder,
                                               const CutLabelArrays& arrays) {
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

bool labels_aligned(const schema::Labels* labels) {
    return labels == nullptr || (is_aligned<CutLabelNode>(labels->nodes()) &&
                                 is_aligned<CutLabelPlace>(labels->places()));
}

CutLabelArrays arrays_of(const schema::Labels& labels) {
    return {span_of<CutLabelNode>(labels.nodes()),
            span_of<Cost>(labels.entries()),
            span_of<std::uint32_t>(labels.group_common()),
            span_of<std::uint32_t>(labels.block_common()),
            span_of<std::uint8_t>(labels.hops()),
            span_of<std::uint32_t>(labels.wide_hops()),
            span_of<CutLabelPlace>(labels.places()),
            span_of<std::uint32_t>(labels.head()),
            span_of<CutLabelGroup>(labels.groups())};
}

std::string_view label_fault(const CutLabelArrays& arrays, std::size_t nodes) {
    if (arrays.nodes.size() != nodes) return "there are not as many labels as nodes";
    if (nodes > 0 && arrays.hops.empty()) return "there are no hops";
    return {};
}

std::string sealed_bytes(const flatbuffers::FlatBufferBuilder& builder) {
    std::string bytes;
    bytes.reserve(builder.GetSize() + kChecksumBytes);
    bytes.assign(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
    seal(bytes);
    return bytes;
}

Status write_index(const std::filesystem::path& path, const Result<std::string>& bytes) {
    if (bytes) return write_file_atomically(path, *bytes);
    return {bytes.error().code, fmt::format("{}: {}", path.string(), bytes.error().message)};
}

}  // namespace cairn::index_file
