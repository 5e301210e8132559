#pragma once
// Many agents at once on a GPU: an index is copied to it once, then answers batch after batch.
//
// HNA* (Rahmani, Pelechano), sections 5.2 and 6: there a block of four threads plans for an agent,
// two of which connect its ends, while A* on the HNG runs on a third. That leaves most of a GPU
// idle. Here a warp answers a request by cut labels: its lanes connect
// inter-edges, compare entries of labels, and follow the ways inside different clusters, all at
// once.
//
// Where there is no GPU the same kernels run on the host's processors, with the same results. The
// result is that of hna::Searcher for each request by itself, bit for bit, on either; on grids that
// of subgoal::Searcher or hpa::Searcher.
//
// What a device does not do is done on the host meanwhile: places are located, and requests are
// answered whose ends lie in one cluster, or on a grid may be joined by a free line with one turn
// or, on a subgoal graph, with two.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::batch {

enum class DeviceKind : std::uint8_t {
    automatic,  ///< a GPU where there is one, else the host
    gpu,        ///< CUDA, from compute capability 7.5 on
    host,       ///< the kernels on the host's processors
};

struct DeviceOptions {
    DeviceKind kind = DeviceKind::automatic;
    /// Which GPU, from 0.
    int gpu = 0;
    /// Bytes that indexes and searchers may take of the device's memory in all.
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    /// Of the host: how many, 0 for all.
    int threads = 0;
};

class Machine;

/// A GPU, or the host in its place. Cheap to copy; may be used from any thread.
class Device {
public:
    /// Whether Cairn was built with CUDA.
    [[nodiscard]] static bool built_for_gpus() noexcept;
    /// Errors: no_device (DeviceKind::gpu, and there is none, or it is too old, or Cairn was built
    /// without CUDA); bad_option (negative numbers).
    [[nodiscard]] static Result<Device> open(const DeviceOptions& options = {});

    [[nodiscard]] bool is_gpu() const noexcept;
    /// For people: what it calls itself.
    [[nodiscard]] std::string name() const;
    /// Bytes of its memory that indexes and searchers have taken.
    [[nodiscard]] std::uint64_t bytes_in_use() const noexcept;

    /// For Cairn's own parts.
    [[nodiscard]] const std::shared_ptr<Machine>& machine() const noexcept { return machine_; }

private:
    explicit Device(std::shared_ptr<Machine> machine) noexcept : machine_(std::move(machine)) {}
    std::shared_ptr<Machine> machine_;
};

/// A snapshot of an HNA* index on a device. Immutable, cheap to copy, may be used from any thread;
/// keeps device and index alive. An edit makes a new index: load that, the old one answers
/// meanwhile.
class DeviceIndex {
public:
    /// Copies level 1: rows, HNG, and labels if there are any. Errors: out_of_memory (the
    /// device's, or the host's); device_failed. O(bytes).
    [[nodiscard]] static Result<DeviceIndex> load(const Device& device, const hna::Index& index);

    [[nodiscard]] const hna::Index& index() const noexcept;
    [[nodiscard]] const Device& device() const noexcept;
    /// Bytes of the device's memory that the index takes.
    [[nodiscard]] std::size_t bytes() const noexcept;

    struct Data;
    /// For Cairn's own parts.
    [[nodiscard]] const Data& data() const noexcept { return *data_; }

private:
    explicit DeviceIndex(std::shared_ptr<const Data> data) noexcept : data_(std::move(data)) {}
    std::shared_ptr<const Data> data_;
};

/// The same of an index of a grid, for cut labels.
class DeviceGridIndex {
public:
    /// Copies the connectors of all cells and the labels. Errors: out_of_memory (the device's, or
    /// the host's); device_failed; unsupported, with what to do, if the index has no cut
    /// labels (after an edit `with_labels` brings them), too many connectors for a table, or edges
    /// other than Edges::direct. O(bytes).
    [[nodiscard]] static Result<DeviceGridIndex> load(const Device& device,
                                                      const subgoal::Index& index);
    /// Copies move tables and labels of level 1, and the weights of the cells where they differ. An
    /// agent's view (haa::Index::view) is such an index, too.
    /// Errors: as above; unsupported, with what to do, if the index has no cut labels
    /// (`with_labels` brings them) or no move tables. O(bytes).
    [[nodiscard]] static Result<DeviceGridIndex> load(const Device& device,
                                                      const hpa::Index& index);

    [[nodiscard]] const grid::Map& map() const noexcept;
    [[nodiscard]] const Device& device() const noexcept;
    /// Bytes of the device's memory that the index takes.
    [[nodiscard]] std::size_t bytes() const noexcept;

    struct Data;
    /// For Cairn's own parts.
    [[nodiscard]] const Data& data() const noexcept { return *data_; }

private:
    explicit DeviceGridIndex(std::shared_ptr<const Data> data) noexcept : data_(std::move(data)) {}
    std::shared_ptr<const Data> data_;
};

/// What a device searches with. All give the same costs, each the corridors of its hna::Engine.
enum class DeviceEngine : std::uint8_t {
    /// Two-hop labels; a warp a request.
    cut_labels,
    /// A* on the HNG, connected by rows: the paper's section 6.1; a thread a request.
    pccp,
    /// The same connected by searches inside the clusters: sections 5.2 and 6.2; a warp a request,
    /// for
    /// the searches, of which one lane then does the A*.
    parallel_connect,
    /// A* over the polygons, the paper's yardstick; a thread a request. Its corridors are those of
    /// mesh::Astar.
    polygon_astar,
};

struct DeviceQuery {
    DeviceEngine engine = DeviceEngine::cut_labels;
    /// Corridors as well as costs.
    bool corridors = true;
    /// As hna::Query::reach.
    double reach = 0;
};

struct DeviceGridQuery {
    /// Paths as well as costs.
    bool paths = true;
    Cells cells = Cells::all;
};

/// The answers to a batch, in the order of its requests. They lie in memory of the searcher, until
/// its next batch of the kind or its end.
struct DeviceItems {
    std::span<const StatusCode> status;
    std::span<const Cost> cost;
    std::span<const std::uint64_t> first;  ///< size() + 1 indexes into `items`
    std::span<const std::uint32_t> items;

    [[nodiscard]] std::size_t size() const noexcept { return status.size(); }
    /// The items of a request below size(); none where it has no path.
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t request) const noexcept {
        return items.subspan(first[request], first[request + 1] - first[request]);
    }
};

/// See mesh::Paths.
struct DevicePaths : DeviceItems {
    /// The corridor of a request below size(); empty where it has none.
    [[nodiscard]] std::span<const mesh::Polygon> polygons(std::size_t request) const noexcept {
        return of(request);
    }
};

/// See grid::Paths.
struct DeviceCellPaths : DeviceItems {
    /// The path of a request below size(); empty where it has none.
    [[nodiscard]] std::span<const grid::Cell> cells(std::size_t request) const noexcept {
        return of(request);
    }
};

/// What a batch took beyond its answers.
struct DeviceStatistics {
    std::uint64_t on_device = 0;     ///< requests answered by the device
    std::uint64_t on_host = 0;       ///< by searches of the host
    std::uint64_t bytes_copied = 0;  ///< to the device and back
    std::uint64_t launches = 0;      ///< of kernels
};

/// Asks a device for batches. One per thread; memory for the largest batch is kept, so that a
/// batch like the last one takes none.
class DeviceSearcher {
public:
    struct Options {
        /// Trips that go to the device together, 1 to 2^24; two such chunks are under way at a
        /// time, one being copied while the other is answered.
        std::uint32_t portion = 65'536;
    };

    explicit DeviceSearcher(const Device& device);
    DeviceSearcher(const Device& device, const Options& options);
    ~DeviceSearcher();
    /// What is moved from can be assigned to or destroyed, nothing else.
    DeviceSearcher(DeviceSearcher&&) noexcept;
    DeviceSearcher& operator=(DeviceSearcher&&) noexcept;

    /// Answers all requests. When `control.cancel` is set, what has been answered is
    /// returned and all else is StatusCode::cancelled. Chunks that the device's memory does not
    /// hold are answered by the host.
    ///
    /// Errors: out_of_memory (not even room for one request on the device, or for the routes in the
    /// host's memory); bad_option (the index is on
    /// another device; portion, threads or reach out of range); unsupported (the index has no cut
    /// labels for an engine that needs them, see hna::Index::labels_status; or the engine is A* on
    /// the HNG and the index has several levels); device_failed.
    [[nodiscard]] Result<DevicePaths> find_paths(const DeviceIndex& index,
                                                 std::span<const mesh::Request> requests,
                                                 const DeviceQuery& query = {},
                                                 const BuildControl& control = {});

    /// The same on a grid, each request answered as by the engine cut_labels, on an HPA* index
    /// without smoothing. Errors: as above but for unsupported, which `load` says already.
    [[nodiscard]] Result<DeviceCellPaths> find_paths(const DeviceGridIndex& index,
                                                     std::span<const grid::Request> requests,
                                                     const DeviceGridQuery& query = {},
                                                     const BuildControl& control = {});

    /// Of the last batch.
    [[nodiscard]] const DeviceStatistics& statistics() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::batch
