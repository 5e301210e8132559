#pragma once
// The output of `cairn crowd`.

#include <string>

#include "command.hpp"
#include "crowd/run.hpp"
#include "crowd/world.hpp"

namespace cairn::app {

[[nodiscard]] std::string crowd_text(const CrowdWorld& world, const CrowdPlan& plan,
                                     const CrowdFigures& figures);
[[nodiscard]] Json crowd_json(const CrowdWorld& world, const CrowdPlan& plan,
                              const CrowdFigures& figures);

}  // namespace cairn::app
