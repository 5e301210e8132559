#pragma once
// A tree of the paths to one goal that cut labels have found. Paths with the same topmost ancestor
// (see CutLabelMeeting) and the same connector of the goal follow the same hops, so they are one
// from the first node that they share. A new path climbs and unpacks only the part before that.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/memory.hpp"
#include "hna/steps.hpp"

namespace cairn::hna {

/// All paths belong to one goal and one snapshot.
class PathTree {
public:
    /// Empties the tree, for another goal or another snapshot.
    void clear() noexcept;

    /// Writes the nodes of the path from node `from` over `meeting`, as CutLabels::find_path does.
    /// False if the path joins no known branch.
    [[nodiscard]] bool find_path(const CutLabels& labels, const CutLabelMeeting& meeting,
                                 std::uint32_t from, std::vector<std::uint32_t>& path);

    /// Given the steps of the last path: how many of them, counted from the goal, are also the last
    /// steps of the branch that it joined.
    [[nodiscard]] std::size_t known_steps(std::span<const Step> steps) const noexcept;
    /// Appends the rest of the path, as this branch has it. With the last `count` steps known, at
    /// least one, that is all after the exit of the first of them: the links, and the numbers of
    /// the later steps to `links_at` (as in `add`).
    void append_known(std::size_t count, std::vector<std::uint32_t>& links_at,
                      std::vector<mesh::Link>& links) const;

    /// Adds a path that was not known whole: its meeting, its nodes, its steps, and its links, of
    /// which links_at[i] are crossed up to the exit of step i.
    void add(const CutLabels& labels, const CutLabelMeeting& meeting,
             std::span<const std::uint32_t> path, std::span<const Step> steps,
             std::span<const std::uint32_t> links_at, std::span<const mesh::Link> links);
    /// Whether find_path knew all nodes of the last path.
    [[nodiscard]] bool knows_all() const noexcept { return knows_all_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(marks_, branches_, nodes_, exits_, links_);
    }

private:
    static constexpr std::uint32_t kNoBranch = std::numeric_limits<std::uint32_t>::max();
    /// The most links that are kept; beyond it the tree is emptied.
    static constexpr std::size_t kMostLinks = std::size_t{1} << 16;

    /// The branch that a node of the labels lies on.
    struct Mark {
        std::uint32_t round = 0;  // valid if it is round_
        std::uint32_t branch = 0;
        std::uint32_t at = 0;  // the node's index in nodes_
    };
    /// A step of a branch.
    struct Exit {
        mesh::Link exit = mesh::kNone;
        std::uint32_t links_end = 0;  // in links_: the end of the links up to this exit
    };
    /// A path to the goal, and where its parts begin and end in nodes_, exits_ and links_.
    struct Branch {
        std::uint32_t goal = 0;   // CutLabelMeeting::goal
        std::uint32_t place = 0;  // CutLabelMeeting::place
        std::uint32_t nodes_end = 0;
        std::uint32_t exits_begin = 0;
        std::uint32_t exits_end = 0;
        std::uint32_t links_end = 0;
    };
    /// Whether a mark is valid and its branch follows the hops of this meeting.
    [[nodiscard]] bool leads_on(const Mark& mark, const CutLabelMeeting& meeting) const noexcept {
        return mark.round == round_ && branches_[mark.branch].place == meeting.place &&
               branches_[mark.branch].goal == meeting.goal;
    }

    std::uint32_t round_ = 1;
    std::vector<Mark> marks_;  // by node
    std::vector<Branch> branches_;
    std::vector<std::uint32_t> nodes_;  // branch by branch
    std::vector<Exit> exits_;
    std::vector<mesh::Link> links_;
    std::uint32_t joined_ = kNoBranch;  // the branch that the last path joined
    bool knows_all_ = false;
};

}  // namespace cairn::hna
