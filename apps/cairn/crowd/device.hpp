#pragma once
// A crowd's labels on a device, copied there again when edits have changed them.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cairn/batch/batch.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "command.hpp"
#include "crowd/planners.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

/// The method that uses the device.
[[nodiscard]] inline Way device_way() { return {"labels on the device", true, true}; }

template <class Index, class Request>
class CrowdDevice {
public:
    virtual ~CrowdDevice() = default;

    /// Times the device, and compares its answers with the host's. Loads the index first if its
    /// version is new. Errors: those of loading and of batches.
    [[nodiscard]] virtual Result<Answers> ask(const Index& index, std::uint64_t version,
                                              std::span<const Request> requests,
                                              const BuildControl& control) = 0;
    [[nodiscard]] const DeviceTimes& times() const noexcept { return times_; }

protected:
    DeviceTimes times_;
};

/// For a planner that devices support.
template <class P>
class PlannerDevice final : public CrowdDevice<typename P::Index, typename P::Request> {
public:
    using Index = typename P::Index;
    using Request = typename P::Request;

    explicit PlannerDevice(const batch::Device& device) : device_(device), searcher_(device) {
        times_.name = device.name();
    }

    [[nodiscard]] Status load(const Index& index, std::uint64_t version) {
        loaded_.reset();  // its memory may be needed
        const double begin = now();
        auto loaded = OnDevice<P>::load(device_, index);
        if (!loaded) return std::move(loaded.error());
        times_.loaded.push_back(now() - begin);
        times_.bytes = loaded->bytes();
        loaded_ = std::move(*loaded);
        version_ = version;
        return {};
    }

    Result<Answers> ask(const Index& index, std::uint64_t version,
                        std::span<const Request> requests, const BuildControl& control) override {
        Status status = version == version_ && loaded_ ? Status{} : load(index, version);
        if (!status.ok()) return tl::unexpected(std::move(status));
        const double begin = now();
        const auto paths = searcher_.find_paths(*loaded_, requests, {}, control);
        const double seconds = now() - begin;
        if (!paths) return tl::unexpected(paths.error());
        status = host_.find_paths(index, requests, expected_, device_query<P>(), {}, control);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return Answers{seconds,
                       {paths->status.begin(), paths->status.end()},
                       {paths->cost.begin(), paths->cost.end()},
                       differing(*paths)};
    }

private:
    [[nodiscard]] std::uint64_t differing(const batch::DeviceItems& paths) const {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const bool equal = paths.status[i] == expected_.status[i] &&
                               paths.cost[i] == expected_.cost[i] &&
                               std::ranges::equal(paths.of(i), lists(expected_)[i]);
            count += equal ? 0 : 1;
        }
        return count;
    }

    using CrowdDevice<Index, Request>::times_;
    batch::Device device_;
    batch::DeviceSearcher searcher_;
    std::optional<OnDevice<P>> loaded_;
    std::uint64_t version_ = 0;  // of loaded_
    batch::Searcher<P> host_;
    typename P::Paths expected_;
};

/// Loads an index, so that an unsuitable one is refused at once. Errors: unsupported (no labels
/// among others); those of loading.
template <class P>
[[nodiscard]] Result<std::unique_ptr<CrowdDevice<typename P::Index, typename P::Request>>>
crowd_device(const batch::Device& device, const typename P::Index& index) {
    if (!index.has_labels())
        return fail(StatusCode::unsupported, "--device: the index has no cut labels to copy there");
    auto asked = std::make_unique<PlannerDevice<P>>(device);
    if (Status s = asked->load(index, 0); !s.ok())
        return fail(s.code, fmt::format("--device: {}", s.message));
    return asked;
}

}  // namespace cairn::app
