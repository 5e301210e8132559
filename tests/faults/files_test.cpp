// Whatever call of the system fails while a file is written or read: the old file or the new one is
// there, whole, and the status names the step.

#include "cairn/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "../../fuzz/hpa_index_cases.hpp"
#include "cairn/formats/raster.hpp"
#include "cairn/index_file.hpp"
#include "faults/failing_calls.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

std::size_t files_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}

const std::string kOld(3000, 'o');
const std::string kNew(5000, 'n');

/// Expects of every failing step: the old file or the new one, whole, nothing else in the folder,
/// and, unless the step does not matter, a status with `words`.
void expect_whole(std::string_view call, int error, std::string_view words) {
    const ScratchFolder folder;
    const std::string path = folder.file("file", kOld);
    for (int nth = 1; nth < 100; ++nth) {
        ASSERT_TRUE(write_file_atomically(path, kOld).ok());
        const auto [status, happened] = [&] {
            const Failing failing(call, nth, error);
            Status written = write_file_atomically(path, kNew);
            return std::pair(std::move(written), failing.happened());
        }();
        EXPECT_EQ(bytes_of(path), status.ok() ? kNew : kOld) << call << " " << nth;
        EXPECT_EQ(files_in(folder.path()), 1U) << call << " " << nth;
        if (!status.ok()) {
            EXPECT_EQ(status.code, StatusCode::io_error) << call << " " << nth;
            EXPECT_THAT(status.message, HasSubstr(words)) << call << " " << nth;
            EXPECT_THAT(status.message, HasSubstr(std::generic_category().message(error)));
        }
        EXPECT_TRUE(write_file_atomically(path, kNew).ok());
        if (happened) continue;
        EXPECT_GT(nth, 1) << call << " is never called";
        return;
    }
    FAIL() << call << " is called again and again";
}

TEST(FileFaults, OfAnyStepLeaveTheOldFileOrTheNewOne) {
    expect_whole("open", EACCES, "cannot create a new file beside it");
    expect_whole("write", ENOSPC, "cannot write");
    expect_whole("write", EINTR, "no error: it is tried again");
    expect_whole("short write", 0, "no error: the rest is written");
    expect_whole("fchmod", EPERM, "cannot set the permissions");
    expect_whole("fsync", EIO, "cannot flush to the disk");
    expect_whole("rename", EXDEV, "cannot rename the new file to it");
    expect_whole("fstat", EIO, "no error: it only tells of other writers");
}

TEST(FileFaults, OfReadingNameTheStep) {
    const ScratchFolder folder;
    const std::string path = folder.file("file", kOld);
    const auto read_with = [&](std::string_view call, int error) {
        const Failing failing(call, 1, error);
        return read_file(path, 1'000'000);
    };
    EXPECT_THAT(read_with("open", EACCES).error().message, HasSubstr("cannot open"));
    EXPECT_THAT(read_with("fstat", EIO).error().message, HasSubstr("cannot read"));
    EXPECT_THAT(read_with("read", EIO).error().message, HasSubstr("cannot read"));
    EXPECT_EQ(read_with("read", EINTR).value(), kOld);
    EXPECT_EQ(read_with("short read", 0).value(), kOld);
    for (const auto& [call, words] :
         {std::pair("open", "cannot open"), {"fstat", "cannot read"}, {"mmap", "cannot map"}}) {
        const Failing failing(call, 1, EIO);
        const auto mapped = MappedFile::open(path);
        ASSERT_FALSE(mapped) << call;
        EXPECT_EQ(mapped.error().code, StatusCode::io_error);
        EXPECT_THAT(mapped.error().message, HasSubstr(words));
    }
}

TEST(FileFaults, OfASecondOpenDoNotHappenToAMap) {
    const std::string bytes = bytes_of(source_folder() / "fuzz/corpus/tiled/csv.tmj");
    const ScratchFolder folder;
    for (const char* name : {"a.tmj", "a.tmx", "a"}) {
        const std::string path = folder.file(name, bytes);
        const Failing failing("open", 2, EIO);
        EXPECT_TRUE(formats::load_terrain(path).has_value()) << name;
        EXPECT_FALSE(failing.happened()) << name;
    }
}

TEST(FileFaults, OfIndexFilesLeaveAnIndexThatLoads) {
    const auto cases = fuzz::hpa_index_cases();
    const hpa::Index old_index = fuzz::build(cases.front());
    const hpa::Index new_index = fuzz::build(cases.back());
    const ScratchFolder folder;
    const std::string path = folder.path() / "index.cairn";
    for (const std::string_view call : {"open", "write", "fsync", "rename"}) {
        for (int nth = 1; nth < 5; ++nth) {
            ASSERT_TRUE(save(old_index, path).ok());
            Status saved;
            {
                const Failing failing(call, nth, EIO);
                saved = save(new_index, path);
            }
            const auto loaded = load<hpa::Index>(path, new_index.map());
            ASSERT_TRUE(loaded) << call << " " << nth;
            EXPECT_TRUE(*loaded == (saved.ok() ? new_index : old_index)) << call << " " << nth;
        }
    }
    for (const std::string_view call : {"open", "fstat", "mmap"}) {
        const Failing failing(call, 1, EIO);
        const auto loaded = load<hpa::Index>(path, new_index.map());
        ASSERT_FALSE(loaded) << call;
        EXPECT_EQ(loaded.error().code, StatusCode::io_error) << call;
    }
}

TEST(StaleFiles, OfKilledWritersAreRemovedByTheNextOne) {
    const ScratchFolder folder;
    const std::string path = folder.path() / "file";
    folder.file("file.0.tmp", "half");
    folder.file("file.1.tmp", "half");
    folder.file("other.0.tmp", "of another target");
    ASSERT_TRUE(write_file_atomically(path, kNew).ok());
    EXPECT_EQ(bytes_of(path), kNew);
    EXPECT_EQ(files_in(folder.path()), 2U);
    EXPECT_EQ(bytes_of(folder.path() / "other.0.tmp"), "of another target");
}

TEST(StaleFiles, OfWritersAtWorkStay) {
    const ScratchFolder folder;
    const std::string path = folder.path() / "file";
    const std::string other = folder.file("file.0.tmp", "half");
    const int writer = ::open(other.c_str(), O_WRONLY);
    ASSERT_EQ(::flock(writer, LOCK_EX), 0);
    ASSERT_TRUE(write_file_atomically(path, kNew).ok());
    EXPECT_EQ(bytes_of(other), "half");
    EXPECT_EQ(files_in(folder.path()), 2U);
    ::close(writer);
    ASSERT_TRUE(write_file_atomically(path, kOld).ok());
    EXPECT_EQ(files_in(folder.path()), 1U);
}

}  // namespace
}  // namespace cairn::test
