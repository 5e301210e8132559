#pragma once
// Leaves out connections of the start (HPA* paper, section 5, "Simple improvements").

#include "cairn/hpa/query.hpp"
#include "core/memory.hpp"
#include "hpa/connect.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

/// The connections of a query's start that its ConnectRule keeps. One per thread.
class StartRule {
public:
    /// The connections to search with: `start`, which is connected to level 1, where the query's
    /// rule leaves nothing out for `engine`; else a copy without some, valid until the next call.
    /// `start` must outlive the query. O(n^2) for n nodes of its cluster.
    [[nodiscard]] Endpoint& apply(const Snapshot& snapshot, const Query& query, Engine engine,
                                  Endpoint& start);

    /// After a search that found nothing: all connections of the start if the rule may have left
    /// out those of every path, once; otherwise null.
    [[nodiscard]] Endpoint* lift() noexcept;

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(kept_); }

private:
    void leave_out_replaceable(const Snapshot& snapshot, const Endpoint& start);
    void leave_out_backward(const Snapshot& snapshot, const Query& query);

    Endpoint kept_;
    Endpoint* all_ = nullptr;  ///< what lift() gives
};

}  // namespace cairn::hpa
