#pragma once
// What all subcommands share: registration, running, output and errors.
//
// A subcommand is one function add_<name>(CLI::App&, Context&). It calls `add_command`, adds
// options whose values are kept in a shared_ptr, and calls `on_run` with them. `run_program` parses
// the command line and runs the subcommand chosen.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "arguments.hpp"
#include "cairn/control.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

/// Keys are output in the order in which they were added.
using Json = nlohmann::ordered_json;

/// The exit codes of the program.
enum ExitCode : int {
    kDone = 0,
    kNoPath = 1,      ///< no path, start or goal blocked, or a limit of the query reached
    kUsage = 2,       ///< a wrong command line or option, or a device that is not there
    kBadInput = 3,    ///< an input file that is damaged, does not fit the others, or is too large
    kIoError = 4,     ///< the operating system refused to read or write
    kFailed = 5,      ///< a verification found a fault, or a device failed
    kNoMemory = 6,    ///< there is not enough memory
    kCancelled = 130  ///< Ctrl-C or SIGTERM
};
/// The exit codes as help and the manual page show them.
struct ExitMeaning {
    int code;
    const char* text;
};
inline constexpr std::array<ExitMeaning, 8> kExitMeanings{{
    {kDone, "done"},
    {kNoPath, "no path: start or goal is blocked, nothing connects them, or a limit was reached"},
    {kUsage, "bad command line: a wrong option, value or place, or a device that is not there"},
    {kBadInput, "bad input: a file that is damaged, does not fit the others, or is too large"},
    {kIoError, "reading or writing failed"},
    {kFailed, "a check found a fault, or a device failed"},
    {kNoMemory, "not enough memory"},
    {kCancelled, "stopped by Ctrl-C or SIGTERM"},
}};
[[nodiscard]] int exit_code(StatusCode code) noexcept;

/// The result of a subcommand: an ExitCode if it has written its output, else the error that
/// run_program reports.
using Outcome = Result<int>;

/// What a subcommand knows of the command line, besides its own options.
struct Context {
    /// Subcommands have the options of navigation meshes; else those of grid maps.
    bool mesh = false;
    /// Write one JSON document to standard output, and nothing else.
    bool json = false;
    /// Standard input is a file to read; see `keep_input`.
    bool reads_input = false;
    bool input_kept = false;
    /// Standard output holds a file that the command writes; all else goes to standard error.
    bool writes_output = false;
    /// Keeps large arrays in a file of a folder, and at most so many bytes in memory; see
    /// apps/memory. Null: the program cannot.
    Status (*limit_memory)(const std::string& folder, std::uint64_t most) noexcept = nullptr;
    /// Set by Ctrl-C. Pass it to everything that may take long.
    CancelFlag cancel;
    /// Runs the subcommand chosen.
    std::function<Outcome(Context&)> run;
};

/// A command line program.
struct Program {
    const char* name;
    const char* summary;
    const char* footer;  ///< the end of its help
    std::function<void(CLI::App& app, Context& context)> add_commands;
    /// Whether a command line is about a mesh, so that commands have the options of meshes. Null if
    /// they have no such options.
    Result<bool> (*names_mesh)(const Arguments& arguments, Context& context);
};
/// What a program that runs as many processes makes of its own outcome before it is reported. The
/// process that reports an error returns it, all others its exit code.
using Settle = std::function<Outcome(Outcome)>;

/// Runs the subcommand that the command line names, and reports an error: on standard error, or on
/// standard output with --json. Ctrl-C or SIGTERM sets the cancel flag; a second one ends the
/// program at once. Returns an ExitCode; kDone only if standard output was written.
[[nodiscard]] int run_program(const Program& program, int argc, char** argv,
                              const Settle& settle = {});

/// Adds a subcommand with the option --json. `summary` is a sentence or two; `examples` are lines,
/// the last paragraph of its help.
CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& summary, const std::string& examples);

/// Calls `run` when `command` was chosen.
void on_run(CLI::App* command, Context& context, std::function<Outcome(Context&)> run);

/// Runs `options->run(context)` when `command` was chosen, and keeps `options` alive until then.
template <class Options>
void on_run(CLI::App* command, Context& context, std::shared_ptr<Options> options) {
    on_run(command, context,
           std::function<Outcome(Context&)>([options](Context& c) { return options->run(c); }));
}

/// Writes to standard output. Throws std::system_error on failure, which run_program turns into
/// kIoError.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
    fmt::print(stdout, format, std::forward<Args>(args)...);
}
/// The number that every JSON document begins with. It grows when a member changes its meaning or
/// is removed; new members do not change it.
inline constexpr int kJsonFormat = 1;

/// Writes a JSON document, which gets the member "format", and a newline to standard output.
void say(const Json& document);
/// Writes the document with --json, else the text.
void say(const Context& context, const Json& document, std::string_view text);

/// A progress bar on standard error, shown only on a terminal. The destructor clears it. With
/// `lines`, a line after each tenth where there is no terminal.
class ProgressBar {
public:
    explicit ProgressBar(std::string label, bool lines = false);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    /// Shows `share`, 0 to 1.
    void show(double share);
    /// Removes the bar until the next `show`, to make room for output.
    void clear();
    /// For a build that shows its progress here and that Ctrl-C cancels.
    [[nodiscard]] BuildControl control(const Context& context, int threads) {
        return {[this](double share) { show(share); }, &context.cancel, threads};
    }

private:
    std::string label_;
    bool terminal_;
    bool lines_;
    int drawn_ = -1;  // the percentage shown; -1: no bar
};

/// Seconds of a clock that never goes back; only differences mean something.
[[nodiscard]] double now();

/// The shortest of `rounds` runs of `run`, in seconds. `prepare`, if given, runs before each and is
/// not timed.
template <class Prepare, class Run>
[[nodiscard]] double least_time(int rounds, const Prepare& prepare, const Run& run) {
    double least = 0;
    for (int round = 0; round < rounds; ++round) {
        prepare();
        const double begin = now();
        run();
        const double seconds = now() - begin;
        least = round == 0 ? seconds : std::min(least, seconds);
    }
    return least;
}
template <class Run>
[[nodiscard]] double least_time(int rounds, const Run& run) {
    return least_time(
        rounds, [] {}, run);
}

// The subcommands of cairn.
void add_build(CLI::App& app, Context& context);
void add_path(CLI::App& app, Context& context);
void add_edit(CLI::App& app, Context& context);
void add_inspect(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_render(CLI::App& app, Context& context);
void add_generate(CLI::App& app, Context& context);
void add_convert(CLI::App& app, Context& context);
void add_crowd(CLI::App& app, Context& context);

}  // namespace cairn::app
