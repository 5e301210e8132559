#pragma once
// Calls of the system that fail.

#include <string_view>

namespace cairn::test {

/// The call that fails: the n-th of its name from now on, with an errno. The linker sends these
/// calls of the library to functions of failing_calls.cpp.
struct Fault {
    std::string_view call;
    int nth = 0;
    int error = 0;
    int seen = 0;
};
extern Fault fault;

/// Sets the fault while it lives. `call`: open, read, "short read", write, "short write", fsync,
/// fchmod, rename, mmap or fstat.
class Failing {
public:
    Failing(std::string_view call, int nth, int error) { fault = {call, nth, error, 0}; }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
    ~Failing() { fault = {}; }
    [[nodiscard]] bool happened() const { return fault.seen >= fault.nth; }
};

}  // namespace cairn::test
