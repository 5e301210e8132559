#pragma once
// The host's part of batches on meshes; see host_share.hpp.

#include "batch/device/host_share.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/path.hpp"
#include "hna/locate.hpp"
#include "hna/snapshot.hpp"

namespace cairn::batch {

class HnaHost {
public:
    using Arrays = HnaArrays;
    using Form = HnaForm;
    using Index = hna::Index;

    void begin(const Index& index, const DeviceQuery& query) {
        index_ = &index;
        by_astar_ = query.engine == DeviceEngine::polygon_astar;
        query_ = {};
        query_.engine = query.engine == DeviceEngine::cut_labels ? hna::Engine::cut_labels
                        : query.engine == DeviceEngine::climb    ? hna::Engine::climb
                                                                 : hna::Engine::astar;
        query_.connect = hna::ConnectBy::portals;
        query_.search_level = query.search_level;
        const bool only_top =
            query_.engine == hna::Engine::astar && query.search_level == hna::SearchLevel::top;
        level_ = only_top ? index.snapshot().top() : 1;
        query_.detail = query.corridors ? hna::Detail::corridor : hna::Detail::cost;
        query_.reach = query.reach;
    }

    [[nodiscard]] StatusCode locate(mesh::Request& request) const {
        const hna::Snapshot& snapshot = index_->snapshot();
        const StatusCode status = hna::locate_start(snapshot, query_.reach, request.start);
        if (status != StatusCode::ok) return status;
        return hna::locate_goal(snapshot, query_.reach, request.start.polygon, request.goal);
    }

    /// Whether start and goal lie in one cluster or, for A* over the polygons, in one polygon:
    /// devices look only for paths between different ones.
    [[nodiscard]] bool answers(const mesh::Request& request) const {
        const mesh::Polygon start = request.start.polygon;
        const mesh::Polygon goal = request.goal.polygon;
        if (by_astar_) return start == goal;
        const hna::Partition& partition = index_->snapshot().partition();
        return partition.cluster(level_, start) == partition.cluster(level_, goal);
    }

    class Worker {
    public:
        /// The items of the answer stay valid until the next call.
        [[nodiscard]] HostAnswer answer(const HnaHost& host, const mesh::Request& request) {
            if (host.by_astar_) return by_astar(host, request);
            hna::Query query = host.query_;
            assign(request, query);
            searcher_.find(*host.index_, query, answer_);
            return {answer_.status, answer_.cost, answer_.polygons};
        }

    private:
        [[nodiscard]] HostAnswer by_astar(const HnaHost& host, const mesh::Request& request) {
            const mesh::Mesh& mesh = host.index_->mesh();
            const StatusCode status = astar_.find_path(mesh, request.start, request.goal, path_);
            answer_.polygons.clear();
            if (status == StatusCode::ok && host.query_.detail == hna::Detail::corridor)
                mesh::polygons(mesh, request.start.polygon, path_.links, answer_.polygons);
            return {status, path_.cost, answer_.polygons};
        }

        hna::Searcher searcher_;
        hna::Answer answer_;
        mesh::Astar astar_;
        mesh::Path path_;
    };

private:
    const Index* index_ = nullptr;
    bool by_astar_ = false;  // whether the engine is A* over the polygons
    int level_ = 1;          // devices search only between different clusters of this level
    hna::Query query_;
};

}  // namespace cairn::batch
