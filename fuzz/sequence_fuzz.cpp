// A sequence of calls on an index of any planner: edits, labels, saving and loading, queries,
// cancelled calls and calls in which an allocation fails. Whatever the order, an index equals the
// one built from its map, answers agree with Dijkstra's algorithm, and earlier snapshots keep
// answering for their own map.
//
// The first byte chooses the planner, the second its options; then each call takes a byte for what
// it is and a few for its arguments.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/index_file.hpp"
#include "cairn/mesh/dijkstra.hpp"
#include "cairn/subgoal/subgoal.hpp"
#include "haa_index_cases.hpp"
#include "hna_index_cases.hpp"
#include "hpa_index_cases.hpp"
#include "subgoal_index_cases.hpp"

namespace {

/// The number of the allocation that fails, counted from now; 0 while none is to fail.
std::uint64_t until_failure = 0;

// Not inlined, so that the compiler does not take a new and a free for a mismatch.
[[gnu::noinline]] void* allocate(std::size_t size, std::size_t alignment) {
    if (until_failure > 0 && --until_failure == 0) throw std::bad_alloc();
    void* const memory =
        std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) {
    return allocate(std::max<std::size_t>(size, 1), __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(std::max<std::size_t>(size, 1), static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return ::operator new(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return ::operator new(size, std::nothrow);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }

namespace {

using namespace cairn;

void require(bool holds) {
    if (!holds) std::abort();
}

class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    [[nodiscard]] bool empty() const { return used_ == size_; }
    /// The next byte; 0 behind the last.
    std::uint8_t next() { return empty() ? std::uint8_t{0} : data_[used_++]; }
    /// A number from 0 to `count` - 1.
    std::uint32_t below(std::size_t count) {
        const auto high = static_cast<std::uint32_t>(next());
        return (high << 8 | next()) % static_cast<std::uint32_t>(std::max<std::size_t>(count, 1));
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t used_ = 0;
};

/// A rectangle of a map of width x height cells, and the terrain of one of its cells.
template <class Map>
std::vector<grid::TerrainEdit> terrain_edits(Bytes& bytes, const Map& map) {
    const auto x = static_cast<int>(bytes.below(static_cast<std::size_t>(map.width())));
    const auto y = static_cast<int>(bytes.below(static_cast<std::size_t>(map.height())));
    const int width = 1 + bytes.next() % std::min(4, map.width() - x);
    const int height = 1 + bytes.next() % std::min(4, map.height() - y);
    const auto like = static_cast<grid::Cell>(bytes.below(map.size()));
    return {{{x, y, width, height}, map.terrain(like)}};
}

template <class Map>
grid::Point any_point(Bytes& bytes, const Map& map) {
    return {static_cast<int>(bytes.below(static_cast<std::size_t>(map.width()))),
            static_cast<int>(bytes.below(static_cast<std::size_t>(map.height())))};
}

Cost optimum_on(const grid::Map& map, grid::Point start, grid::Point goal) {
    const bool free = map.passable(map.cell(start)) && map.passable(map.cell(goal));
    return free ? grid::dijkstra_distances(map, start).value()[map.cell(goal)] : kInfinity;
}

/// What the sequence needs to know of a planner.
struct Hpa : hpa::Planner {
    using Base = hpa::Planner;
    using Engine = hpa::Engine;
    static grid::Map map() { return fuzz::hpa_index_map(); }
    static Options options(std::uint8_t number) {
        const auto cases = fuzz::hpa_index_cases();
        return cases[number % cases.size()].options;
    }
    static auto edits(Bytes& bytes, const Index& index) {
        return terrain_edits(bytes, index.map());
    }
    static Query query(Bytes& bytes, const Index& index) {
        constexpr std::array kEngines{Engine::automatic, Engine::astar, Engine::levels};
        Query query;
        query.start = any_point(bytes, index.map());
        query.goal = any_point(bytes, index.map());
        query.engine = kEngines[bytes.next() % kEngines.size()];
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        return optimum_on(index.map(), query.start, query.goal);
    }
    static bool legal(const Index& index, const Query&, const Answer& answer) {
        return grid::path_cost(index.map(), answer.cells) == answer.cost;
    }
};

struct Subgoal : subgoal::Planner {
    using Base = subgoal::Planner;
    using Engine = subgoal::Engine;
    static grid::Map map() { return fuzz::subgoal_index_map(); }
    static Options options(std::uint8_t number) {
        Options options;
        options.labels = number % 2 == 0;
        return options;
    }
    static auto edits(Bytes& bytes, const Index& index) {
        return terrain_edits(bytes, index.map());
    }
    static Query query(Bytes& bytes, const Index& index) {
        Query query;
        query.start = any_point(bytes, index.map());
        query.goal = any_point(bytes, index.map());
        query.engine = bytes.next() % 2 == 0 ? Engine::automatic : Engine::astar;
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        return optimum_on(index.map(), query.start, query.goal);
    }
    static bool legal(const Index& index, const Query&, const Answer& answer) {
        return grid::path_cost(index.map(), answer.cells) == answer.cost;
    }
};

struct Haa : haa::Planner {
    using Base = haa::Planner;
    using Engine = haa::Engine;
    static haa::AnnotatedMap map() {
        return haa::AnnotatedMap::create(fuzz::haa_index_image()).value();
    }
    static Options options(std::uint8_t number) {
        Options options;
        options.cluster_size = 4 + number % 3;
        options.labels = number % 2 == 0;
        return options;
    }
    static auto edits(Bytes& bytes, const Index& index) {
        return terrain_edits(bytes, index.map());
    }
    static Query query(Bytes& bytes, const Index& index) {
        Query query;
        query.start = any_point(bytes, index.map());
        query.goal = any_point(bytes, index.map());
        query.agent = index.map().agent(bytes.next() % index.map().classes());
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        return optimum_on(index.map().class_map(query.agent).value(), query.start, query.goal);
    }
    static bool legal(const Index& index, const Query& query, const Answer& answer) {
        const auto map = index.map().class_map(query.agent).value();
        return grid::path_cost(map, answer.cells) == answer.cost;
    }
};

struct Hna : hna::Planner {
    using Base = hna::Planner;
    using Engine = hna::Engine;
    static mesh::Mesh map() { return mesh::Mesh::build(fuzz::hna_index_image().source()).value(); }
    static Options options(std::uint8_t number) {
        Options options;
        options.levels = 1 + number % 3;
        options.mu = 2 + number % 4;
        options.partitioner = hna::Partitioner::growing;
        return options;
    }
    static std::vector<mesh::PolygonEdit> edits(Bytes& bytes, const Index& index) {
        const auto polygon = bytes.below(index.mesh().num_polygons());
        return {{polygon, index.mesh().area(polygon), bytes.next() % 2 == 0}};
    }
    static Query query(Bytes& bytes, const Index& index) {
        const auto place = [&] {
            const auto polygon = bytes.below(index.mesh().num_polygons());
            return mesh::Place{polygon, index.mesh().centre(polygon)};
        };
        Query query;
        query.start = place();
        query.goal = place();
        query.engine = bytes.next() % 2 == 0 ? Engine::automatic : Engine::astar;
        return query;
    }
    static Cost optimum(const Index& index, const Query& query) {
        const mesh::Mesh& mesh = index.mesh();
        if (mesh.blocked(query.start.polygon) || mesh.blocked(query.goal.polygon)) return kInfinity;
        return mesh::path_cost(mesh, query.start, query.goal).value();
    }
    static bool legal(const Index&, const Query& query, const Answer& answer) {
        return answer.polygons.front() == query.start.polygon &&
               answer.polygons.back() == query.goal.polygon;
    }
};

template <class P>
class Sequence {
public:
    using Index = typename P::Index;

    explicit Sequence(Bytes& bytes) : bytes_(bytes), options_(P::options(bytes.next())) {
        control_.threads = 1;
        index_ = P::build(P::map(), options_, control_).value();
        earlier_ = index_;
    }

    void run() {
        for (int calls = 0; calls < 24 && !bytes_.empty(); ++calls) step(bytes_.next());
        require(*index_ == P::build(map_of(*index_), options_, control_).value());
    }

private:
    static const typename P::Map& map_of(const Index& index) {
        if constexpr (requires { index.mesh(); }) {
            return index.mesh();
        } else {
            return index.map();
        }
    }

    void step(std::uint8_t call) {
        switch (call % 8) {
            case 0:
                return edit();
            case 1:
                return add_labels();
            case 2:
                return save_and_load();
            case 3:
                earlier_ = index_;
                return;
            case 4:
                return ask(*earlier_);
            case 5:
                return cancel();
            default:
                return ask(*index_);
        }
    }

    /// Makes a call twice: with an allocation that fails, then without. The first may succeed, too.
    template <class Call>
    auto survived(Call&& call) {
        until_failure = 1 + bytes_.below(400);
        auto failed = call();
        until_failure = 0;
        if (!failed) require(failed.error().code == StatusCode::out_of_memory);
        auto made = call();
        require(made.has_value());
        if (failed) require(*failed == *made);
        return made;
    }

    void edit() {
        const auto edits = P::edits(bytes_, *index_);
        index_ = survived([&] { return index_->edited(edits); }).value();
    }
    void add_labels() {
        index_ = survived([&] { return index_->with_labels(control_); }).value();
    }
    void save_and_load() {
        const auto bytes = std::make_shared<const std::string>(to_bytes(*index_).value());
        const auto load = [&] {
            const auto view = std::as_bytes(std::span(*bytes));
            if constexpr (IndexFileMap<Index>::kHeld) {
                return from_bytes<Index>(view, bytes, "fuzz");
            } else {
                return from_bytes<Index>(view, bytes, "fuzz", map_of(*index_));
            }
        };
        const auto loaded = survived(load);
        require(*loaded == *index_);
        require(to_bytes(*loaded).value() == *bytes);
        index_ = *loaded;
    }

    void ask(const Index& index) {
        const typename P::Query query = P::query(bytes_, index);
        until_failure = bytes_.below(300);
        StatusCode status = searcher_.find(index, query, answer_);
        until_failure = 0;
        if (status == StatusCode::out_of_memory) status = searcher_.find(index, query, answer_);
        const Cost optimum = P::optimum(index, query);
        require((status == StatusCode::ok) == (optimum < kInfinity));
        if (status != StatusCode::ok) return;
        require(P::kExact ? answer_.cost == optimum : answer_.cost >= optimum);
        require(P::legal(index, query, answer_));
    }

    void cancel() {
        CancelFlag yes;
        yes.cancel();
        BuildControl cancelled = control_;
        cancelled.cancel = &yes;
        const auto built = P::build(map_of(*index_), options_, cancelled);
        require(!built && built.error().code == StatusCode::cancelled);
        auto query = P::query(bytes_, *index_);
        query.limits.cancel = &yes;
        // A search that needs no expansion may be over before it looks.
        static_cast<void>(searcher_.find(*index_, query, answer_));
    }

    Bytes& bytes_;
    typename P::Options options_;
    BuildControl control_;
    std::optional<Index> index_;
    std::optional<Index> earlier_;
    Searcher<typename P::Base> searcher_;
    typename P::Answer answer_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    switch (bytes.next() % 4) {
        case 0:
            Sequence<Hpa>(bytes).run();
            break;
        case 1:
            Sequence<Subgoal>(bytes).run();
            break;
        case 2:
            Sequence<Haa>(bytes).run();
            break;
        default:
            Sequence<Hna>(bytes).run();
    }
    return 0;
}
