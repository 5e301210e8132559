// Reading, atomic writing and mapping of files.

#include "cairn/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "core/file_replacement.hpp"
#include "support/scratch_folder.hpp"

namespace cairn {
namespace {

using test::bytes_of;
using test::ScratchFolder;
using ::testing::HasSubstr;

std::size_t files_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}

TEST(File, ReadsBytesAsTheyAre) {
    const ScratchFolder folder;
    const std::string bytes("a\0\r\n\xff", 5);
    EXPECT_EQ(read_file(folder.file("a", bytes), 5).value(), bytes);
    EXPECT_EQ(read_file(folder.file("empty", ""), 0).value(), "");
}

TEST(File, ReadErrorsNameTheFile) {
    const ScratchFolder folder;
    const auto missing = read_file(folder.path() / "missing", 10);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, StatusCode::io_error);
    EXPECT_THAT(missing.error().message, HasSubstr("missing: cannot open"));
    const auto directory = read_file(folder.path(), 10);
    ASSERT_FALSE(directory);
    EXPECT_EQ(directory.error().code, StatusCode::io_error);
    const auto large = read_file(folder.file("large", "1234"), 3);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, StatusCode::too_large);
    EXPECT_THAT(large.error().message, HasSubstr("large: larger than the limit of 3"));
}

TEST(File, PipesAndDevicesAreRefusedWithoutWaiting) {
    const ScratchFolder folder;
    const std::string pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // nobody writes to it
    std::filesystem::create_symlink("/dev/zero", folder.path() / "link");
    for (const std::string& path :
         {pipe, std::string("/dev/zero"), (folder.path() / "link").string()}) {
        for (const Status& status : {read_file(path, 10).error(), MappedFile::open(path).error()}) {
            EXPECT_EQ(status.code, StatusCode::io_error);
            EXPECT_EQ(status.message,
                      path + ": cannot read: it is a pipe or a device, not a regular file");
        }
    }
}

TEST(File, StandardOutputIsWrittenFromWhereItStands) {
    const ScratchFolder folder;
    const std::string path = folder.path() / "out";
    const int saved = ::dup(STDOUT_FILENO);
    const int out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ASSERT_GE(::dup2(out, STDOUT_FILENO), 0);
    const Status first = write_file_atomically("/dev/stdout", "one ");
    const Status second = write_file_atomically("/dev/stdout", "two");
    ASSERT_GE(::dup2(saved, STDOUT_FILENO), 0);
    ::close(saved);
    ::close(out);
    EXPECT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(bytes_of(path), "one two");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(File, WriteReplacesTheWholeFileAndLeavesNothingElse) {
    const ScratchFolder folder;
    const auto path = folder.path() / "a";
    ASSERT_TRUE(write_file_atomically(path, "first, longer").ok());
    EXPECT_EQ(bytes_of(path), "first, longer");
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    ASSERT_TRUE(write_file_atomically(path, "second").ok());
    EXPECT_EQ(bytes_of(path), "second");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0640});
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(File, WriteFollowsLinks) {
    const ScratchFolder folder;
    const auto path = folder.file("real", "old");
    std::filesystem::create_symlink("real", folder.path() / "link");
    ASSERT_TRUE(write_file_atomically(folder.path() / "link", "new").ok());
    EXPECT_EQ(bytes_of(path), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
}

TEST(File, AFailedWriteLeavesNothingBehind) {
    const ScratchFolder folder;
    const Status nowhere = write_file_atomically(folder.path() / "no" / "a", "x");
    EXPECT_EQ(nowhere.code, StatusCode::io_error);
    EXPECT_THAT(nowhere.message, HasSubstr("no/a: cannot"));
    EXPECT_EQ(write_file_atomically(folder.path(), "x").code, StatusCode::io_error);
    EXPECT_EQ(files_in(folder.path()), 0U);
    EXPECT_TRUE(write_file_atomically("/dev/null", "x").ok());
    EXPECT_EQ(write_file_atomically("/dev/full", "x").code, StatusCode::io_error);
}

TEST(File, AWriteInAReadOnlyFolderKeepsTheOldFile) {
    const ScratchFolder folder;
    const auto path = folder.file("a", "old");
    ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
    const Status refused = write_file_atomically(path, "new");
    ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
    if (::geteuid() != 0) {  // root may write anywhere
        EXPECT_EQ(refused.code, StatusCode::io_error);
    }
    EXPECT_EQ(bytes_of(path), refused.ok() ? "new" : "old");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(File, AReplacementIsSeenWhenItIsComplete) {
    const ScratchFolder folder;
    const std::string path = folder.file("a", "old");
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    {
        auto dropped = FileReplacement::begin(path);
        ASSERT_TRUE(dropped) << dropped.error().message;
        ASSERT_EQ(::write(dropped->descriptor(), "x", 1), 1);
        EXPECT_EQ(files_in(folder.path()), 2U);
    }
    EXPECT_EQ(bytes_of(path), "old");
    EXPECT_EQ(files_in(folder.path()), 1U);

    auto file = FileReplacement::begin(path);
    ASSERT_TRUE(file) << file.error().message;
    auto other = FileReplacement::begin(path);  // a second writer does not take the first's file
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_NE(file->name(), other->name());
    // Any process may write to it by its name.
    const int by_name = ::open(file->name().c_str(), O_WRONLY);
    ASSERT_EQ(::pwrite(by_name, "new", 3, 0), 3);
    ::close(by_name);
    FileReplacement moved = std::move(*file);
    EXPECT_EQ(bytes_of(path), "old");
    EXPECT_TRUE(moved.commit().ok());
    EXPECT_EQ(bytes_of(path), "new");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0640});
    EXPECT_TRUE(other->commit().ok());
    EXPECT_EQ(bytes_of(path), "");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(File, ASharedReplacementKnowsWhetherItIsStillThere) {
    const ScratchFolder folder;
    const std::string path = folder.file("a", "old");
    auto alone = FileReplacement::begin(path);
    ASSERT_TRUE(alone && alone->share().ok());
    ASSERT_EQ(::write(alone->descriptor(), "new", 3), 3);
    EXPECT_TRUE(alone->commit().ok());
    EXPECT_EQ(bytes_of(path), "new");

    auto first = FileReplacement::begin(path);
    ASSERT_TRUE(first && first->share().ok());
    auto second = FileReplacement::begin(path);  // takes the first's file for a stale one
    ASSERT_TRUE(second);
    ASSERT_EQ(::write(second->descriptor(), "second", 6), 6);
    const Status lost = first->commit();
    EXPECT_EQ(lost.code, StatusCode::io_error);
    EXPECT_THAT(lost.message, HasSubstr("a: cannot write: another writer"));
    first = fail(StatusCode::cancelled);  // leaves the second's file alone
    EXPECT_EQ(bytes_of(path), "new");
    EXPECT_TRUE(second->commit().ok());
    EXPECT_EQ(bytes_of(path), "second");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(File, AReplacementTakesTheLinksTargetAndOnlyARegularFile) {
    const ScratchFolder folder;
    const auto path = folder.file("real", "old");
    std::filesystem::create_symlink("real", folder.path() / "link");
    auto file = FileReplacement::begin(folder.path() / "link");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->target(), std::filesystem::canonical(path));
    EXPECT_TRUE(file->commit().ok());
    EXPECT_EQ(bytes_of(path), "");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    for (const std::string& no : {std::string("/dev/null"), folder.path().string(),
                                  (folder.path() / "no" / "a").string()}) {
        const auto refused = FileReplacement::begin(no);
        ASSERT_FALSE(refused) << no;
        EXPECT_EQ(refused.error().code, StatusCode::io_error);
        EXPECT_THAT(refused.error().message, HasSubstr(no));
    }
}

TEST(File, MappedFilesCanBeMoved) {
    const ScratchFolder folder;
    auto mapped = MappedFile::open(folder.file("a", "cairn"));
    ASSERT_TRUE(mapped);
    const auto shared = std::make_shared<const MappedFile>(std::move(*mapped));
    EXPECT_EQ(mapped->size(), 0U);
    ASSERT_EQ(shared->size(), 5U);
    EXPECT_EQ(static_cast<char>(shared->bytes()[4]), 'n');
    MappedFile other = MappedFile::open(folder.file("b", "b")).value();
    other = MappedFile::open(folder.file("c", "cc")).value();
    EXPECT_EQ(other.size(), 2U);
}

TEST(File, AMappedFileOutlivesItsReplacement) {
    const ScratchFolder folder;
    const auto path = folder.file("a", "old");
    const MappedFile mapped = MappedFile::open(path).value();
    ASSERT_TRUE(write_file_atomically(path, "new and longer").ok());
    EXPECT_EQ(static_cast<char>(mapped.bytes()[0]), 'o');
}

TEST(File, MapsAnEmptyFileAndRefusesOthers) {
    const ScratchFolder folder;
    const auto empty = MappedFile::open(folder.file("empty", ""));
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->bytes().empty());
    for (const auto& path :
         {folder.path(), folder.path() / "missing", std::filesystem::path("/dev/null")}) {
        const auto refused = MappedFile::open(path);
        ASSERT_FALSE(refused) << path;
        EXPECT_EQ(refused.error().code, StatusCode::io_error);
        EXPECT_THAT(refused.error().message, HasSubstr(path.string()));
    }
}

}  // namespace
}  // namespace cairn
