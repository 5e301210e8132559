#pragma once
// Progress of a build that has several parts.

#include "cairn/control.hpp"

namespace cairn {

/// The control of a part of the work, which reports progress from `from` to `to` of the whole.
[[nodiscard]] inline BuildControl part_of(const BuildControl& control, double from, double to) {
    BuildControl part = control;
    if (control.progress) {
        part.progress = [report = control.progress, from, to](double done) {
            report(from + (to - from) * done);
        };
    }
    return part;
}

}  // namespace cairn
