#include "command.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace cairn::app {
namespace {

bool holds_objects(const Json& value) {
    return value.is_object() ||
           (value.is_array() && std::any_of(value.begin(), value.end(), holds_objects));
}

/// An object a line for each key; arrays of plain values on one line.
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

}  // namespace

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
