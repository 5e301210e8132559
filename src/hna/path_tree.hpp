#pragma once
// Ways to one goal, by labels. Ways that meet the goal's label at one ancestor, for one of its
// connectors, follow the same hops there, and from where two of them join they are one. What a way
// has in common with one that is known is neither climbed nor unpacked again: a goal that many head
// for is served by one tree of ways.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/mesh/mesh.hpp"
#include "hna/steps.hpp"

namespace cairn::hna {

class WaysToGoal {
public:
    /// Makes it another goal's, or another snapshot's.
    void clear() noexcept;

    /// The nodes of the labels' path from node `from` that has its topmost ancestor at `meeting`,
    /// as CutLabels::find_path gives them. False if none of it is known.
    [[nodiscard]] bool find_path(const CutLabels& labels, const CutLabelMeeting& meeting,
                                 std::uint32_t from, std::vector<std::uint32_t>& path);

    /// How many of the last of these steps the way that the last path found has joined takes, too.
    [[nodiscard]] std::size_t known_steps(std::span<const Step> steps) const noexcept;
    /// Appends the links that this way crosses after the first of its last `count` steps, at least
    /// one; and to `links_at`, whose last is that step's, how many there are when the others are
    /// made.
    void append_rest(std::size_t count, std::vector<std::uint32_t>& links_at,
                     std::vector<mesh::Link>& links) const;

    /// Keeps a way that find_path had not found whole: what it had looked for, and the way's path,
    /// steps and links, of which links_at[i] have been crossed when step i is made.
    void add(const CutLabels& labels, const CutLabelMeeting& meeting,
             std::span<const std::uint32_t> path, std::span<const Step> steps,
             std::span<const std::uint32_t> links_at, std::span<const mesh::Link> links);
    /// Whether the last path that was looked for is known from its first node on.
    [[nodiscard]] bool knows_all() const noexcept { return knows_all_; }

private:
    static constexpr std::uint32_t kNoWay = std::numeric_limits<std::uint32_t>::max();
    /// Links up to which ways are kept; then they are forgotten and gathered again.
    static constexpr std::size_t kMostLinks = std::size_t{1} << 16;

    /// A node on a way.
    struct Mark {
        std::uint32_t round = 0;
        std::uint32_t way = 0;
        std::uint32_t at = 0;  // in nodes_
    };
    /// A step of a way.
    struct Exit {
        mesh::Link exit = mesh::kNone;
        std::uint32_t links = 0;  // the end, in links_, of what has been crossed then
    };
    struct Way {
        std::uint32_t goal = 0;  // connector
        std::uint32_t place = 0;
        std::uint32_t nodes_end = 0;
        std::uint32_t exits_begin = 0;
        std::uint32_t exits_end = 0;
        std::uint32_t links_end = 0;
    };
    [[nodiscard]] bool leads_on(const Mark& mark, const CutLabelMeeting& meeting) const noexcept {
        return mark.round == round_ && ways_[mark.way].place == meeting.place &&
               ways_[mark.way].goal == meeting.goal;
    }

    std::uint32_t round_ = 1;
    std::vector<Mark> marks_;  // by node
    std::vector<Way> ways_;
    std::vector<std::uint32_t> nodes_;  // way by way
    std::vector<Exit> exits_;
    std::vector<mesh::Link> links_;
    std::uint32_t joined_ = kNoWay;  // by the last path
    bool knows_all_ = false;
};

}  // namespace cairn::hna
