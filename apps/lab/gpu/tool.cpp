#include "gpu/tool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "text.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every C library

namespace cairn::app {

bool is_installed(const std::string& program) {
    const char* const path = std::getenv("PATH");
    const std::vector<std::string> folders = split(path == nullptr ? "" : path, ':');
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        return ::access((folder + '/' + program).c_str(), X_OK) == 0;
    });
}

Result<ToolRun> run_tool(const std::vector<std::string>& words) {
    const auto failed = [&](int error) {
        return fail(StatusCode::io_error, fmt::format("{}: {}", words[0], std::strerror(error)));
    };
    std::array<int, 2> ends{};  // of a pipe: to read, to write
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed(errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int to : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_adddup2(&actions, ends[1], to);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int error =
        ::posix_spawnp(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ToolRun run;
    if (error == 0) {
        std::array<char, 4096> block{};
        for (;;) {
            const ssize_t size = ::read(ends[0], block.data(), block.size());
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) break;
            run.output.append(block.data(), static_cast<std::size_t>(size));
        }
    }
    ::close(ends[0]);
    if (error != 0) return failed(error);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return failed(errno);
    }
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

}  // namespace cairn::app
