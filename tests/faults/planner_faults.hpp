#pragma once
// The public calls of a planner, each with failing allocations.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/index_file.hpp"
#include "cairn/planner.hpp"
#include "cairn/searcher.hpp"
#include "support/allocation_faults.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {

/// FNV-1a over any bytes, without allocating.
[[nodiscard]] inline std::uint64_t digest(std::span<const std::byte> bytes,
                                          std::uint64_t value = 0xcbf2'9ce4'8422'2325ULL) {
    for (const std::byte b : bytes)
        value = (value ^ static_cast<std::uint64_t>(b)) * 0x0000'0100'0000'01B3ULL;
    return value;
}
template <class Container>
[[nodiscard]] std::uint64_t digest_of(const Container& items) {
    return digest(std::as_bytes(std::span(items)));
}

[[nodiscard]] inline BuildControl on_one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

/// A small problem for a planner: what it is built over, edits, and the ends of queries.
template <class P, class Edit>
struct FaultCase {
    typename P::Map map;
    typename P::Options options;
    std::vector<Edit> edits;
    std::vector<typename P::Query> queries;  ///< that the index can answer before the edits
    std::vector<typename P::Place> goals;    ///< for costs and find_nearest
    std::vector<Edit> later = {};            ///< after `edits`, when labels were made
};

/// What a query has computed; `answer` must not hold padding that matters.
template <class Answer>
[[nodiscard]] std::uint64_t digest_of_answer(const Answer& answer) {
    std::uint64_t value = static_cast<std::uint64_t>(answer.status) << 32 | answer.cost;
    if constexpr (requires { answer.cells; }) value ^= digest_of(answer.cells);
    if constexpr (requires { answer.polygons; }) value ^= digest_of(answer.polygons);
    return value;
}

template <class P>
void expect_queries_survive(const typename P::Index& index,
                            std::span<const typename P::Query> queries,
                            std::span<const typename P::Place> goals) {
    typename P::Answer answer;
    const auto answered = [&](StatusCode) { return digest_of_answer(answer); };
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const auto name = [&](std::string_view call) {
            return std::string(P::kName) + " " + std::string(call) + " " + std::to_string(i);
        };
        const auto cold_find = [&] {
            Searcher<P> searcher;
            answer = {};
            return searcher.find(index, queries[i], answer);
        };
        expect_survives(name("find"), cold_find, answered);
        const auto in_slices = [&] {
            Searcher<P> searcher;
            answer = {};
            searcher.begin(index, queries[i], answer);
            while (searcher.advance(5)) {
            }
            return answer.status;
        };
        expect_survives(name("slices"), in_slices, answered);
        SearchTrace trace;
        const auto traced = [&] { return Searcher<P>::trace(index, queries[i], answer, trace); };
        expect_survives(name("trace"), traced, [&](StatusCode) {
            return digest_of_answer(answer) + trace.events.size() + trace.path.size();
        });

        // One searcher for all calls: a failure must leave it usable.
        Searcher<P> kept;
        expect_survives(
            name("find again"), [&] { return kept.find(index, queries[i], answer); }, answered);
        std::vector<Cost> costs(goals.size());
        expect_survives(
            name("costs"), [&] { return Searcher<P>().costs(index, queries[i], goals, costs); },
            [&](StatusCode) { return digest_of(costs); });
        std::size_t nearest = 0;
        const auto find_nearest = [&] {
            return Searcher<P>().find_nearest(index, queries[i], goals, answer, nearest);
        };
        expect_survives(name("nearest"), find_nearest,
                        [&](StatusCode) { return digest_of_answer(answer) + nearest; });

        const auto requests = [&] {
            std::vector<typename P::Request> out;
            for (const typename P::Place& goal : goals) {
                typename P::Request request{};
                request.start = queries[i].start;
                request.goal = goal;
                if constexpr (requires { request.agent; }) request.agent = queries[i].agent;
                out.push_back(request);
            }
            return out;
        }();
        const BuildControl control = on_one_thread();
        const auto batch = [&] {
            return batch::find_paths<P>(index, requests, queries[i], {}, control);
        };
        expect_survives(name("batch"), batch,
                        [&](const auto& paths) { return digest_of(paths->cost); });
    }
}

template <class Index>
[[nodiscard]] std::uint64_t digest_of_index(const Index& index) {
    const auto bytes = to_bytes(index);
    return bytes ? digest_of(*bytes) : 0;
}

/// Building, editing, labels, files and queries of a planner with an index.
template <class P, class Edit>
void expect_planner_survives(const FaultCase<P, Edit>& c) {
    using Index = typename P::Index;
    const BuildControl control = on_one_thread();
    const std::string name(P::kName);
    const auto value = [](const Result<Index>& index) { return digest_of_index(*index); };

    const auto build = [&] { return P::build(c.map, c.options, control); };
    expect_survives(name + " build", build, value);
    const Index index = build().value();
    expect_survives(
        name + " edited", [&] { return index.edited(c.edits); }, value);
    const Index edited = index.edited(c.edits).value();
    expect_survives(
        name + " with_labels", [&] { return edited.with_labels(control); }, value);
    // Labels from nothing, then labels that share pages with these.
    const Index twice = edited.with_labels(control).value().edited(c.later).value();
    expect_survives(
        name + " with_labels again", [&] { return twice.with_labels(control); }, value);
    expect_survives(
        name + " statistics", [&] { return index.statistics(); },
        [](const auto& statistics) { return statistics->graph_bytes; });

    expect_survives(
        name + " to_bytes", [&] { return to_bytes(index); },
        [](const Result<std::string>& bytes) { return digest_of(*bytes); });
    const auto bytes = std::make_shared<const std::string>(to_bytes(index).value());
    const auto load_from = [&](auto&& load) {
        if constexpr (IndexFileMap<Index>::kHeld) {
            return load();
        } else {
            return load(index.map());
        }
    };
    expect_survives(
        name + " from_bytes",
        [&] {
            return load_from([&](const auto&... map) {
                return from_bytes<Index>(std::as_bytes(std::span(*bytes)), bytes, "test", map...);
            });
        },
        value);
    const ScratchFolder folder;
    const std::string path = folder.path() / "index.cairn";
    expect_survives(
        name + " save", [&] { return save(index, path); },
        [&](const Status&) { return digest_of(bytes_of(path)); });
    expect_survives(
        name + " load",
        [&] {
            return load_from(
                [&](const auto&... map) { return load<Index>(path, map..., LoadOptions{}); });
        },
        value);
    expect_survives(
        name + " inspect", [&] { return inspect(path); },
        [](const Result<IndexFileInfo>& info) { return info->facts.size(); });
    expect_queries_survive<P>(index, c.queries, c.goals);
}

}  // namespace cairn::test
