#pragma once
// Labels of an earlier snapshot as the base from which those of a later one are repaired.

#include <memory>

#include "cairn/cut_labels.hpp"
#include "cairn/parts.hpp"

#if CAIRN_HAS_HNA
#include "cairn/hna/index.hpp"
#include "hna/snapshot.hpp"
#endif
#if CAIRN_HAS_HPA
#include "cairn/hpa/index.hpp"
#include "hpa/snapshot.hpp"
#endif
#if CAIRN_HAS_SUBGOAL
#include "cairn/subgoal/index.hpp"
#include "subgoal/snapshot.hpp"
#endif

namespace cairn {

// based_on: the index `now`, whose labels will be repaired from those of `earlier`, an index with
// labels that edits have turned into `now`. Throws if memory runs out.

#if CAIRN_HAS_HPA
inline hpa::Index based_on(const hpa::Index& now, const hpa::Index& earlier) {
    auto snapshot = std::make_shared<hpa::Snapshot>(now.snapshot());
    snapshot->labels = std::make_shared<const hpa::LabelEngine>(hpa::LabelEngine{
        snapshot->labels->nodes,
        CutLabels(snapshot->labels->labels.closure(), earlier.snapshot().labels->labels)});
    return hpa::Index(std::move(snapshot));
}
#endif
#if CAIRN_HAS_HNA
inline hna::Index based_on(const hna::Index& now, const hna::Index& earlier) {
    auto snapshot = std::make_shared<hna::Snapshot>(now.snapshot());
    snapshot->labels = std::make_shared<const hna::LabelEngine>(hna::LabelEngine{
        CutLabels(snapshot->labels->labels.closure(), earlier.snapshot().labels->labels)});
    return hna::Index(std::move(snapshot));
}
#endif
#if CAIRN_HAS_SUBGOAL
inline subgoal::Index based_on(const subgoal::Index& now, const subgoal::Index& earlier) {
    auto snapshot = std::make_shared<subgoal::Snapshot>(now.snapshot());
    snapshot->labels = CutLabels(snapshot->labels.closure(), earlier.snapshot().labels);
    return subgoal::Index(std::move(snapshot));
}
#endif

}  // namespace cairn
