#include <cerrno>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "cairn/version.hpp"
#include "command.hpp"
#include "help.hpp"
#include "navmesh.hpp"

namespace cairn::app {
namespace {

Context context;

extern "C" void on_interrupt(int) {
    context.cancel.cancel();
    std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
}

constexpr const char* kFooter =
    "A map alone is enough to begin with:\n"
    "  cairn generate rooms arena.map\n"
    "  cairn path arena.map 1,3 42,17\n"
    "\n"
    "Exit codes: 0 done; 1 no path (or an end is blocked, or a limit was reached); 2 bad command\n"
    "line; 3 bad input file; 4 reading or writing failed; 5 a verification failed; 130 Ctrl-C.\n"
    "Errors go to standard error; with --json they are {\"error\": {\"code\", \"message\"}} on\n"
    "standard output.";

void add_commands(CLI::App& app) {
    add_build(app, context);
    add_path(app, context);
    add_bench(app, context);
    add_crowd(app, context);
    add_inspect(app, context);
    add_verify(app, context);
    add_render(app, context);
    add_generate(app, context);
    add_convert(app, context);
    add_reproduce(app, context);
    add_navmesh(app, context);
}

/// Reports an error and returns the exit code.
int report(bool json, std::string_view code, std::string_view message, int exit) {
    if (json) {
        say(Json{{"error", {{"code", code}, {"message", message}}}});
    } else {
        fmt::print(stderr, "cairn: {}\n", message);
    }
    return exit;
}

int run(CLI::App& app, int argc, char** argv) {
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
        return report(json, "bad_option",
                      fmt::format("{}\nrun 'cairn{} --help' for help", error.what(), command),
                      kUsage);
    }
    const Outcome outcome = context.run(context);
    if (outcome) return *outcome;
    return report(json, name(outcome.error().code), outcome.error().message,
                  exit_code(outcome.error().code));
}

/// Sets up and runs the program; standard output is known to be written when this returns kDone.
int program(int argc, char** argv) {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    try {
        CLI::App app(
            "Pathfinding on grid maps: near-optimal with HPA*, exact with subgoal graphs; on "
            "navigation meshes with HNA*.",
            "cairn");
        app.footer(kFooter);
        app.set_version_flag("--version", "cairn " + std::string(cairn::version()));
        app.formatter(std::make_shared<HelpFormatter>());
        app.require_subcommand(1);
        add_commands(app);
        const int code = run(app, argc, argv);
        if (std::fflush(stdout) == 0) return code;
        return report(false, "io_error",
                      fmt::format("cannot write to standard output: {}", std::strerror(errno)),
                      kIoError);
    } catch (const std::exception& error) {
        return report(false, "io_error", error.what(), kIoError);
    }
}

}  // namespace
}  // namespace cairn::app

int main(int argc, char** argv) { return cairn::app::program(argc, argv); }
