// Statuses, messages, versions and parts, and what all functions share.

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "cairn/file.hpp"
#include "cairn/threads.hpp"
#include "cairn/version.hpp"
#include "handles.hpp"

namespace cairn::c {
namespace {

// A fixed buffer, so that a message needs no memory.
struct LastMessage {
    StatusCode code = StatusCode::ok;
    std::array<char, 1024> text{};  // empty: the code's description
};
thread_local constinit LastMessage last_message;

// StatusCode and cairn_status have the same numbers.
#define CAIRN_SAME(C, CPP) static_assert(static_cast<int>(StatusCode::CPP) == (C))
CAIRN_SAME(CAIRN_OK, ok);
CAIRN_SAME(CAIRN_START_OUTSIDE, start_outside);
CAIRN_SAME(CAIRN_GOAL_OUTSIDE, goal_outside);
CAIRN_SAME(CAIRN_START_BLOCKED, start_blocked);
CAIRN_SAME(CAIRN_GOAL_BLOCKED, goal_blocked);
CAIRN_SAME(CAIRN_NO_PATH, no_path);
CAIRN_SAME(CAIRN_OVER_COST_LIMIT, over_cost_limit);
CAIRN_SAME(CAIRN_BUDGET_EXHAUSTED, budget_exhausted);
CAIRN_SAME(CAIRN_CANCELLED, cancelled);
CAIRN_SAME(CAIRN_STALE_INDEX, stale_index);
CAIRN_SAME(CAIRN_UNSUPPORTED, unsupported);
CAIRN_SAME(CAIRN_BAD_OPTION, bad_option);
CAIRN_SAME(CAIRN_TOO_LARGE, too_large);
CAIRN_SAME(CAIRN_IO_ERROR, io_error);
CAIRN_SAME(CAIRN_CORRUPT_FILE, corrupt_file);
CAIRN_SAME(CAIRN_WRONG_VERSION, wrong_version);
CAIRN_SAME(CAIRN_WRONG_MAP, wrong_map);
CAIRN_SAME(CAIRN_NO_DEVICE, no_device);
CAIRN_SAME(CAIRN_OUT_OF_MEMORY, out_of_memory);
CAIRN_SAME(CAIRN_DEVICE_FAILED, device_failed);
CAIRN_SAME(CAIRN_COST_TOO_LARGE, cost_too_large);
#undef CAIRN_SAME
static_assert(CAIRN_INFINITY == kInfinity);

struct Part {
    std::string_view name;
    bool built;
};
constexpr std::array kParts{
    Part{"hpa", CAIRN_HAS_HPA},
    Part{"subgoal", CAIRN_HAS_SUBGOAL},
    Part{"haa", CAIRN_HAS_HAA},
    Part{"mesh", CAIRN_HAS_MESH},
    Part{"hna", CAIRN_HAS_HNA},
    Part{"batch", CAIRN_HAS_BATCH},
    Part{"world", CAIRN_HAS_WORLD},
    Part{"formats", CAIRN_HAS_FORMATS},
    Part{"more_formats", CAIRN_HAS_FORMATS&& CAIRN_HAS_MORE_FORMATS},
    Part{"tiled", CAIRN_HAS_FORMATS&& CAIRN_HAS_TILED},
    Part{"index_file", CAIRN_HAS_INDEX_FILE},
    Part{"render", CAIRN_HAS_RENDER},
    Part{"detour", CAIRN_HAS_DETOUR},
};

int report_progress(const cairn_control& control, double fraction) {
    return control.progress(control.user, fraction);
}

}  // namespace

cairn_status report(StatusCode code, std::string_view message) noexcept {
    if (code != StatusCode::ok) {
        last_message.code = code;
        const std::size_t length = std::min(message.size(), last_message.text.size() - 1);
        std::copy_n(message.data(), length, last_message.text.data());
        last_message.text[length] = 0;
    }
    return static_cast<cairn_status>(code);
}

Result<std::vector<Setting>> settings_of(const cairn_setting* settings, std::size_t count) {
    std::vector<Setting> out;
    if (count > 0 && settings == nullptr) return tl::unexpected(null_argument());
    for (std::size_t i = 0; i < count; ++i) {
        if (settings[i].name == nullptr || settings[i].value == nullptr)
            return tl::unexpected(null_argument());
        out.push_back({settings[i].name, settings[i].value});
    }
    return out;
}

Status check_choice(const char* name, std::int64_t value, std::int64_t most) {
    if (value >= 0 && value <= most) return {};
    return {StatusCode::bad_option, std::string(name) + " " + std::to_string(value) +
                                        ": must be 0 to " + std::to_string(most)};
}

std::string extension_of(std::string_view path) {
    const std::size_t dot = path.find_last_of("./");
    if (dot == std::string_view::npos || path[dot] == '/') return "";
    std::string extension(path.substr(dot));
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

Control::Control(const cairn_control* control) noexcept : given_(control) {
    if (!given_.valid()) return;
    CancelFlag* flag = given_->cancel == nullptr ? &own_ : given_->cancel->flag.get();
    build_.cancel = flag;
    build_.threads = given_->threads;
    if (given_->progress != nullptr) {
        // Two pointers, which std::function holds without an allocation.
        build_.progress = [control = given_.operator->(), flag](double fraction) {
            if (report_progress(*control, fraction) != 0) flag->cancel();
        };
    }
    if (given_->run != nullptr) {
        jobs_ = {given_->context, given_->run, given_->workers};
        build_.jobs = &jobs_;
    }
}

Status Control::check() const { return given_.valid() ? Status{} : wrong_size(); }

}  // namespace cairn::c

using namespace cairn::c;  // NOLINT(google-build-using-namespace): the functions are global
using cairn::StatusCode;

const char* cairn_last_message() {
    if (last_message.code == StatusCode::ok) return "";
    if (last_message.text[0] == 0) return describe(last_message.code).data();
    return last_message.text.data();
}

const char* cairn_status_name(cairn_status status) {
    const int number = status;
    return name(static_cast<StatusCode>(number < 0 || number > 255 ? 255 : number)).data();
}

const char* cairn_status_text(cairn_status status) {
    const int number = status;
    return describe(static_cast<StatusCode>(number < 0 || number > 255 ? 255 : number)).data();
}

const char* cairn_version() { return cairn::version().data(); }

cairn_status cairn_check_version(int major, int minor) {
    const bool same = major == CAIRN_VERSION_MAJOR;
    const bool fits =
        major == 0 ? minor == CAIRN_VERSION_MINOR : minor >= 0 && minor <= CAIRN_VERSION_MINOR;
    if (same && fits) return CAIRN_OK;
    return report(StatusCode::wrong_version,
                  "the program was compiled for another version than " CAIRN_VERSION_STRING);
}

int cairn_has(const char* part) {
    if (part == nullptr) return 0;
    if (part == std::string_view("threads")) return cairn::has_thread_pool() ? 1 : 0;
    for (const Part& known : kParts) {
        if (known.name == part) return known.built ? 1 : 0;
    }
    return 0;
}

cairn_status cairn_cancel_create(cairn_cancel** cancel) {
    return make(cancel, []() -> cairn::Result<cairn_cancel> {
        return cairn_cancel{std::make_shared<cairn::CancelFlag>()};
    });
}
void cairn_cancel_set(cairn_cancel* cancel) {
    if (cancel != nullptr) cancel->flag->cancel();
}
void cairn_cancel_reset(cairn_cancel* cancel) {
    if (cancel != nullptr) cancel->flag->reset();
}
void cairn_cancel_free(cairn_cancel* cancel) { delete cancel; }

const void* cairn_bytes_data(const cairn_bytes* bytes) {
    return bytes == nullptr ? nullptr : bytes->bytes.data();
}
size_t cairn_bytes_size(const cairn_bytes* bytes) {
    return bytes == nullptr ? 0 : bytes->bytes.size();
}
cairn_status cairn_bytes_save(const cairn_bytes* bytes, const char* path) {
    return call([&] { return cairn::write_file_atomically(path, bytes->bytes); }, bytes, path);
}
void cairn_bytes_free(cairn_bytes* bytes) { delete bytes; }
