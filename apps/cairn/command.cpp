#include "command.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "cairn/version.hpp"
#include "files.hpp"
#include "options/common.hpp"
#include "shell.hpp"

namespace cairn::app {
namespace {

/// Whether a value is an object, or an array with an object inside.
bool holds_objects(const Json& value) {
    return value.is_object() ||
           (value.is_array() && std::any_of(value.begin(), value.end(), holds_objects));
}

/// Writes a line for each key of an object, and arrays without objects on one line.
std::string laid_out(const Json& value, std::size_t indent) {
    const auto plain = [](const Json& v) {
        return v.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (!holds_objects(value) || value.empty()) return plain(value);
    const std::string margin(indent + 2, ' ');
    std::string out;
    for (const auto& [key, item] : value.items()) {
        out += (out.empty() ? "" : ",\n") + margin;
        if (value.is_object()) out += plain(Json(key)) + ": ";
        out += laid_out(item, indent + 2);
    }
    const char* brackets = value.is_object() ? "{}" : "[]";
    return fmt::format("{}\n{}\n{:{}}{}", brackets[0], out, "", indent, brackets[1]);
}

constexpr std::size_t kWidth = 96;   // of help, in characters
constexpr std::size_t kColumn = 32;  // where the texts of options begin

/// `text` broken at blanks; all lines but the first are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    const std::size_t width = kWidth - indent;
    std::string out;
    while (text.size() > width) {
        std::size_t cut = text.rfind(' ', width);
        if (cut == std::string_view::npos) break;
        out += fmt::format("{}\n{:{}}", text.substr(0, cut), "", indent);
        text.remove_prefix(cut + 1);
    }
    return out.append(text);
}

/// A name in the left column and its text in the right one; a long name gets a line of its own.
std::string entry(const std::string& left, std::string_view text) {
    const std::string right = wrapped(text, kColumn);
    if (left.size() + 4 <= kColumn) return fmt::format("  {:<{}}{}\n", left, kColumn - 2, right);
    return fmt::format("  {}\n{:{}}{}\n", left, "", kColumn, right);
}

/// The layout of --help: text wrapped to a terminal, options with their defaults, groups in order.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        std::string out =
            wrapped(app->get_description(), 0) + "\n\n" + make_usage(app, std::move(name));
        out += make_positionals(app);
        std::vector<std::string> groups = app->get_groups();
        // A command's own groups come before those that all commands have.
        for (const char* last : {"Output", "Options"}) {
            std::stable_partition(groups.begin(), groups.end(),
                                  [last](const std::string& group) { return group != last; });
        }
        for (const std::string& group : groups) {
            const auto options = app->get_options([&](const CLI::Option* option) {
                return option->get_group() == group && option->nonpositional();
            });
            if (!options.empty()) out += make_group(group, false, options);
        }
        return out + make_subcommands(app, mode) + '\n' + app->get_footer() + '\n';
    }

    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override {
        if (is_positional) group = "Arguments";
        std::string out = fmt::format("\n{}:\n", group);
        for (const CLI::Option* option : options) out += make_option(option, is_positional);
        return out;
    }

    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        std::string left = option->get_name(is_positional, true);
        if (const std::string type = option->get_type_name();
            !is_positional && option->get_expected_max() > 0 && !type.empty()) {
            left += ' ' + type;
        }
        std::string text = option->get_description();
        if (const std::string value = option->get_default_str(); !value.empty())
            text += fmt::format(" [{}]", value);
        return entry(left, text);
    }

    std::string make_subcommand(const CLI::App* command) const override {
        const std::string description = command->get_description();
        return entry(command->get_name(), description.substr(0, description.find(". ")));
    }
};

Context the_context;  // global, since a signal handler sets its flag

extern "C" void on_interrupt(int) {
    the_context.cancel.cancel();
    std::signal(SIGINT, SIG_DFL);  // a second signal of either kind ends the program at once
    std::signal(SIGTERM, SIG_DFL);
}

/// Reports an error and returns the exit code.
int report(const char* program, bool json, const Status& status) {
    // A status of too little memory may have no message.
    const std::string_view message =
        status.message.empty() ? describe(status.code) : std::string_view(status.message);
    if (json) {
        say(Json{{"error", {{"code", name(status.code)}, {"message", message}}}});
    } else {
        fmt::print(stderr, "{}: {}\n", program, message);
    }
    return exit_code(status.code);
}

std::unique_ptr<CLI::App> make_app(const Program& program, bool mesh) {
    auto app = std::make_unique<CLI::App>(program.summary, program.name);
    std::string footer = program.footer;
    footer += "\n\nExit codes:\n";
    for (const auto& [code, text] : kExitMeanings) footer += fmt::format("  {:<5}{}\n", code, text);
    app->footer(footer +
                "Errors go to standard error; with --json they are {\"error\": {\"code\", "
                "\"message\"}}\non standard output.");
    app->set_version_flag("--version", fmt::format("{} {}", program.name, version()));
    app->formatter(std::make_shared<HelpFormatter>());
    app->require_subcommand(1);
    the_context.mesh = mesh;
    program.add_commands(*app, the_context);
    // 'help' never runs: its arguments become a command with --help.
    CLI::App* const help = app->add_subcommand("help", "Describe a command, or all of them");
    help->add_option("command", "The command");
    help->add_option("input", "A file: commands may have other options for meshes");
    return app;
}

/// The command line that CLI11 parses: "help path" becomes "path --help", and "--json path" becomes
/// "path --json".
std::vector<std::string> words_of(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() > 1 && words[0] == "--json") std::swap(words[0], words[1]);
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    words.emplace_back("--help");
    return words;
}

Outcome run(const Program& program, const std::vector<std::string>& words, bool json) {
    std::vector<std::unique_ptr<CLI::App>> apps;
    apps.push_back(make_app(program, false));
    if (program.names_mesh != nullptr) apps.push_back(make_app(program, true));
    std::vector<const CLI::App*> all;
    std::string shell;
    for (const auto& app : apps) {
        all.push_back(app.get());
        CLI::App* const completions = app->add_subcommand(
            "completion", "Print what completes command lines in a shell: bash, zsh or fish");
        const std::vector<std::string> shells{"bash", "zsh", "fish"};
        completions->add_option("shell", shell, "The shell")
            ->required()
            ->check(one_of(shells))
            ->type_name(fmt::format("{}", fmt::join(shells, "|")));
        on_run(completions, the_context, [&](Context&) {
            say("{}", completion(shell, all));
            return Outcome(kDone);
        });
        CLI::App* const manual = app->add_subcommand("man", "Print the manual page")->group("");
        on_run(manual, the_context, [&](Context&) {
            constexpr std::array<std::string_view, 2> kKinds{"maps", "meshes"};
            say("{}", manual_page(all, version(), kKinds));
            return Outcome(kDone);
        });
    }
    const Arguments arguments = arguments_of(all, words);

    bool mesh = false;
    if (program.names_mesh != nullptr) {
        const Result<bool> named = program.names_mesh(arguments, the_context);
        if (!named) return tl::unexpected(named.error());
        mesh = *named;
    }
    the_context.mesh = mesh;
    CLI::App& app = *apps[mesh ? 1 : 0];
    const auto bad_option = [&](std::string_view message) {
        std::string command = find_command(app, arguments.command) == nullptr
                                  ? ""
                                  : ' ' + arguments.command + (mesh ? " MESH" : "");
        return fail(StatusCode::bad_option,
                    fmt::format("{}\nrun '{}{} --help' for help", message, program.name, command));
    };
    const std::string unknown =
        unknown_name(arguments, app, apps.size() > 1 ? all[mesh ? 0 : 1] : nullptr,
                     mesh ? "maps, not for meshes" : "meshes, not for maps");
    if (!unknown.empty()) return bad_option(unknown);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        return bad_option(error.what());
    }
    if (json && the_context.writes_output)
        return bad_option("--json and a file written to '-' both need standard output");
    if (the_context.reads_input) {
        if (Status kept = keep_input(the_context); !kept.ok())
            return tl::unexpected(std::move(kept));
    }
    return the_context.run(the_context);
}

}  // namespace

int run_program(const Program& program, int argc, char** argv, const Settle& settle) {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    // Known before parsing, so that errors of parsing are JSON too.
    const bool json =
        std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
    const auto flushed = [] {
        if (std::fflush(stdout) == 0) return Status{};
        return Status{StatusCode::io_error,
                      fmt::format("cannot write to standard output: {}", std::strerror(errno))};
    };
    bool json_can_be_written = json;
    Outcome outcome = kDone;
    try {
        outcome = run(program, words_of(argc, argv), json);
        if (Status status = flushed(); !status.ok()) {
            json_can_be_written = false;
            outcome = tl::unexpected(std::move(status));
        }
    } catch (const std::bad_alloc&) {
        outcome = fail(StatusCode::out_of_memory, {});
    } catch (const tl::bad_expected_access<Status>& failure) {  // value() of a failed call
        json_can_be_written = false;
        outcome = tl::unexpected(failure.error());
    } catch (const std::exception& failure) {
        json_can_be_written = false;
        outcome = fail(StatusCode::io_error, failure.what());
    }
    if (settle) outcome = settle(std::move(outcome));
    if (outcome) return *outcome;
    try {
        const int code = report(program.name, json_can_be_written, outcome.error());
        const Status status = flushed();
        return status.ok() || !json_can_be_written ? code : report(program.name, false, status);
    } catch (const std::bad_alloc&) {
        return kNoMemory;
    } catch (const std::exception&) {  // nobody can be told
        return kIoError;
    }
}

int exit_code(StatusCode code) noexcept {
    switch (code) {
        case StatusCode::ok:
            return kDone;
        case StatusCode::start_blocked:
        case StatusCode::goal_blocked:
        case StatusCode::no_path:
        case StatusCode::over_cost_limit:
        case StatusCode::cost_too_large:
        case StatusCode::budget_exhausted:
            return kNoPath;
        case StatusCode::start_outside:
        case StatusCode::goal_outside:
        case StatusCode::unsupported:
        case StatusCode::bad_option:
        case StatusCode::no_device:
            return kUsage;
        case StatusCode::stale_index:
        case StatusCode::too_large:
        case StatusCode::corrupt_file:
        case StatusCode::wrong_version:
        case StatusCode::wrong_map:
            return kBadInput;
        case StatusCode::out_of_memory:
            return kNoMemory;
        case StatusCode::io_error:
            return kIoError;
        case StatusCode::cancelled:
            return kCancelled;
        case StatusCode::device_failed:
            return kFailed;
    }
    return kFailed;
}

void on_run(CLI::App* command, Context& context, std::function<Outcome(Context&)> run) {
    command->final_callback([&context, run = std::move(run)] { context.run = run; });
}

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& summary, const std::string& examples) {
    CLI::App* command = app.add_subcommand(name, summary);
    command->footer("Examples:\n" + examples);
    command->add_flag("--json", context.json, "Answer with one JSON document")->group("Output");
    return command;
}

void say(const Json& document) {
    Json out{{"format", kJsonFormat}};
    out.update(document);
    say("{}\n", laid_out(out, 0));
}
void say(const Context& context, const Json& document, std::string_view text) {
    if (context.json) return say(document);
    fmt::print(context.writes_output ? stderr : stdout, "{}", text);
}

ProgressBar::ProgressBar(std::string label, bool lines)
    : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) == 1), lines_(lines) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (terminal_ && drawn_ >= 0) fmt::print(stderr, "\r\x1b[K");
    drawn_ = -1;
}

void ProgressBar::show(double share) {
    constexpr int width = 40;
    const int percent = static_cast<int>(share * 100);
    if (lines_ && !terminal_ && percent / 10 > std::max(drawn_, 0) / 10) {
        fmt::print(stderr, "{}: {} %\n", label_, percent);
        drawn_ = percent;
    }
    if (!terminal_ || percent == drawn_) return;
    drawn_ = percent;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3}%", label_, "", filled, "", width - filled,
               percent);
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace cairn::app
