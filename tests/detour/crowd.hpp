#pragma once
// A small dtCrowd for tests.

#include <DetourCrowd.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "cairn/detour/crowd_paths.hpp"
#include "detour_query.hpp"

namespace cairn::detour {

struct FreeCrowd {
    void operator()(dtCrowd* crowd) const noexcept { dtFreeCrowd(crowd); }
};

/// A dtCrowd with frames of 50 ms.
class Crowd {
public:
    explicit Crowd(dtNavMesh& nav_mesh, int most = 8) : crowd_(dtAllocCrowd()) {
        EXPECT_TRUE(crowd_->init(most, 0.6F, &nav_mesh));
    }

    int add(const Position& at, unsigned char filter = 0, float speed = 10) {
        dtCrowdAgentParams params{};
        params.radius = 0.3F;
        params.height = 2;
        params.maxAcceleration = 100;
        params.maxSpeed = speed;
        params.collisionQueryRange = 3;
        params.pathOptimizationRange = 10;
        params.updateFlags = DT_CROWD_ANTICIPATE_TURNS;
        params.queryFilterType = filter;
        const int agent = crowd_->addAgent(at.data(), &params);
        EXPECT_GE(agent, 0);
        return agent;
    }
    void send(int agent, dtPolyRef target, const Position& to) {
        EXPECT_TRUE(crowd_->requestMoveTarget(agent, target, to.data()));
    }
    /// One frame of the crowd alone.
    void update() { crowd_->update(kSeconds, nullptr); }
    /// One frame with `paths`; how many agents it has answered.
    int frame(CrowdPaths& paths) {
        const int answered = paths.answer(*crowd_);
        update();
        return answered;
    }
    /// The same until the agent is within 0.5 of a point; false if it is not after 150 seconds.
    bool arrives(CrowdPaths& paths, int agent, const Position& to) {
        for (int i = 0; i < 3000; ++i) {
            if (distance_to(agent, to) < 0.5) return true;
            frame(paths);
        }
        return false;
    }

    [[nodiscard]] const dtCrowdAgent& operator[](int agent) const {
        return *crowd_->getAgent(agent);
    }
    [[nodiscard]] std::vector<dtPolyRef> path(int agent) const {
        const dtPathCorridor& corridor = (*this)[agent].corridor;
        return {corridor.getPath(), corridor.getPath() + corridor.getPathCount()};
    }
    [[nodiscard]] double distance_to(int agent, const Position& to) const {
        const float* at = (*this)[agent].npos;
        return std::hypot(double{at[0]} - double{to[0]}, double{at[2]} - double{to[2]});
    }
    [[nodiscard]] dtCrowd& crowd() { return *crowd_; }

private:
    static constexpr float kSeconds = 0.05F;

    std::unique_ptr<dtCrowd, FreeCrowd> crowd_;
};

}  // namespace cairn::detour
