#pragma once
// Progress of work that consists of parts.

#include "cairn/control.hpp"

namespace cairn {

/// Control over a part of the work, which counts as the share of it from `from` to `to`.
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
