#pragma once
// Checkpoints of a long build: what it has finished is kept, so that a build which was stopped, or
// killed, goes on from there; and several processes may share the work.
//
//     const auto folder = WorkFolder::open("city.work").value();  // cairn/work_folder.hpp
//     BuildControl control;
//     control.checkpoints = folder.get();
//     const auto index = hpa::Index::build(map, {}, control);     // takes what it finds there
//     save(*index, "city.cairn", {.with_map = true});
//     folder->clear();
//
// What is kept:
//
//     hpa::Index::build     groups of 1-clusters
//     Closure::build, and   each separator of a large part of the graph, the order of each small
//     CutLabels::build      part, and the closure rows of each share of the tree
//
// So also the closures and labels of the other planners' indexes are built with checkpoints, but
// nothing else of them. The name of a checkpoint holds a hash of all that it depends on. Therefore
// a build takes no checkpoint of another map, graph or option, and the index is the same, byte by
// byte, whether its checkpoints were made or found.
//
// A team: processes that build the same index at the same time, all with the same arguments. Each
// makes a share of the parts, and takes those of the others from the store, which all of them must
// see. Each then has the whole index. A failure that the store hears of ends all builds; a process
// that ends otherwise, since memory ran out or a part was missing, leaves the others waiting, and
// its program has to end them.

#include <string>
#include <string_view>

#include "cairn/status.hpp"

namespace cairn {

/// Where builds keep checkpoints. WorkFolder keeps them in files. Builds call the functions from
/// one thread after another or from several at once, so they must be thread-safe, but for `meet`.
class CheckpointStore {
public:
    CheckpointStore() = default;
    CheckpointStore(const CheckpointStore&) = delete;
    CheckpointStore& operator=(const CheckpointStore&) = delete;
    virtual ~CheckpointStore() = default;

    /// Sets `bytes` to those kept under a name of letters, digits, '-' and '.', at most 80 of them.
    /// False if there are none, or not those that were kept.
    [[nodiscard]] virtual bool read(std::string_view name, std::string& bytes) noexcept = 0;
    /// Keeps bytes under a name; others of this name are replaced. Errors end the build.
    [[nodiscard]] virtual Status write(std::string_view name, std::string_view bytes) noexcept = 0;

    /// The number of this process in its team, from 0.
    [[nodiscard]] virtual int rank() const noexcept { return 0; }
    /// The processes of the team.
    [[nodiscard]] virtual int team() const noexcept { return 1; }
    /// Waits until all processes of the team have called it, with what became of their work since.
    /// Afterwards each can read what the others have written. Returns the first failure of any of
    /// them, which ends the builds of all.
    [[nodiscard]] virtual Status meet(Status own) noexcept { return own; }
};

}  // namespace cairn
