#pragma once
// The public functions of cairn/index_file.hpp, as templates over Body<Index>: the planner's share
// of an index file. Each planner's *_body.cpp specialises Body and instantiates what it supports.

#include <memory>

#include "cairn/file.hpp"
#include "cairn/index_file.hpp"
#include "core/guarded.hpp"
#include "index_file/frame.hpp"

namespace cairn::index_file {

template <class Index>
using MapOf = typename IndexFileMap<Index>::type;

/// How the sections of a planner's index are written and read. A specialisation has
///
///     static constexpr BodyFormat kFormat;
///     static void write(const Index& index, FrameWriter& out);
///     static std::shared_ptr<const Snapshot> read(Frame& file, const MapOf<Index>* map);
///
/// `read` returns null if it refuses the file; the frame's status then says why. `map` is null only
/// if the file holds the map and the caller gave none.
template <class Index>
struct Body;

template <class Index>
Result<Index> read_index(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                         std::string_view name, const MapOf<Index>* map, FileChecks checks) noexcept
    try {
    auto file = Frame::open(bytes, owner, name, checks);
    if (!file) return tl::unexpected(std::move(file.error()));
    if (!file->expect(Body<Index>::kFormat)) return tl::unexpected(file->status());
    if (map == nullptr && !file->info().holds_map) {
        file->refuse(StatusCode::unsupported, "the file holds no map, so the map must be given");
        return tl::unexpected(file->status());
    }
    auto snapshot = Body<Index>::read(*file, map);
    if (snapshot == nullptr || !file->all_used()) return tl::unexpected(file->status());
    return Index(std::move(snapshot));
} catch (...) {
    return out_of_memory();
}

template <class Index>
Result<Index> load_index(const std::string& path, const MapOf<Index>* map,
                         const LoadOptions& options) noexcept try {
    const auto file = read_index_file(path, options);
    if (!file) return tl::unexpected(file.error());
    return read_index<Index>(file->bytes, file->owner, path, map, options.checks);
} catch (...) {
    return out_of_memory();
}

template <class Index>
Status save_replacing(const Index& index, const std::string& path, const Origin& origin,
                      std::uint64_t& id) {
    FrameWriter out(Body<Index>::kFormat, {.with_map = true});
    Body<Index>::write(index, out);
    out.origin(origin);
    const auto pieces = out.pieces();
    id = file_id(std::as_bytes(std::span(pieces.front())));
    return write_file_atomically(path, pieces);
}

}  // namespace cairn::index_file

namespace cairn {

template <class Index>
Result<std::string> to_bytes(const Index& index, const SaveOptions& options) noexcept try {
    index_file::FrameWriter out(index_file::Body<Index>::kFormat, options);
    index_file::Body<Index>::write(index, out);
    const auto pieces = out.pieces();
    std::size_t size = 0;
    for (const std::string_view piece : pieces) size += piece.size();
    std::string bytes;
    bytes.reserve(size);
    for (const std::string_view piece : pieces) bytes += piece;
    return bytes;
} catch (...) {
    return out_of_memory();
}

template <class Index>
Status save(const Index& index, const std::string& path, const SaveOptions& options) noexcept try {
    index_file::FrameWriter out(index_file::Body<Index>::kFormat, options);
    index_file::Body<Index>::write(index, out);
    return write_file_atomically(path, out.pieces());
} catch (...) {
    return out_of_memory();
}

template <class Index>
Result<Index> load(const std::string& path, const LoadOptions& options) noexcept {
    return index_file::load_index<Index>(path, nullptr, options);
}

template <class Index>
Result<Index> load(const std::string& path, const typename IndexFileMap<Index>::type& map,
                   const LoadOptions& options) noexcept {
    return index_file::load_index<Index>(path, &map, options);
}

template <class Index>
Result<Index> from_bytes(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                         std::string_view name, FileChecks checks) noexcept {
    return index_file::read_index<Index>(bytes, owner, name, nullptr, checks);
}

template <class Index>
Result<Index> from_bytes(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                         std::string_view name, const typename IndexFileMap<Index>::type& map,
                         FileChecks checks) noexcept {
    return index_file::read_index<Index>(bytes, owner, name, &map, checks);
}

template <class Options>
Result<Options> index_options(const IndexFileInfo& info) noexcept try {
    Options options;
    std::string fault = index_file::read_numbers<Options>(info.options, options);
    if (!fault.empty()) return fail(StatusCode::corrupt_file, std::move(fault));
    return options;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
