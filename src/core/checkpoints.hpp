#pragma once
// Loops over parts of a build, with checkpoints.

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cairn/checkpoints.hpp"
#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "core/mutex.hpp"
#include "core/parallel_loop.hpp"

namespace cairn {

/// The bytes of a checkpoint: arrays of plain numbers, one after the other, each with its length.
class CheckpointWriter {
public:
    template <class T>
    void add(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::uint64_t size = values.size();
        bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    [[nodiscard]] std::string take() noexcept { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// Reads them again. Any bytes are safe.
class CheckpointReader {
public:
    explicit CheckpointReader(std::string_view bytes) noexcept : bytes_(bytes) {}

    /// Sets `values` to the next array. False if there is none.
    template <class T>
    [[nodiscard]] bool take(std::vector<T>& values) {
        std::uint64_t size = 0;
        if (bytes_.size() < sizeof size) return false;
        std::memcpy(&size, bytes_.data(), sizeof size);
        bytes_.remove_prefix(sizeof size);
        if (bytes_.size() / sizeof(T) < size) return false;
        values.resize(static_cast<std::size_t>(size));
        if (size == 0) return true;
        std::memcpy(values.data(), bytes_.data(), values.size() * sizeof(T));
        bytes_.remove_prefix(values.size() * sizeof(T));
        return true;
    }
    [[nodiscard]] bool at_end() const noexcept { return bytes_.empty(); }

private:
    std::string_view bytes_;
};

#ifdef CAIRN_NO_CHECKPOINTS
inline constexpr bool kHasCheckpoints = false;
/// What only checkpoints call is not kept, and so not compiled.
template <class Signature>
struct CheckpointFunction {
    template <class Function>
    void operator=(const Function& /*unused*/) noexcept {}
};
#else
inline constexpr bool kHasCheckpoints = true;
template <class Signature>
using CheckpointFunction = std::function<Signature>;
#endif

/// Whether a build keeps checkpoints.
[[nodiscard]] inline bool keeps_checkpoints(const BuildControl& control) noexcept {
    return kHasCheckpoints && control.checkpoints != nullptr;
}

/// A part of a build: how it is made, and how it becomes a checkpoint.
struct CheckpointedParts {
    std::size_t count = 0;
    /// The name of a part's checkpoint. Names of different parts differ.
    CheckpointFunction<std::string(std::size_t part)> name;
    /// Makes a part. `worker` is below num_workers.
    std::function<void(std::size_t worker, std::size_t part)> make;
    /// The checkpoint of a part that was made.
    CheckpointFunction<std::string(std::size_t part)> pack;
    /// Takes a part from its checkpoint. False if the bytes are wrong; then the part is made.
    CheckpointFunction<bool(std::size_t part, std::string_view bytes)> unpack;
};

/// Makes all parts, on the workers of `control` and the first ones first, or takes them from its
/// checkpoints, and keeps those that were made. In a team each process makes every n-th part and
/// takes the others from the store. Without a store it only makes them. Errors: cancelled; those of
/// the store; io_error if the part of another process is missing.
[[nodiscard]] Status for_each_part(const CheckpointedParts& parts, const BuildControl& control);

/// A hash of arrays and numbers, for names of checkpoints.
class CheckpointHash {
public:
    template <class T>
    CheckpointHash& add(std::span<const T> values) noexcept {
        static_assert(std::is_trivially_copyable_v<T>);
        add_bytes(values.data(), values.size_bytes());
        return *this;
    }
    CheckpointHash& add(std::uint64_t value) noexcept {
        return add(std::span<const std::uint64_t>(&value, 1));
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

private:
    void add_bytes(const void* bytes, std::size_t size) noexcept;
    std::uint64_t hash_ = 0;
};

}  // namespace cairn
