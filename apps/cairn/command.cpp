#include "command.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>

#include "cairn/version.hpp"

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
    std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
}

/// Reports an error and returns the exit code.
int report(const char* program, bool json, std::string_view code, std::string_view message,
           int exit) {
    if (json) {
        say(Json{{"error", {{"code", code}, {"message", message}}}});
    } else {
        fmt::print(stderr, "{}: {}\n", program, message);
    }
    return exit;
}

int run(CLI::App& app, int argc, char** argv) {
    const std::string program = app.get_name();
    // Known before parsing, so that errors of parsing are JSON too.
    bool json = false;
    for (int i = 1; i < argc; ++i) json = json || std::string_view(argv[i]) == "--json";
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        std::string command;
        for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
            at = at->get_subcommands().front();
            command += ' ' + at->get_name();
        }
        if (the_context.mesh) command += " MESH";  // the help depends on the input
        return report(program.c_str(), json, "bad_option",
                      fmt::format("{}\nrun '{}{} --help' for help", error.what(), program, command),
                      kUsage);
    }
    const Outcome outcome = the_context.run(the_context);
    if (outcome) return *outcome;
    return report(program.c_str(), json, name(outcome.error().code), outcome.error().message,
                  exit_code(outcome.error().code));
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
    const auto failed = [&](std::string_view message) {
        return report(program.name, false, "io_error", message, kIoError);
    };
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    try {
        CLI::App app(program.summary, program.name);
        app.footer(program.footer);
        app.set_version_flag("--version", std::string(program.name) + " " + std::string(version()));
        app.formatter(std::make_shared<HelpFormatter>());
        app.require_subcommand(1);
        program.add_commands(app, the_context, {argv, static_cast<std::size_t>(argc)});
        const int code = run(app, argc, argv);
        if (std::fflush(stdout) == 0) return code;
        return failed(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    } catch (const std::exception& error) {
        return failed(error.what());
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
        case StatusCode::out_of_memory:
            return kBadInput;
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

void say(const Json& document) { say("{}\n", laid_out(document, 0)); }
void say(const Context& context, const Json& document, std::string_view text) {
    context.json ? say(document) : say("{}", text);
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (drawn_ >= 0) fmt::print(stderr, "\r\x1b[K");
    drawn_ = -1;
}

void ProgressBar::show(double share) {
    constexpr int width = 40;
    const int percent = static_cast<int>(share * 100);
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
