#include "separator_shares.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace cairn {

Shares::Shares(const SeparatorTree& tree) {
    constexpr std::uint32_t kShares = 64;
    const auto count = static_cast<std::uint32_t>(tree.node.size());
    const std::uint32_t most = count / kShares + 1;
    for (std::uint32_t p = 0; p < count;) {
        const bool small = tree.end[p] - p <= most;
        (small ? roots : above).push_back(p);
        p = small ? tree.end[p] : p + 1;
    }
}

void Shares::run(const BuildControl& control,
                 const std::function<void(std::uint32_t)>& work) const {
    const int threads =
        control.threads > 0 ? control.threads : oneapi::tbb::info::default_concurrency();
    if (threads == 1) {
        for (const std::uint32_t root : roots) work(root);
        return;
    }
    oneapi::tbb::task_arena arena(threads);
    arena.execute([&] {
        oneapi::tbb::parallel_for(std::size_t{0}, roots.size(),
                                  [&](std::size_t i) { work(roots[i]); });
    });
}

}  // namespace cairn
