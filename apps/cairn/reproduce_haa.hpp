#pragma once
// cairn reproduce haa.

#include <cstdint>
#include <functional>
#include <string>

#include "command.hpp"
#include "reproduce_exhibit.hpp"

namespace cairn::app {

struct HaaRequest {
    std::string data;       ///< folder with grid/bg_orig, grid/bg512 and haa; may be empty
    std::string maps;       ///< a folder of maps instead; may be empty
    bool built_in = false;  ///< maps made on the spot instead
    int max_maps = 0;       ///< of each folder; 0: all
    int pairs = 100;
    std::uint64_t seed = 1;
};

/// Measures all exhibits and hands them to `show`; the number of wrong answers goes into `report`.
/// Errors: bad_option where it is not said where maps are; those of reading them; cancelled.
[[nodiscard]] Status reproduce_haa(const HaaRequest& request, Context& context,
                                   const std::function<Status(const Exhibit&)>& show, Json& report);

}  // namespace cairn::app
