#include "command.hpp"

#include <unistd.h>

#include <chrono>

namespace cairn::app {

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
            return kUsage;
        case StatusCode::stale_index:
        case StatusCode::too_large:
        case StatusCode::corrupt_file:
        case StatusCode::wrong_version:
        case StatusCode::wrong_map:
            return kBadInput;
        case StatusCode::io_error:
            return kIoError;
        case StatusCode::cancelled:
            return kCancelled;
    }
    return kFailed;
}

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name,
                      const std::string& summary, const std::string& examples) {
    CLI::App* command = app.add_subcommand(name, summary);
    command->footer("Examples:\n" + examples);
    command->add_flag("--json", context.json, "Answer with one JSON document")->group("Output");
    return command;
}

void say(const Json& document) {
    say("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_ >= 0) fmt::print(stderr, "\r\x1b[K");
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
