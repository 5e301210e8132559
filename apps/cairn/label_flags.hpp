#pragma once
// Options of cut labels, which all indexes may have.

#include <cstdint>
#include <vector>

#include "command.hpp"

namespace cairn::app {

/// --no-labels and --label-mb.
struct LabelFlags {
    /// Gives the options, which belong to no group yet.
    [[nodiscard]] std::vector<CLI::Option*> add_to(CLI::App& command);
    [[nodiscard]] bool wanted() const noexcept { return !none_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return mb_ << 20; }

private:
    bool none_ = false;
    std::uint64_t mb_ = 256;
};

}  // namespace cairn::app
