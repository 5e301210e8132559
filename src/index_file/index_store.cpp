#include "cairn/index_store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "cairn/file.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/parts.hpp"
#include "cairn/subgoal/index.hpp"
#include "core/guarded.hpp"
#include "index_file/edit_log.hpp"
#include "index_file/frame.hpp"

namespace cairn {
namespace {

using index_file::EditLog;

std::string log_path(const std::string& path) { return path + ".edits"; }

/// The log of the index file `base`; an empty one if there is none.
Result<EditLog> read_log(const std::string& path, std::uint64_t base) {
    const std::string name = log_path(path);
    const auto bytes = read_file(name, std::numeric_limits<std::size_t>::max());
    if (bytes) return EditLog::parse(*bytes, name);
    std::error_code error;
    if (std::filesystem::exists(name, error) || error) return tl::unexpected(bytes.error());
    return EditLog(base);
}

/// The two files of a store, as they are at one time.
struct StoreFiles {
    index_file::FileBytes index;
    std::uint64_t id = 0;          ///< file_id of the index file
    std::uint64_t generation = 0;  ///< that it was saved with
    EditLog log;
};

Result<std::uint64_t> id_of_file(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tl::unexpected(file.error());
    const auto frame = index_file::Frame::open(file->bytes(), nullptr, path);
    if (!frame) return tl::unexpected(frame.error());
    return index_file::file_id(file->bytes());
}

Result<StoreFiles> read_files(const std::string& path) {
    // Each attempt but the last was overtaken by a `compact` of another process.
    constexpr int kAttempts = 100;
    for (int attempt = 0;; ++attempt) {
        const auto file = index_file::read_index_file(path, {});
        if (!file) return tl::unexpected(file.error());
        const auto info = inspect_bytes(file->bytes, path);
        if (!info) return tl::unexpected(info.error());
        const std::uint64_t id = index_file::file_id(file->bytes);
        auto log = read_log(path, id);
        // A `compact` replaces the index file before it removes the log.
        const auto now = id_of_file(path);
        if (!now) return tl::unexpected(now.error());
        if (*now != id && attempt < kAttempts) continue;
        // A log may vanish and come back between two looks at it.
        constexpr int kLooks = 3;
        if (!log && attempt < kLooks) continue;
        if (!log) return tl::unexpected(std::move(log.error()));
        // The edits of a log that is not removed yet are in the file.
        const index_file::Origin origin = index_file::origin_of(*info);
        if (origin.replaced != 0 && log->base() == origin.replaced) *log = EditLog(id);
        if (log->base() != id) {
            return fail(StatusCode::wrong_map,
                        fmt::format("{}: the edits are not of the index file beside it: remove "
                                    "one of the two",
                                    log_path(path)));
        }
        return StoreFiles{*file, id, origin.generation, std::move(*log)};
    }
}

}  // namespace

template <class Index>
struct IndexStore<Index>::State {
    std::string path;
    StoreOptions options;
    std::optional<FileLock> lock;  ///< of a writer
    std::uint64_t file_id = 0;
    std::uint64_t file_generation = 0;  ///< that the index file was saved with
    std::optional<Index> index;
    EditLog log;
    std::size_t committed = 0;  ///< batches of the log

    /// Sets all but the lock. After an error the state must not be used.
    Status load(StoreFiles files);
    /// Makes the batches of the log from number `first` on.
    Status make(std::size_t first);
};

template <class Index>
Status IndexStore<Index>::State::load(StoreFiles files) {
    auto loaded = from_bytes<Index>(files.index.bytes, files.index.owner, path, options.checks);
    if (!loaded) return std::move(loaded.error());
    file_id = files.id;
    file_generation = files.generation;
    index = std::move(*loaded);
    log = std::move(files.log);
    committed = log.batches();
    return make(0);
}

template <class Index>
Status IndexStore<Index>::State::make(std::size_t first) {
    for (std::size_t i = first; i < log.batches(); ++i) {
        auto edited = index->edited(log.batch(i));
        if (!edited) {
            Status status = std::move(edited.error());
            if (status.code == StatusCode::out_of_memory) return status;
            return {StatusCode::corrupt_file,
                    fmt::format("{}: batch {}: {}", log_path(path), i, status.message)};
        }
        index = std::move(*edited);
    }
    return {};
}

template <class Index>
IndexStore<Index>::IndexStore(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
template <class Index>
IndexStore<Index>::IndexStore(IndexStore&& other) noexcept = default;
template <class Index>
IndexStore<Index>& IndexStore<Index>::operator=(IndexStore&& other) noexcept = default;
template <class Index>
IndexStore<Index>::~IndexStore() = default;

template <class Index>
Result<IndexStore<Index>> IndexStore<Index>::open(const std::string& path,
                                                  const StoreOptions& options) noexcept try {
    auto state = std::make_unique<State>();
    state->path = path;
    state->options = options;
    if (options.access == StoreAccess::write) {
        // Without an index file no lock file is made.
        if (const auto id = id_of_file(path); !id) return tl::unexpected(id.error());
        auto lock = FileLock::acquire(path + ".lock");
        if (!lock) return tl::unexpected(std::move(lock.error()));
        state->lock = std::move(*lock);
    }
    auto files = read_files(path);
    if (!files) return tl::unexpected(std::move(files.error()));
    if (Status s = state->load(std::move(*files)); !s.ok()) return tl::unexpected(std::move(s));
    return IndexStore(std::move(state));
} catch (...) {
    return out_of_memory();
}

template <class Index>
const Index& IndexStore<Index>::index() const noexcept {
    return *state_->index;
}

template <class Index>
std::uint64_t IndexStore<Index>::generation() const noexcept {
    return state_->file_generation + state_->committed;
}

template <class Index>
std::size_t IndexStore<Index>::logged() const noexcept {
    return state_->log.batches();
}

template <class Index>
Status IndexStore<Index>::edit(std::span<const grid::TerrainEdit> edits) noexcept try {
    State& s = *state_;
    if (!s.lock) return {StatusCode::unsupported, s.path + ": the store is open for reading"};
    auto edited = s.index->edited(edits);
    if (!edited) return std::move(edited.error());
    s.log.append(edits);
    s.index = std::move(*edited);
    return {};
} catch (...) {
    return out_of_memory();
}

template <class Index>
Status IndexStore<Index>::commit() noexcept try {
    State& s = *state_;
    if (!s.lock) return {StatusCode::unsupported, s.path + ": the store is open for reading"};
    if (s.committed == s.log.batches()) return {};
    if (Status status = write_file_atomically(log_path(s.path), s.log.bytes()); !status.ok())
        return status;
    s.committed = s.log.batches();
    return {};
} catch (...) {
    return out_of_memory();
}

template <class Index>
Status IndexStore<Index>::compact() noexcept try {
    State& s = *state_;
    if (Status status = commit(); !status.ok()) return status;
    if (s.committed == 0) return {};
    std::uint64_t id = 0;
    if (Status status = index_file::save_replacing(*s.index, s.path, {s.file_id, generation()}, id);
        !status.ok())
        return status;
    s.file_generation = generation();
    s.file_id = id;
    s.log = EditLog(id);
    s.committed = 0;
    // If it stays, those who open the store see that its edits are in the file.
    std::error_code ignored;
    std::filesystem::remove(log_path(s.path), ignored);
    return {};
} catch (...) {
    return out_of_memory();
}

template <class Index>
Result<bool> IndexStore<Index>::refresh() noexcept try {
    State& s = *state_;
    if (s.lock) return fail(StatusCode::unsupported, s.path + ": the store is open for writing");
    auto files = read_files(s.path);
    if (!files) return tl::unexpected(std::move(files.error()));
    State next;
    next.path = s.path;
    next.options = s.options;
    if (files->id != s.file_id) {
        if (Status status = next.load(std::move(*files)); !status.ok())
            return tl::unexpected(std::move(status));
        s = std::move(next);
        return true;
    }
    if (!files->log.continues(s.log)) {
        return fail(StatusCode::corrupt_file,
                    fmt::format("{}: edits that were made before are missing", log_path(s.path)));
    }
    if (files->log.batches() == s.log.batches()) return false;
    next.index = s.index;
    next.log = std::move(files->log);
    if (Status status = next.make(s.log.batches()); !status.ok())
        return tl::unexpected(std::move(status));
    s.index = std::move(next.index);
    s.log = std::move(next.log);
    s.committed = s.log.batches();
    return true;
} catch (...) {
    return out_of_memory();
}

#if CAIRN_HAS_HPA
template class IndexStore<hpa::Index>;
#endif
#if CAIRN_HAS_SUBGOAL
template class IndexStore<subgoal::Index>;
#endif
#if CAIRN_HAS_HAA
template class IndexStore<haa::Index>;
#endif

}  // namespace cairn
