#include "hna/path_tree.hpp"

#include <algorithm>

#include "core/labels/hop_path.hpp"

namespace cairn::hna {

void PathTree::clear() noexcept {
    joined_ = kNoBranch;
    knows_all_ = false;
    if (branches_.empty()) return;
    branches_.clear();
    nodes_.clear();
    exits_.clear();
    links_.clear();
    if (++round_ != 0) return;
    std::fill(marks_.begin(), marks_.end(), Mark{});
    round_ = 1;
}

bool PathTree::find_path(const CutLabels& labels, const CutLabelMeeting& meeting,
                         std::uint32_t from, std::vector<std::uint32_t>& path) {
    joined_ = kNoBranch;
    knows_all_ = false;
    if (branches_.empty()) return false;
    std::uint32_t at = 0;
    const HopPath hops(labels.arrays(), meeting.place, meeting.entry);
    const bool joins = hops.up_to_known(from, labels.arrays().up, path, [&](std::uint32_t node) {
        if (node >= marks_.size() || !leads_on(marks_[node], meeting)) return false;
        joined_ = marks_[node].branch;
        at = marks_[node].at;
        return true;
    });
    if (!joins) return false;
    knows_all_ = path.empty();
    path.insert(path.end(), nodes_.begin() + at, nodes_.begin() + branches_[joined_].nodes_end);
    return true;
}

std::size_t PathTree::known_steps(std::span<const Step> steps) const noexcept {
    if (joined_ == kNoBranch) return 0;
    const Branch& branch = branches_[joined_];
    const std::size_t most =
        std::min<std::size_t>(steps.size(), branch.exits_end - branch.exits_begin);
    std::size_t count = 0;
    while (count < most &&
           steps[steps.size() - count - 1].exit == exits_[branch.exits_end - count - 1].exit) {
        ++count;
    }
    return count;
}

void PathTree::append_known(std::size_t count, std::vector<std::uint32_t>& links_at,
                            std::vector<mesh::Link>& links) const {
    const Branch& branch = branches_[joined_];
    const auto exits = std::span(exits_).first(branch.exits_end).last(count);
    const std::uint32_t first = exits.front().links_end;
    const std::uint32_t shift = links_at.back() - first;
    for (const Exit& exit : exits.subspan(1)) links_at.push_back(exit.links_end + shift);
    const auto known = std::span(links_).first(branch.links_end).subspan(first);
    links.insert(links.end(), known.begin(), known.end());
}

void PathTree::add(const CutLabels& labels, const CutLabelMeeting& meeting,
                   std::span<const std::uint32_t> path, std::span<const Step> steps,
                   std::span<const std::uint32_t> links_at, std::span<const mesh::Link> links) {
    if (links_.size() + links.size() > kMostLinks) clear();
    if (marks_.size() < labels.num_nodes()) marks_.resize(labels.num_nodes());
    const auto id = static_cast<std::uint32_t>(branches_.size());
    const auto first_node = static_cast<std::uint32_t>(nodes_.size());
    const auto first_link = static_cast<std::uint32_t>(links_.size());
    Branch& branch = branches_.emplace_back();
    branch.goal = meeting.goal;
    branch.place = meeting.place;
    for (std::uint32_t i = 0; i < path.size(); ++i) {
        Mark& mark = marks_[path[i]];
        if (!leads_on(mark, meeting)) mark = {round_, id, first_node + i};
    }
    nodes_.insert(nodes_.end(), path.begin(), path.end());
    links_.insert(links_.end(), links.begin(), links.end());
    branch.nodes_end = static_cast<std::uint32_t>(nodes_.size());
    branch.links_end = static_cast<std::uint32_t>(links_.size());
    branch.exits_begin = static_cast<std::uint32_t>(exits_.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        exits_.push_back({steps[i].exit, first_link + links_at[i]});
    branch.exits_end = static_cast<std::uint32_t>(exits_.size());
}

}  // namespace cairn::hna
