#pragma once
// A crowd's labels on a device, copied there anew when edits have changed them.

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
#include "crowd/world.hpp"

namespace cairn::app {

/// The way of asking it.
[[nodiscard]] inline Way device_way() { return {"labels on the device", true, true}; }

template <class Index, class Trip>
class CrowdDevice {
public:
    virtual ~CrowdDevice() = default;

    /// Times the device, and holds its answers against the host's. An index of another version than
    /// the last is loaded before. Errors: those of that and of batches.
    [[nodiscard]] virtual Result<Answers> ask(const Index& index, std::uint64_t version,
                                              std::span<const Trip> trips,
                                              const BuildControl& control) = 0;
    [[nodiscard]] const DeviceTimes& times() const noexcept { return times_; }

protected:
    DeviceTimes times_;
};

/// `Kit` as in crowd_planners.hpp, of a planner that devices know.
template <class Kit>
class KitDevice final : public CrowdDevice<typename Kit::Index, typename Kit::Trip> {
public:
    using Index = typename Kit::Index;
    using Trip = typename Kit::Trip;

    explicit KitDevice(const batch::Device& device) : device_(device), searcher_(device) {
        times_.name = device.name();
    }

    [[nodiscard]] Status load(const Index& index, std::uint64_t version) {
        loaded_.reset();  // its memory may be needed
        const double begin = now();
        auto loaded = Kit::OnDevice::load(device_, index);
        if (!loaded) return std::move(loaded.error());
        times_.loaded.push_back(now() - begin);
        times_.bytes = loaded->bytes();
        loaded_ = std::move(*loaded);
        version_ = version;
        return {};
    }

    Result<Answers> ask(const Index& index, std::uint64_t version, std::span<const Trip> trips,
                        const BuildControl& control) override {
        Status status = version == version_ && loaded_ ? Status{} : load(index, version);
        if (!status.ok()) return tl::unexpected(std::move(status));
        const double begin = now();
        const auto routes = searcher_.find_paths(*loaded_, trips, {}, control);
        const double seconds = now() - begin;
        if (!routes) return tl::unexpected(routes.error());
        status = host_.find_paths(index, trips, expected_, Kit::device_model(), {}, control);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return Answers{seconds,
                       {routes->status.begin(), routes->status.end()},
                       {routes->cost.begin(), routes->cost.end()},
                       differing(*routes)};
    }

private:
    [[nodiscard]] std::uint64_t differing(const batch::DeviceItems& routes) const {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < routes.size(); ++i) {
            const bool equal = routes.status[i] == expected_.status[i] &&
                               routes.cost[i] == expected_.cost[i] &&
                               std::ranges::equal(routes.of(i), Kit::lists(expected_)[i]);
            count += equal ? 0 : 1;
        }
        return count;
    }

    using CrowdDevice<Index, Trip>::times_;
    batch::Device device_;
    batch::DeviceSearcher searcher_;
    std::optional<typename Kit::OnDevice> loaded_;
    std::uint64_t version_ = 0;  // of loaded_
    batch::Searcher<typename Kit::Planner> host_;
    typename Kit::Routes expected_;
};

/// Loads an index, so that one which is not for devices is refused. Errors: unsupported (no labels
/// among others); those of loading.
template <class Kit>
[[nodiscard]] Result<std::unique_ptr<CrowdDevice<typename Kit::Index, typename Kit::Trip>>>
crowd_device(const batch::Device& device, const typename Kit::Index& index) {
    if (!index.has_labels())
        return fail(StatusCode::unsupported, "--device: the index has no cut labels to copy there");
    auto asked = std::make_unique<KitDevice<Kit>>(device);
    if (Status s = asked->load(index, 0); !s.ok())
        return fail(s.code, fmt::format("--device: {}", s.message));
    return asked;
}

}  // namespace cairn::app
