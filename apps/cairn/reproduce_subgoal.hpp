#pragma once
// cairn reproduce subgoal.

#include <cstdint>
#include <functional>
#include <string>

#include "command.hpp"
#include "reproduce_exhibit.hpp"

namespace cairn::app {

struct SubgoalRequest {
    std::string data;  ///< folder with the sets' folders, or with grid/ and those; may be empty
    std::string maps;  ///< a folder of maps instead; may be empty
    bool built_in = false;  ///< maps made on the spot instead
    int max_maps = 0;       ///< of each set; 0: all
    int study_maps = 8;     ///< of each set, for Figure 15.3 and the study of orders; 0: all
    int pairs = 100;
    std::uint64_t seed = 1;
};

/// Measures all exhibits and hands each to `show` as soon as it is there; the number of wrong
/// answers goes into `report`. Errors: bad_option where it is not said where maps are; those of
/// reading them; cancelled.
[[nodiscard]] Status reproduce_subgoal(const SubgoalRequest& request, Context& context,
                                       const std::function<Status(const Exhibit&)>& show,
                                       Json& report);

}  // namespace cairn::app
