#include "separator_shares.hpp"

#include "core/parallel_loop.hpp"

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
    for_each_range(roots.size(), 1, control, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(roots[i]);
    });
}

}  // namespace cairn
