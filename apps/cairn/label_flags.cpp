#include "label_flags.hpp"

#include <CLI/CLI.hpp>

namespace cairn::app {

std::vector<CLI::Option*> LabelFlags::add_to(CLI::App& command) {
    return {command.add_flag("--no-labels", none_,
                             "No cut labels: smaller, faster to build, slower to ask"),
            command.add_option("--label-mb", mb_, "Most megabytes for cut labels")
                ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 20).description(""))
                ->type_name("MB")
                ->capture_default_str()};
}

}  // namespace cairn::app
