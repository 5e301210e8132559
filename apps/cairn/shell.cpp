#include "shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <CLI/CLI.hpp>
#include <vector>

#include "command.hpp"
#include "text.hpp"

namespace cairn::app {
namespace {

/// The words that an option's type lists, such as "hpa|subgoal"; types in capitals, such as FILE,
/// are none.
std::vector<std::string> choices_of(const CLI::Option& option) {
    std::vector<std::string> words = split(option.get_type_name(), '|');
    std::erase_if(words, [](const std::string& word) {
        return word.empty() || std::any_of(word.begin(), word.end(), [](char c) {
                   return (c >= 'A' && c <= 'Z') || c == ':';
               });
    });
    return words;
}

/// An option of a command over all kinds of input.
struct CompletedOption {
    std::vector<std::string> names;
    std::vector<std::string> words;  ///< that its value can be
    std::string help;                ///< the first sentence
    bool has_value = false;
};

struct CompletedCommand {
    std::string name;
    std::string help;  ///< the first sentence
    std::vector<CompletedOption> options;
    std::vector<std::string> words;  ///< that its first argument can be
};

std::string first_sentence(const std::string& text) {
    return text.substr(0, std::min(text.find(". "), text.find(": ")));
}

void add_words(std::vector<std::string>& words, const std::vector<std::string>& more) {
    for (const std::string& word : more) {
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
}

void add_options(CompletedCommand& text, const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional() && text.words.empty()) text.words = choices_of(*option);
        const std::vector<std::string> names = option_names(*option);
        if (names.empty()) continue;
        auto known =
            std::find_if(text.options.begin(), text.options.end(),
                         [&](const CompletedOption& other) { return other.names == names; });
        if (known == text.options.end()) {
            text.options.push_back({names, {}, first_sentence(option->get_description()), false});
            known = std::prev(text.options.end());
        }
        known->has_value = option->get_items_expected_max() > 0;
        if (known->has_value) add_words(known->words, choices_of(*option));
    }
}

/// The program without a command first, then each command.
std::vector<CompletedCommand> command_texts(Apps apps) {
    std::vector<CompletedCommand> out(1);
    add_options(out.front(), *apps.front());
    for (const CLI::App* command : commands_of(*apps.front(), /*hidden=*/false)) {
        CompletedCommand text{
            command->get_name(), first_sentence(command->get_description()), {}, {}};
        for (const CLI::App* app : apps) add_options(text, *find_command(*app, text.name));
        out.push_back(std::move(text));
    }
    for (CompletedCommand& text : out) {
        if (!text.name.empty() && text.name != "help") continue;
        for (const CompletedCommand& command : out) {
            if (!command.name.empty()) text.words.push_back(command.name);
        }
    }
    return out;
}

std::vector<std::string> all_names(const CompletedCommand& command) {
    std::vector<std::string> names;
    for (const CompletedOption& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::string bash(const std::string& program, const std::vector<CompletedCommand>& commands) {
    std::string values;
    std::string rest;
    for (const CompletedCommand& command : commands) {
        for (const CompletedOption& option : command.options) {
            if (option.words.empty()) continue;
            std::vector<std::string> patterns;
            for (const std::string& name : option.names)
                patterns.push_back(fmt::format("'{} {}'", command.name, name));
            values += fmt::format("    {}) words='{}' ;;\n", fmt::join(patterns, "|"),
                                  fmt::join(option.words, " "));
        }
        rest += fmt::format("    '{}') options='{}' words='{}' ;;\n", command.name,
                            fmt::join(all_names(command), " "), fmt::join(command.words, " "));
    }
    // Without a word that fits, bash completes file names.
    return fmt::format(R"(# Completion of {0} for bash. Written by '{0} completion bash'.
_{0}() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
    local command='' options='' words='' at=1 before=0
    [[ $current == = ]] && current=''
    [[ $previous == = ]] && previous="${{COMP_WORDS[COMP_CWORD-2]}}"
    for ((; at < COMP_CWORD; ++at)); do
        if [[ -n $command ]]; then
            before=1
        elif [[ ${{COMP_WORDS[at]}} != -* ]]; then
            command="${{COMP_WORDS[at]}}"
        fi
    done
    COMPREPLY=()
    case "$command $previous" in
{1}    *)
        case "$command" in
{2}        esac
        [[ $current == -* ]] && words="$options"
        [[ $current != -* && $before == 1 ]] && words='' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _{0} {0}
)",
                       program, values, rest);
}

/// In single quotes for a shell, as part of zsh's descriptions: without its own signs.
std::string quoted(std::string text) {
    std::erase_if(text, [](char c) { return c == '\'' || c == '[' || c == ']' || c == '\\'; });
    std::replace(text.begin(), text.end(), ':', ',');
    return text;
}

std::string zsh(const std::string& program, const std::vector<CompletedCommand>& commands) {
    std::string names;
    std::string cases;
    for (const CompletedCommand& command : commands) {
        if (command.name.empty()) continue;
        names += fmt::format("        '{}:{}'\n", command.name, quoted(command.help));
        cases += fmt::format("    {})\n        _arguments", command.name);
        for (const CompletedOption& option : command.options) {
            for (const std::string& name : option.names) {
                const std::string values =
                    !option.has_value ? ""
                    : option.words.empty()
                        ? ":value:_files"
                        : fmt::format(":value:({})", fmt::join(option.words, " "));
                cases +=
                    fmt::format(" \\\n            '*{}[{}]{}'", name, quoted(option.help), values);
            }
        }
        if (!command.words.empty())
            cases += fmt::format(" \\\n            '1:word:({})'", fmt::join(command.words, " "));
        cases += " \\\n            '*:file:_files' ;;\n";
    }
    return fmt::format(R"(#compdef {0}
# Completion of {0} for zsh. Written by '{0} completion zsh'.
_{0}() {{
    local -a commands
    commands=(
{1}    )
    if ((CURRENT == 2)); then
        _describe 'command' commands
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
{2}    esac
}}
if [[ $funcstack[1] == _{0} ]]; then
    _{0} "$@"
else
    compdef _{0} {0}
fi
)",
                       program, names, cases);
}

std::string fish(const std::string& program, const std::vector<CompletedCommand>& commands) {
    std::string out =
        fmt::format("# Completion of {0} for fish. Written by '{0} completion fish'.\n", program);
    for (const CompletedCommand& command : commands) {
        const std::string condition = command.name.empty()
                                          ? "__fish_use_subcommand"
                                          : "__fish_seen_subcommand_from " + command.name;
        const std::string start = fmt::format("complete -c {} -n '{}'", program, condition);
        if (command.name.empty()) {
            for (const CompletedCommand& other : commands) {
                if (!other.name.empty())
                    out +=
                        fmt::format("{} -f -a {} -d '{}'\n", start, other.name, quoted(other.help));
            }
        } else if (!command.words.empty()) {
            out += fmt::format("{} -a '{}'\n", start, fmt::join(command.words, " "));
        }
        for (const CompletedOption& option : command.options) {
            out += start;
            for (const std::string& name : option.names)
                out += (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
            if (!option.words.empty())
                out += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
            if (option.words.empty() && option.has_value) out += " -r";
            out += fmt::format(" -d '{}'\n", quoted(option.help));
        }
    }
    return out;
}

/// Text in the manual page: signs that roff reads are escaped, and no line begins with one.
std::string roff(std::string_view text) {
    std::string out;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if (c == '^') {
            out += "\\(ha";
        } else if (c == '~') {
            out += "\\(ti";
        } else {
            out += c;
        }
        begins = c == '\n';
    }
    return out;
}

std::string roff_option(const CLI::Option& option, bool positional) {
    std::string type;
    if (!positional && option.get_items_expected_max() > 0) type = ' ' + option.get_type_name();
    std::string text = option.get_description();
    if (const std::string value = option.get_default_str(); !value.empty())
        text += fmt::format(" [{}]", value);
    const std::string names = positional ? option.get_name(true)
                                         : fmt::format("{}", fmt::join(option_names(option), ", "));
    return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(names), roff(type), roff(text));
}

/// Lines as they are.
std::string roff_lines(std::string_view text) {
    return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

std::string roff_command(const std::string& program, const CLI::App& command,
                         std::string_view kind) {
    std::string out = fmt::format(".SH {} {}{}\n{}\n", roff(program), roff(command.get_name()),
                                  kind.empty() ? "" : fmt::format(" ({})", kind),
                                  roff(command.get_description()));
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) out += roff_option(*option, true);
    }
    for (const std::string& group : command.get_groups()) {
        const auto options = command.get_options([&](const CLI::Option* option) {
            return option->get_group() == group && option->nonpositional();
        });
        if (options.empty()) continue;
        out += fmt::format(".SS {}\n", roff(group));
        for (const CLI::Option* option : options) out += roff_option(*option, false);
    }
    if (!command.get_footer().empty()) out += roff_lines(command.get_footer());
    return out;
}

}  // namespace

std::string completion(std::string_view shell, Apps apps) {
    const std::string program = apps.front()->get_name();
    const std::vector<CompletedCommand> commands = command_texts(apps);
    return shell == "bash"  ? bash(program, commands)
           : shell == "zsh" ? zsh(program, commands)
                            : fish(program, commands);
}

std::string manual_page(Apps apps, std::string_view version,
                        std::span<const std::string_view> kinds) {
    const CLI::App& first = *apps.front();
    const std::string program = first.get_name();
    std::string title = program;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string summary = first.get_description();
    std::string out = fmt::format(
        ".TH {0} 1 \"\" \"{1} {2}\"\n.SH NAME\n{1} \\- {3}\n.SH SYNOPSIS\n"
        "\\fB{1}\\fR COMMAND [ARGUMENT...] [OPTION...]\n.SH DESCRIPTION\n{4}\n.SS Commands\n",
        title, roff(program), roff(version), roff(first_sentence(summary)), roff(summary));
    for (const CLI::App* command : commands_of(first, /*hidden=*/false)) {
        out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command->get_name()),
                           roff(first_sentence(command->get_description())));
    }
    const std::string footer = first.get_footer();
    out += roff_lines(footer.substr(0, footer.find("\n\nExit codes:")));
    out += ".SH EXIT STATUS\n";
    for (const auto& [code, text] : kExitMeanings)
        out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", code, roff(text));
    for (const CLI::App* command : commands_of(first, /*hidden=*/false)) {
        for (std::size_t i = 0; i < apps.size(); ++i) {
            const CLI::App& own = *find_command(*apps[i], command->get_name());
            const bool same = own.get_description() == command->get_description();
            if (i > 0 && same) continue;
            const CLI::App& last = *find_command(*apps.back(), command->get_name());
            const bool differ = last.get_description() != command->get_description();
            out += roff_command(program, own, differ ? kinds[i] : std::string_view());
        }
    }
    return out;
}

}  // namespace cairn::app
