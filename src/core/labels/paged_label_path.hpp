#pragma once
// The path of a meeting that was found by labels in pages, which have no hops.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "closure_view.hpp"
#include "label_pages.hpp"
#include "unpack.hpp"

namespace cairn {

/// A label tells where the last closure edge of the path to an ancestor begins, then where that to
/// this node begins, and so on down to the label's own node. Middles give the nodes inside these
/// edges.
class PagedLabelPath {
public:
    PagedLabelPath(const CutLabelArrays& arrays, const CutLabels::Pages& pages,
                   ClosureScratch& scratch)
        : arrays_(arrays),
          pages_(pages),
          closure_(*pages.closure.storage()),
          view_(closure_),
          scratch_(scratch) {}

    /// Sets `nodes` to the path from `from` over the ancestor at index `entry` of both labels,
    /// which is the node at place `target` in depth-first order, to `to`.
    [[nodiscard]] bool join(std::uint32_t from, std::uint32_t to, std::uint32_t target,
                            std::uint32_t entry, std::vector<std::uint32_t>& nodes) {
        nodes.clear();
        std::vector<std::uint32_t>& places = scratch_.start_places_;
        std::vector<std::uint32_t>& down = scratch_.goal_places_;
        if (!trace(from, entry, Way::up, places) || !trace(to, entry, Way::down, down))
            return false;
        places.push_back(closure_.places[arrays_.places[target].node]);
        places.insert(places.end(), down.rbegin(), down.rend());
        return ClosureUnpacker(view_, scratch_.halves_).append_path(places, nodes);
    }

    /// Sets `places` to those of the path between a node and the ancestor, without the ancestor,
    /// from the node on: where its closure edges begin or end. False on forged arrays.
    [[nodiscard]] bool trace(std::uint32_t node, std::uint32_t entry, Way way,
                             std::vector<std::uint32_t>& places) const {
        const CutLabelNode& label = arrays_.nodes[node];
        const std::uint16_t* const lasts = pages_.way(way).lasts(label.first);
        places.clear();
        while (entry + 1 != label.length) {
            const std::uint32_t last = lasts[entry];
            if (last <= entry || last >= label.length) return false;
            places.push_back(last);
            entry = last;
        }
        std::reverse(places.begin(), places.end());
        // From depths to places.
        std::uint32_t group = label.group;
        for (std::uint32_t& at : places) {
            while (arrays_.group_common[group] > at) group = arrays_.groups[group].parent;
            const std::uint32_t position =
                arrays_.groups[group].place + (at - arrays_.group_common[group]);
            at = closure_.places[arrays_.places[position].node];
        }
        return true;
    }

private:
    const CutLabelArrays& arrays_;
    const CutLabels::Pages& pages_;
    const Closure::Storage& closure_;
    ClosureView view_;
    ClosureScratch& scratch_;
};

}  // namespace cairn
