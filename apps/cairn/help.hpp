#pragma once
// The layout of --help: text wrapped to a terminal, options with their defaults, groups in order.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cairn::app {

class HelpFormatter : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace cairn::app
