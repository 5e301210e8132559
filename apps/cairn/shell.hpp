#pragma once
// Texts for other programs, made from the commands and their options: completions of shells and the
// manual page.

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}  // namespace CLI

namespace cairn::app {

/// The program with its commands; if they have other options for another kind of input, with the
/// commands of both kinds.
using Apps = std::span<const CLI::App* const>;

/// What completes the commands, options and words of a program in "bash", "zsh" or "fish".
[[nodiscard]] std::string completion(std::string_view shell, Apps apps);

/// The manual page for man(1), in man(7)'s macros. `version`: the program's. `kinds`: the name of
/// each app's kind of input.
[[nodiscard]] std::string manual_page(Apps apps, std::string_view version,
                                      std::span<const std::string_view> kinds);

}  // namespace cairn::app
