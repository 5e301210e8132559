#pragma once
// What indexes and worlds have in common: they answer queries, on any number of threads.

#include <optional>

#include "path.hpp"

namespace cairn::python {

/// The options of a query, parsed once: cairn.Query.
struct Query {
    QueryHandle plain;  ///< without limits
    cairn_limits limits = CAIRN_INIT(cairn_limits);
    bool limited = false;
    std::vector<uint32_t> blocked;
};

/// A searcher with the answer that it uses again and again.
struct Searcher {
    SearcherHandle handle;
    cairn_answer* answer = nullptr;

    Searcher() = default;
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;
    ~Searcher() { cairn_answer_free(answer); }
};

/// Holds searchers that no thread uses: as many are made as threads ask at once.
class Searchable {
public:
    Searchable(const Searchable&) = delete;
    Searchable& operator=(const Searchable&) = delete;
    virtual ~Searchable() = default;

    /// A searcher for one call.
    class Lease {
    public:
        explicit Lease(Searchable& from) : searcher_(from.idle_, from.take()) {}
        [[nodiscard]] cairn_searcher* get() const noexcept { return searcher_->handle.get(); }
        [[nodiscard]] cairn_answer** answer() const noexcept { return &searcher_->answer; }

    private:
        Pool<Searcher>::Lease searcher_;
    };

    /// The query of keyword arguments: those of Query, or `query` alone.
    [[nodiscard]] std::shared_ptr<Query> query(const py::kwargs& options, bool cost_only = false);
    /// The index whose planner parses queries.
    [[nodiscard]] cairn_index* index() const noexcept { return index_.get(); }
    [[nodiscard]] const Map& map() const noexcept { return *map_; }
    [[nodiscard]] const std::shared_ptr<Map>& shared_map() const noexcept { return map_; }
    [[nodiscard]] int32_t width() const noexcept { return map_->info.width; }

    /// A searcher that nobody else uses, and back.
    [[nodiscard]] std::unique_ptr<Searcher> take();
    void put(std::unique_ptr<Searcher> searcher) noexcept { idle_.put(std::move(searcher)); }

    std::shared_ptr<Query> cost_query;  ///< the default query for costs alone

protected:
    Searchable(IndexHandle index, std::shared_ptr<Map> map);
    [[nodiscard]] virtual cairn_status make_searcher(cairn_searcher** made) const = 0;

private:
    IndexHandle index_;
    std::shared_ptr<Map> map_;
    Pool<Searcher> idle_;
};

/// An index: cairn.Index.
class Index : public Searchable {
public:
    Index(IndexHandle index, std::shared_ptr<Map> map)
        : Searchable(std::move(index), std::move(map)) {}

private:
    [[nodiscard]] cairn_status make_searcher(cairn_searcher** made) const override {
        return cairn_searcher_create(index(), made);
    }
};

/// A map that changes: cairn.World.
class World : public Searchable {
public:
    World(WorldHandle world, IndexHandle index, std::shared_ptr<Map> map)
        : Searchable(std::move(index), std::move(map)), world_(std::move(world)) {}
    [[nodiscard]] cairn_world* get() const noexcept { return world_.get(); }

private:
    [[nodiscard]] cairn_status make_searcher(cairn_searcher** made) const override {
        return cairn_searcher_create_for_world(world_.get(), made);
    }
    WorldHandle world_;
};

/// A query for the length of one call: with its limits, and none for null.
class Asked {
public:
    explicit Asked(const std::shared_ptr<Query>& query, cairn_cancel* cancel = nullptr,
                   const Searchable* searchable = nullptr);
    [[nodiscard]] const cairn_query* get() const noexcept {
        return own_ != nullptr ? own_.get() : given_;
    }

private:
    const cairn_query* given_ = nullptr;
    QueryHandle own_;
};

/// Edits from rows: of cells (x, y, terrain) or (x, y, width, height, terrain), of a mesh
/// (polygon, area, blocked).
struct Edits {
    Edits(const Map& map, const py::object& from);
    [[nodiscard]] cairn_edits list() const noexcept;

private:
    std::vector<cairn_terrain_edit> cells_;
    std::vector<cairn_polygon_edit> polygons_;
    bool on_mesh_;
};

/// The requests of a batch, from rows [n, 4] of cells or [n, 6] of points. Refers to their arrays.
struct Requests {
    Requests(const Map& map, const py::object& from, const py::object& agents,
             const py::object& polygons);
    cairn_requests list = CAIRN_INIT(cairn_requests);

private:
    Rows rows_;
    Rows agents_;
    Rows polygons_;
};

/// Batches of so many requests can be stopped by Ctrl-C.
inline constexpr std::size_t kLongBatch = 256;

/// The path of an answer with this status: None if there is none. Else throws what has happened,
/// unless a limit has stopped the search and it has a part of a path.
py::object path_of(const Searchable& self, const cairn_answer* answer, cairn_status status,
                   const std::string& message);

/// A query that goes on in slices: cairn.Search.
class Search {
public:
    Search(std::shared_ptr<Searchable> on, std::shared_ptr<Query> query, py::handle start,
           py::handle goal);
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    ~Search();

    /// Whether it is not finished after another slice.
    bool advance(uint64_t budget, uint64_t microseconds);
    [[nodiscard]] bool done() const noexcept { return searcher_ == nullptr; }
    [[nodiscard]] const py::object& path() const;

private:
    /// Keeps the path, or why there is none, and gives the searcher back.
    void finish(cairn_status status, const std::string& message);

    std::shared_ptr<Searchable> on_;
    std::shared_ptr<Query> query_;
    Asked asked_;
    std::unique_ptr<Searcher> searcher_;  // null once it is finished
    bool busy_ = false;                   // a thread advances it
    py::object path_ = py::none();
    std::optional<Error> failed_;  // in place of a path
};
/// Begins a query in slices.
std::unique_ptr<Search> begin_search(const std::shared_ptr<Searchable>& on, const py::object& start,
                                     const py::object& goal, const py::kwargs& options);

void define_searchable(py::module_& module);
void define_search(py::module_& module);

}  // namespace cairn::python
