#pragma once
// A new file that takes the place of an old one when it is complete.

#include <sys/types.h>

#include <optional>
#include <string>

#include "cairn/status.hpp"
#include "core/file_descriptor.hpp"

namespace cairn {

/// A new file beside the one that it will replace: PATH.0.tmp, PATH.1.tmp, ... Its writer holds a
/// lock on it, so that the next writer of PATH can tell it from the file of one that was killed,
/// which it removes. Until `commit` the old file stays as it is. The destructor removes a new file
/// that was not committed.
class FileReplacement {
public:
    /// Creates the new file, empty. A link at `path` is followed. Errors: io_error (also a folder,
    /// a pipe or a device at `path`); out_of_memory.
    [[nodiscard]] static Result<FileReplacement> begin(const std::string& path) noexcept;

    FileReplacement(FileReplacement&& other) noexcept;
    FileReplacement& operator=(FileReplacement&& other) noexcept;
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    ~FileReplacement();

    /// The name of the new file. Other processes of this host may open it and write to it, too;
    /// those of other hosts after `share`.
    [[nodiscard]] const std::string& name() const noexcept { return temporary_; }
    /// The file to be replaced, behind all links.
    [[nodiscard]] const std::string& target() const noexcept { return target_; }
    /// The new file, open for writing.
    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

    /// Gives up the lock until `commit`: on a file system of the network, the locks of others who
    /// write to the file might wait for it. Another writer of PATH may then take the new file for
    /// that of one that was killed; `commit` finds that out. Errors: io_error.
    [[nodiscard]] Status share() noexcept;
    /// Gives the new file the permissions of the old one, flushes it to the disk and renames it.
    /// Call it once, when all is written. Errors: io_error, and the old file is unchanged;
    /// out_of_memory.
    [[nodiscard]] Status commit() noexcept;

private:
    FileReplacement() = default;

    std::string target_;
    std::string temporary_;              // empty: there is no new file, or it was renamed
    std::optional<mode_t> permissions_;  // of the old file
    bool shared_ = false;
    Descriptor file_;
};

}  // namespace cairn
