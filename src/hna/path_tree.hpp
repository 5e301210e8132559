#pragma once
// Paths to one goal, by labels, as a tree. Paths that meet the goal's label at one ancestor, for
// one of its connectors, follow the same hops there: where two of them join, they stay one. So what
// a path has in common with a known branch is neither climbed nor unpacked again.

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

class PathTree {
public:
    /// Empties the tree, for another goal or another snapshot.
    void clear() noexcept;

    /// The nodes of the labels' path from node `from` that has its topmost ancestor at `meeting`,
    /// as CutLabels::find_path gives them. False if none of it is known.
    [[nodiscard]] bool find_path(const CutLabels& labels, const CutLabelMeeting& meeting,
                                 std::uint32_t from, std::vector<std::uint32_t>& path);

    /// How many of the last of these steps are also the last steps of the branch that the last path
    /// joined.
    [[nodiscard]] std::size_t known_steps(std::span<const Step> steps) const noexcept;
    /// Appends the links that this branch crosses after the first of its last `count` >= 1 steps.
    /// Appends to `links_at`, whose last entry is that step's, the number of links before each of
    /// the other steps.
    void append_rest(std::size_t count, std::vector<std::uint32_t>& links_at,
                     std::vector<mesh::Link>& links) const;

    /// Adds a path that find_path had not found whole: its labels and meeting, its nodes, its steps
    /// and its links, of which links_at[i] are crossed before step i.
    void add(const CutLabels& labels, const CutLabelMeeting& meeting,
             std::span<const std::uint32_t> path, std::span<const Step> steps,
             std::span<const std::uint32_t> links_at, std::span<const mesh::Link> links);
    /// Whether the last path is known from its first node on.
    [[nodiscard]] bool knows_all() const noexcept { return knows_all_; }
    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(marks_, branches_, nodes_, exits_, links_);
    }

private:
    static constexpr std::uint32_t kNoBranch = std::numeric_limits<std::uint32_t>::max();
    /// The most links that are kept; beyond it the tree is emptied.
    static constexpr std::size_t kMostLinks = std::size_t{1} << 16;

    /// A node of a branch.
    struct Mark {
        std::uint32_t round = 0;
        std::uint32_t branch = 0;
        std::uint32_t at = 0;  // in nodes_
    };
    /// A step of a branch.
    struct Exit {
        mesh::Link exit = mesh::kNone;
        std::uint32_t links = 0;  // one past the last link, in links_, crossed before it
    };
    struct Branch {
        std::uint32_t goal = 0;  // connector
        std::uint32_t place = 0;
        std::uint32_t nodes_end = 0;
        std::uint32_t exits_begin = 0;
        std::uint32_t exits_end = 0;
        std::uint32_t links_end = 0;
    };
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
    std::uint32_t joined_ = kNoBranch;  // by the last path
    bool knows_all_ = false;
};

}  // namespace cairn::hna
