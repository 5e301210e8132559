#include "detour/fastlz.hpp"

#include <algorithm>
#include <cstdint>

namespace cairn::detour {
namespace {

class FastLzDecoder {
public:
    FastLzDecoder(std::string_view in, std::span<unsigned char> out) : in_(in), out_(out) {}

    std::size_t decode() {
        const std::size_t first = next();
        level_ = static_cast<int>(first >> 5) + 1;
        if (level_ > 2) return 0;
        bool good = literals(first & kLow);
        while (good && at_ < in_.size()) {
            const std::size_t instruction = next();
            good = instruction <= kLow ? literals(instruction) : match(instruction);
        }
        return good ? size_ : 0;
    }

private:
    static constexpr std::size_t kLow = 31;           // the lower bits of an instruction
    static constexpr std::size_t kFarOffset = 8'191;  // of level 2: the rest follows

    /// The next byte; 0, and the input counts as too short, after the last one.
    std::size_t next() {
        if (at_ < in_.size()) return static_cast<unsigned char>(in_[at_++]);
        too_short_ = true;
        return 0;
    }

    bool literals(std::size_t more) {
        const std::size_t count = more + 1;
        if (too_short_ || count > in_.size() - at_ || count > out_.size() - size_) return false;
        std::copy_n(in_.data() + at_, count, out_.data() + size_);
        at_ += count;
        size_ += count;
        return true;
    }

    bool match(std::size_t instruction) {
        std::size_t count = (instruction >> 5) + 2;
        if (instruction >> 5 == 7) {
            std::size_t more = next();
            for (count += more; level_ == 2 && more == 255; count += more) more = next();
        }
        std::size_t offset = (instruction & kLow) << 8;
        offset += next();
        if (level_ == 2 && offset == kFarOffset) {
            offset += next() << 8;
            offset += next();
        }
        ++offset;
        if (too_short_ || offset > size_ || count > out_.size() - size_) return false;
        // Byte by byte: a match may copy what it has just written.
        for (; count > 0; --count, ++size_) out_[size_] = out_[size_ - offset];
        return true;
    }

    std::string_view in_;
    std::span<unsigned char> out_;
    std::size_t at_ = 0;    // in in_
    std::size_t size_ = 0;  // of what is decoded
    int level_ = 1;
    bool too_short_ = false;
};

}  // namespace

std::size_t decode_fastlz(std::string_view compressed, std::span<unsigned char> out) noexcept {
    return FastLzDecoder(compressed, out).decode();
}

}  // namespace cairn::detour
