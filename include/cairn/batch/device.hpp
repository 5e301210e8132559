#pragma once
// Many agents at once on a GPU: an index is copied to it once and then serves batch after batch.
//
// After: Rahmani, Pelechano (HNA*), sections 5.2 and 6. In the paper a block of four threads plans
// for one agent: two threads connect the start S and the goal G, and a third runs A* on the HNG,
// the hierarchical navigation graph. That leaves most of a GPU idle. Here a warp (32 threads in
// step) answers a request by cut labels: its threads, called lanes, connect inter-edges, compare
// entries of labels, and follow paths inside different clusters in parallel.
//
// Without a GPU the same kernels run on the processors of the host. The results are the same. They
// equal those of hna::Searcher for each request, bit for bit; on grids those of subgoal::Searcher
// or hpa::Searcher.
//
// The host does part of the work at the same time: it locates places, and answers some requests
// itself. These are requests whose start and goal lie in one cluster (of level 1, or of the top
// level if that is forced), on a grid those that a free line with one turn may join (with two turns
// on a subgoal graph), and those for which the device finds no path.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/paths.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/paths.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"

namespace cairn::batch {

enum class DeviceKind : std::uint8_t {
    automatic,  ///< a GPU if there is one that works, otherwise the host
    gpu,        ///< CUDA, compute capability 7.5 or higher
    host,       ///< the same kernels on the processors of the host
};

struct DeviceOptions {
    DeviceKind kind = DeviceKind::automatic;
    /// The number of the GPU, from 0.
    int gpu = 0;
    /// The most bytes of device memory that all indexes and searchers together may take.
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    /// The number of host threads that run the kernels if there is no GPU, as
    /// BuildControl::threads.
    int threads = 0;
};

/// A fact about a device, for reports: {"compute capability", "9.0"}.
struct DeviceProperty {
    std::string name;
    std::string value;
};

/// A kernel as it was compiled for a GPU.
struct DeviceKernel {
    std::string name;
    int registers = 0;             ///< of a thread
    std::size_t local_bytes = 0;   ///< of a thread: spilled registers and local arrays
    std::size_t shared_bytes = 0;  ///< of a block
    int block_threads = 0;
    int resident_blocks = 0;  ///< that a multiprocessor runs at once
    double occupancy = 0;     ///< their threads, as a share of the most that it can hold
    int code_version = 0;     ///< 10 * major + minor of the machine code in use
    int ptx_version = 0;      ///< of the PTX from which that code was compiled
};

class Machine;  // for Cairn's own parts

/// A GPU, or the host instead of one. Cheap to copy; may be used from any thread.
class Device {
public:
    /// Whether Cairn was built with CUDA.
    [[nodiscard]] static bool built_for_gpus() noexcept;
    /// Opens a device. A GPU has to run a small kernel first, whose results are checked. The
    /// calling thread's current CUDA device stays what it was, and no other GPU is touched.
    ///
    /// Errors: bad_option (a number out of range). Those of a GPU, with DeviceKind::gpu only:
    /// no_device (there is none, it is too old, its driver is too old or cannot load the kernels,
    /// or Cairn was built without CUDA); out_of_memory (other programs use its memory);
    /// device_failed (its results are wrong, or CUDA reports another error).
    [[nodiscard]] static Result<Device> open(const DeviceOptions& options = {}) noexcept;

    [[nodiscard]] bool is_gpu() const noexcept;
    /// A readable name, such as the GPU's product name.
    [[nodiscard]] std::string name() const;
    /// Why DeviceKind::automatic took the host: the error that DeviceKind::gpu gives. Else ok.
    [[nodiscard]] const Status& why_no_gpu() const noexcept;
    /// The bytes of the device's memory that indexes and searchers take now.
    [[nodiscard]] std::uint64_t bytes_in_use() const noexcept;
    /// Facts about the device, for reports.
    [[nodiscard]] std::vector<DeviceProperty> properties() const;
    /// The kernels of a GPU; empty for the host.
    [[nodiscard]] std::vector<DeviceKernel> kernels() const;

    /// For Cairn's own parts.
    explicit Device(std::shared_ptr<Machine> machine) noexcept : machine_(std::move(machine)) {}
    [[nodiscard]] const std::shared_ptr<Machine>& machine() const noexcept { return machine_; }

private:
    std::shared_ptr<Machine> machine_;
};

/// A copy of an HNA* index on a device. Immutable, cheap to copy, may be used from any thread;
/// keeps the device and the index alive. An edit makes a new hna::Index, which has to be loaded
/// again; until then the old copy still serves.
class DeviceIndex {
public:
    /// Copies level 1: rows, HNG, the closure if there is one, and labels if all nodes have some;
    /// of a top level above it rows and HNG, if it has rows (hna::Options::pccp). Errors:
    /// out_of_memory (of the device or of the host); device_failed. O(bytes).
    [[nodiscard]] static Result<DeviceIndex> load(const Device& device,
                                                  const hna::Index& index) noexcept;

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

/// A copy of a grid index on a device, for queries by cut labels or by climbing. Immutable, cheap
/// to copy, may be used from any thread; keeps the device and the index alive.
class DeviceGridIndex {
public:
    /// Copies the connectors of all cells, the closure, and the labels if all subgoals have some.
    /// Errors: out_of_memory (of the device or of the host); device_failed; unsupported, with a
    /// message that says what to do, if there is no closure, if there is no table of connectors (it
    /// would be too large), or for edges other than Edges::direct. O(bytes); after edits, the time
    /// of computing labels with hops besides.
    [[nodiscard]] static Result<DeviceGridIndex> load(const Device& device,
                                                      const subgoal::Index& index) noexcept;
    /// Copies the move tables of level 1, the closure, the labels if all nodes have some, and on
    /// weighted terrain the weights of the cells. An agent's view (haa::Index::view) is such an
    /// index, too. Errors: out_of_memory (of the device or of the host); device_failed;
    /// unsupported, with a message that says what to do, if there is no closure (call
    /// `with_labels`) or there are no move tables. O(bytes), as above.
    [[nodiscard]] static Result<DeviceGridIndex> load(const Device& device,
                                                      const hpa::Index& index) noexcept;

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

/// How a device searches a mesh. All engines give the same costs. Each gives the corridors of the
/// hna::Engine that it corresponds to: cut_labels, climb, or astar with hna::ConnectBy::portals for
/// pccp and parallel_connect.
enum class DeviceEngine : std::uint8_t {
    /// Two-hop labels; one warp for each request.
    cut_labels,
    /// By climbing the closure of the labels; one warp for each request. On indexes without labels
    /// of all nodes, too: right after an edit, or where pieces have none.
    climb,
    /// A* on the HNG, with S and G connected by rows (section 6.1); one thread for each request.
    pccp,
    /// A* on the HNG, with S and G connected by searches inside the clusters (sections 5.2 and
    /// 6.2); one warp for each request, of which one lane runs A*.
    parallel_connect,
    /// A* over the polygons, the paper's baseline; one thread for each request. Its corridors are
    /// those of mesh::Astar.
    polygon_astar,
};

/// What all requests of a batch on a mesh have in common.
struct DeviceQuery {
    DeviceEngine engine = DeviceEngine::cut_labels;
    /// Return corridors as well as costs.
    bool corridors = true;
    /// As hna::Query::reach, in the units of the mesh; 0 to hna::kMaxReach.
    double reach = 0;
    /// As hna::Query::search_level, for pccp and parallel_connect. Both connect to the top level by
    /// what is stored for portals, so that `automatic` means level 1 only where start and goal
    /// share a cluster of the top level.
    hna::SearchLevel search_level = hna::SearchLevel::automatic;
};

/// How a device searches a grid. Both engines give the same paths.
enum class DeviceGridEngine : std::uint8_t {
    automatic,   ///< cut_labels if all nodes of the index have labels, else climb
    cut_labels,  ///< two-hop labels
    climb,       ///< by climbing the closure of the labels
};

/// What all requests of a batch on a grid have in common.
struct DeviceGridQuery {
    DeviceGridEngine engine = DeviceGridEngine::automatic;
    /// Return paths as well as costs.
    bool paths = true;
    Cells cells = Cells::all;  ///< which cells of a path
};

/// The answers to a batch, in the order of its requests. The memory belongs to the searcher. It is
/// valid until the searcher's next batch of the same kind (on a mesh, or on a grid), or the
/// searcher's destruction.
struct DeviceItems {
    std::span<const StatusCode> status;
    std::span<const Cost> cost;            ///< kInfinity unless the status is ok
    std::span<const std::uint64_t> first;  ///< size() + 1 indexes into `items`
    std::span<const std::uint32_t> items;  ///< polygons or cells, request by request

    [[nodiscard]] std::size_t size() const noexcept { return status.size(); }
    /// The items of a request; empty if it has no path. Needs request < size().
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t request) const noexcept {
        return items.subspan(first[request], first[request + 1] - first[request]);
    }
};

/// Answers on a mesh; see mesh::Paths.
struct DevicePaths : DeviceItems {
    /// The corridor of a request; empty if it has none. Needs request < size().
    [[nodiscard]] std::span<const mesh::Polygon> polygons(std::size_t request) const noexcept {
        return of(request);
    }
};

/// Answers on a grid; see grid::Paths.
struct DeviceCellPaths : DeviceItems {
    /// The path of a request; empty if it has none. Needs request < size().
    [[nodiscard]] std::span<const grid::Cell> cells(std::size_t request) const noexcept {
        return of(request);
    }
};

/// Milliseconds that the device spent on a batch: a GPU measures them by events. The device works
/// on two chunks at a time, so that these times may overlap each other and the work of the host.
struct DeviceTimes {
    double copies_ms = 0;   ///< to the device and back
    double answer_ms = 0;   ///< the kernels that answer requests
    double lay_out_ms = 0;  ///< the kernels that put paths in order
    double wait_ms = 0;  ///< the calling thread waited for the device: little of the batch's time
                         ///< if the host's share takes longer than the device
};

/// The effort of a batch.
struct DeviceStatistics {
    std::uint64_t on_device = 0;     ///< requests answered by the device
    std::uint64_t on_host = 0;       ///< requests answered by the host
    std::uint64_t bytes_copied = 0;  ///< to the device and back
    std::uint64_t launches = 0;      ///< kernel launches
    DeviceTimes times;               ///< all 0 unless DeviceSearcher::Options::timed
};

/// Answers batches on a device. Use one object per thread. It keeps the memory of the largest batch
/// so far, so that a batch like the last one allocates nothing.
class DeviceSearcher {
public:
    struct Options {
        /// Requests in a chunk that goes to the device together, 1 to 2^24. Two chunks are in
        /// progress at a time: one is copied while the other is answered.
        std::uint32_t chunk = 65'536;
        /// Measure DeviceStatistics::times, which costs a little.
        bool timed = false;
    };

    explicit DeviceSearcher(const Device& device);
    DeviceSearcher(const Device& device, const Options& options);
    ~DeviceSearcher();
    /// A moved-from object can only be assigned to or destroyed.
    DeviceSearcher(DeviceSearcher&&) noexcept;
    DeviceSearcher& operator=(DeviceSearcher&&) noexcept;

    /// Answers all requests. When `control.cancel` is set, the answers found so far are returned,
    /// and all other requests have StatusCode::cancelled. If a chunk does not fit into the
    /// device's memory, smaller ones are used; if its paths do not fit, the host answers it. Time:
    /// that of the queries, divided by the parallel threads of the device.
    ///
    /// Errors: out_of_memory (no room for one request on the device, or for the paths in the
    /// memory of the host); bad_option (the index is on another device; chunk, threads or reach
    /// out of range); unsupported (the engine is cut_labels and not all nodes have labels, see
    /// hna::Index::labels_status; or it is climb and the index has no closure; or the engine is
    /// pccp or parallel_connect, the top level has no rows, and level 1 is not forced);
    /// device_failed (the batch is lost; after some errors, which the message names, every later
    /// call on the device fails at once with the same message).
    [[nodiscard]] Result<DevicePaths> find_paths(const DeviceIndex& index,
                                                 std::span<const mesh::Request> requests,
                                                 const DeviceQuery& query = {},
                                                 const BuildControl& control = {}) noexcept;

    /// The same on a grid. The answers are those of the engines cut_labels and climb of
    /// subgoal::Searcher or hpa::Searcher, without smoothing. Errors: as on a mesh.
    [[nodiscard]] Result<DeviceCellPaths> find_paths(const DeviceGridIndex& index,
                                                     std::span<const grid::Request> requests,
                                                     const DeviceGridQuery& query = {},
                                                     const BuildControl& control = {}) noexcept;

    /// The effort of the last batch.
    [[nodiscard]] const DeviceStatistics& statistics() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::batch
