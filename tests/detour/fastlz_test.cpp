// FastLZ, which RecastDemo compresses layers with.

#include "detour/fastlz.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/mutation.hpp"
#include "tile_caches.hpp"

namespace cairn::detour {
namespace {

/// What a block decodes to, if that is at most `most` bytes; else nothing. The memory ends where
/// the bytes do, for sanitizers.
std::string decoded(const std::string& block, std::size_t most) {
    const std::vector<char> exact(block.begin(), block.end());
    std::vector<unsigned char> out(most);
    const std::size_t size = decode_fastlz({exact.data(), exact.size()}, out);
    EXPECT_LE(size, most);
    return {out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(FastLz, DecodesItsInstructions) {
    using namespace std::string_literals;
    // Literals.
    EXPECT_EQ(decoded("\x02xyz", 3), "xyz");
    EXPECT_EQ(decoded("\x22xyz", 3), "xyz");
    // M = 1, offset 2: three bytes from three back. M = 6, offset 0: a run of eight.
    EXPECT_EQ(decoded("\x02xyz\x20\x02"s, 6), "xyzxyz");
    EXPECT_EQ(decoded("\x00x\xc0\x00"s, 9), "xxxxxxxxx");
    // M = 7: 9 and 5 bytes, the length before the offset. Level 2: 9 + 255 + 1.
    EXPECT_EQ(decoded("\x01xy\xe0\x05\x01"s, 16), "xyxyxyxyxyxyxyxy");
    EXPECT_EQ(decoded("\x20x\xe0\xff\x01\x00"s, 266), std::string(266, 'x'));
    // Level 2, offset 8,191 and 2 more: 8,194 back.
    const std::string run = "\x21xy\xe0"s + std::string(32, '\xff') + "\x17\x00"s;
    const std::string far = decoded(run + "\x3f\xff\x00\x02"s, 10'000);
    ASSERT_EQ(far.size(), 2U + 9 + 32 * 255 + 23 + 3);
    EXPECT_EQ(far.substr(far.size() - 3), "xyy");
}

TEST(FastLz, RefusesWhatIsNone) {
    using namespace std::string_literals;
    for (const std::string& block :
         {""s, "\x02xy"s, "\x42xyz"s, "\x00x\x20"s, "\x00x\xe0\x01"s, "\x00x\x20\x01"s,
          "\x00x\x21\x00"s, "\x20x\xe0\xff"s, "\x20x\x3f\xff\x00"s, "\x00x\x01y"s})
        EXPECT_EQ(decoded(block, 100), "");
    // One byte too many.
    EXPECT_EQ(decoded("\x02xyz", 2), "");
    EXPECT_EQ(decoded("\x02xyz\x20\x02"s, 5), "");
}

/// Bytes in which pieces come again, near or far away, or as runs.
std::string repetitive(std::size_t size, std::mt19937_64& random) {
    std::string bytes;
    while (bytes.size() < size) {
        const std::size_t count = 1 + random() % 400;
        const std::size_t from = bytes.empty() ? 0 : random() % bytes.size();
        switch (bytes.empty() ? 0 : random() % 4) {
            case 0:
                for (std::size_t i = 0; i < count / 8 + 1; ++i)
                    bytes.push_back(static_cast<char>(random() % 256));
                break;
            case 1:
                bytes.append(count, bytes.back());
                break;
            default:
                bytes += bytes.substr(from, count);
        }
    }
    bytes.resize(size);
    return bytes;
}

TEST(FastLz, DecodesWhatWasEncoded) {
    std::mt19937_64 random(4);
    for (std::uint64_t i = 0; i < test::scaled(60); ++i) {
        const std::string bytes = repetitive(1 + random() % 40'000, random);
        for (const int level : {1, 2}) {
            const std::string block = encode_fastlz(bytes, level, level == 1 ? 8'000 : 70'000);
            ASSERT_EQ(decoded(block, bytes.size()), bytes);
            ASSERT_EQ(decoded(block, bytes.size() - 1), "");
        }
    }
}

TEST(FastLz, DamageStaysWithinItsMemory) {
    std::mt19937_64 random(5);
    for (const int level : {1, 2}) {
        const std::string block = encode_fastlz(repetitive(3'000, random), level, 3'000);
        test::for_each_damage(block, 5'000, [](const std::string& bytes) {
            EXPECT_LE(decoded(bytes, 4'000).size(), 4'000U);
        });
    }
}

}  // namespace
}  // namespace cairn::detour
