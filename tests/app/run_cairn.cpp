#include "run_cairn.hpp"

#include <sys/wait.h>

#include <cstdlib>

namespace cairn::test {

Ran run_program(const std::string& program, const std::filesystem::path& folder,
                const std::string& arguments) {
    const ScratchFolder output;
    const std::string out = (output.path() / "out").string();
    const std::string err = (output.path() / "err").string();
    const std::string command = "cd '" + folder.string() + "' && { '" + program + "' " + arguments +
                                "; } >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    Ran run;
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.out = bytes_of(out);
    run.err = bytes_of(err);
    return run;
}

Ran run_cairn(const std::filesystem::path& folder, const std::string& arguments) {
    return run_program(CAIRN_APP, folder, arguments);
}

}  // namespace cairn::test
