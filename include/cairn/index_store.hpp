#pragma once
// An index in a file that is edited over time, for large maps: the index file, which is not written
// again at each edit, and beside it the log of the edits made since (PATH.edits).
//
//     auto store = IndexStore<hpa::Index>::open("city.cairn", {.access = StoreAccess::write});
//     store->edit({&edit, 1});   // in memory
//     store->commit();           // on disk: other processes see it at their next refresh
//     store->index();            // for queries; keep a copy while it is in use
//
// A commit replaces the log by a longer one, and `compact` the index file by one that has all edits
// in it. Either file is always whole: after a crash at any point, the store is as the last commit
// left it. Processes that have the old files open keep them. There is one writer at a time.
//
// Opening a store makes the edits of its log again, batch by batch. An index depends on the edits
// alone, so every process has the same index: the same graph, costs and paths.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cairn/grid/map.hpp"
#include "cairn/index_file.hpp"
#include "cairn/status.hpp"

namespace cairn {

enum class StoreAccess : std::uint8_t {
    read,   ///< any number of processes
    write,  ///< one process, which keeps PATH.lock locked
};

struct StoreOptions {
    StoreAccess access = StoreAccess::read;
    /// For the index file. The log is small, and always checked.
    FileChecks checks = FileChecks::contents;
};

/// A store of an hpa::Index, subgoal::Index or haa::Index. Move-only; not thread-safe, but copies
/// of index() may be used by any number of threads.
template <class Index>
class IndexStore {
public:
    /// Opens the index file at `path`, which must hold its map (SaveOptions::with_map), and makes
    /// the edits of its log. Errors: those of `load` and Index::edited; io_error (write: another
    /// process has the store open for writing); corrupt_file (of the log); wrong_map (the log is of
    /// another index file). Time: that of `load`, and of the edits in the log.
    [[nodiscard]] static Result<IndexStore> open(const std::string& path,
                                                 const StoreOptions& options = {}) noexcept;

    IndexStore(IndexStore&& other) noexcept;
    IndexStore& operator=(IndexStore&& other) noexcept;
    IndexStore(const IndexStore&) = delete;
    IndexStore& operator=(const IndexStore&) = delete;
    ~IndexStore();

    /// The index with all edits, committed or not. O(1).
    [[nodiscard]] const Index& index() const noexcept;
    /// How many batches of edits were committed since the first index file of the store was saved.
    /// O(1).
    [[nodiscard]] std::uint64_t generation() const noexcept;
    /// The batches in the log: those that opening the store makes again, and those of this object
    /// that are not committed yet. O(1).
    [[nodiscard]] std::size_t logged() const noexcept;

    /// Makes a batch of edits, as Index::edited does. Errors: those of Index::edited; unsupported
    /// (opened for reading). After an error the store is as before.
    [[nodiscard]] Status edit(std::span<const grid::TerrainEdit> edits) noexcept;
    /// Writes the batches made since the last commit to the log. Errors: io_error, after which the
    /// log is as before and `commit` can be tried again; unsupported (opened for reading);
    /// out_of_memory. O(log).
    [[nodiscard]] Status commit() noexcept;
    /// Writes the index with all its edits to the index file, and removes the log. Edits that were
    /// not committed are, too. Errors: as commit, and those of `save`. Time: that of `save`.
    [[nodiscard]] Status compact() noexcept;
    /// Follows other processes: makes the batches that were committed since this store was opened
    /// or last refreshed; after a `compact` the index file is loaded again. Returns whether there
    /// was anything new. Only of a store that is open for reading; errors: unsupported, those of
    /// `open`. After an error the store is as before.
    [[nodiscard]] Result<bool> refresh() noexcept;

private:
    struct State;
    explicit IndexStore(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace cairn
