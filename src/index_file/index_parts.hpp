#pragma once
// The parts that index files of several planners have: arrays, records and labels, written to a
// FlatBuffer and found again in one.

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "index_file/index_seal.hpp"
#include "index_parts_generated.h"
#include "overlay/record_store.hpp"

namespace cairn::index_file {

/// Both sides list the same members in the same order.
template <class A, class B>
inline constexpr bool kAlike = sizeof(A) == sizeof(B) && alignof(A) == alignof(B);

/// An array of numbers or structs in place, as `T`; empty if it is missing.
template <class T, class Element>
[[nodiscard]] std::span<const T> span_of(const flatbuffers::Vector<Element>* vector) {
    if (vector == nullptr || vector->size() == 0) return {};
    return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

/// FlatBuffers' verifier knows that vectors lie inside the buffer, not that structs are aligned. An
/// empty one need not be.
template <class T, class Element>
[[nodiscard]] bool is_aligned(const flatbuffers::Vector<Element>* vector) {
    return vector == nullptr || vector->size() == 0 ||
           reinterpret_cast<std::uintptr_t>(vector->Data()) % alignof(T) == 0;
}

template <class T>
[[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<T>> add_array(
    flatbuffers::FlatBufferBuilder& builder, std::span<const T> values) {
    return builder.CreateVector(values.data(), values.size());
}

template <class Struct, class T>
[[nodiscard]] flatbuffers::Offset<flatbuffers::Vector<const Struct*>> add_structs(
    flatbuffers::FlatBufferBuilder& builder, std::span<const T> values) {
    static_assert(kAlike<Struct, T>);
    return builder.CreateVectorOfStructs(reinterpret_cast<const Struct*>(values.data()),
                                         values.size());
}

/// The bytes that the words of a store's pages take.
[[nodiscard]] std::size_t page_bytes(const RecordStore& store);
/// The same in a file; 0 if there are none.
[[nodiscard]] std::size_t page_bytes(const schema::Records* records);
[[nodiscard]] flatbuffers::Offset<schema::Records> add_records(
    flatbuffers::FlatBufferBuilder& builder, const RecordStore& store);
/// A store of `count` records that uses the words in place, kept alive by `owner`. False if they do
/// not have that shape: the records' contents are not looked at.
[[nodiscard]] bool read_records(const schema::Records& records, std::size_t count,
                                const std::shared_ptr<const void>& owner, RecordStore& store);

/// The bytes that labels take in a file.
[[nodiscard]] std::size_t label_array_bytes(const CutLabelArrays& arrays);
/// The same for an N-level graph.
[[nodiscard]] std::size_t level_array_bytes(const NLevelArrays& arrays);
[[nodiscard]] flatbuffers::Offset<schema::Labels> add_labels(
    flatbuffers::FlatBufferBuilder& builder, const CutLabelArrays& arrays);
[[nodiscard]] bool labels_aligned(const schema::Labels* labels);
[[nodiscard]] CutLabelArrays arrays_of(const schema::Labels& labels);

/// What is wrong with labels of `nodes` nodes whose arrays CutLabels::from_arrays has accepted,
/// seen as a whole; empty if nothing.
[[nodiscard]] std::string_view label_fault(const CutLabelArrays& arrays, std::size_t nodes);

/// What is wrong with one node of such labels. Afterwards every edge that a hop can take from it
/// leads to a node for which `adjacent(other)` is true. O(edges of the node).
template <class Adjacent>
[[nodiscard]] std::string_view label_node_fault(const CutLabelArrays& arrays, std::uint32_t node,
                                                Adjacent&& adjacent) {
    const std::uint32_t place = arrays.nodes[node].place;
    if (arrays.places[place].node != node) return "two nodes have one place";
    const std::size_t begin = arrays.places[place].edges;
    const std::size_t end =
        place + 1 < arrays.places.size() ? arrays.places[place + 1].edges : arrays.head.size();
    if (begin > end) return "the adjacency is out of order";
    for (const std::uint32_t head : arrays.head.subspan(begin, end - begin)) {
        if (!adjacent(arrays.places[head].node)) {
            return "an edge joins nodes that are not neighbours";
        }
    }
    return {};
}

/// Opens a file whose root is `Root`: seal, version, and that all parts lie inside the file.
/// `aligned(root)` says whether its structs are. `bytes` must be aligned to 8. The numbers found
/// mean nothing yet.
template <class Root, class Aligned>
[[nodiscard]] Result<const Root*> open_sealed(std::span<const std::byte> bytes,
                                              std::string_view name, const IndexFormat& format,
                                              Aligned&& aligned) {
    if (Status s = check_seal(bytes, name, format); !s.ok()) return tl::unexpected(std::move(s));
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    flatbuffers::Verifier verifier(data, bytes.size() - kChecksumBytes);
    if (!verifier.VerifyBuffer<Root>(format.identifier) ||
        !aligned(*flatbuffers::GetRoot<Root>(data))) {
        return fail(StatusCode::corrupt_file,
                    fmt::format("{}: parts of the file lie outside of it", name));
    }
    return flatbuffers::GetRoot<Root>(data);
}

/// What a builder has finished, with its checksum.
[[nodiscard]] std::string sealed_bytes(const flatbuffers::FlatBufferBuilder& builder);

/// Writes the bytes of an index to a file. An error names the file.
[[nodiscard]] Status write_index(const std::filesystem::path& path,
                                 const Result<std::string>& bytes);

/// Calls read(usable, kept): the bytes, aligned to 8, and what keeps those alive, which is `owner`
/// or a copy.
template <class Read>
auto read_aligned(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                  Read&& read) {
    const auto memory = std::make_shared<std::vector<std::uint64_t>>();
    const std::span<const std::byte> usable = aligned_bytes(bytes, *memory);
    return read(usable, memory->empty() ? owner : std::shared_ptr<const void>(memory));
}

}  // namespace cairn::index_file
