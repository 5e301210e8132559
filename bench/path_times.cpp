// The time of a path by AnySearcher, for tools/python_overhead.py.
//
//     cairn_path_times MAP PLANNER ROUNDS <requests
//
// Reads requests, four numbers each, and prints the least mean time of a query in microseconds over
// the rounds.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/formats/movingai.hpp"

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: cairn_path_times MAP PLANNER ROUNDS <requests\n", stderr);
        return 2;
    }
    const auto map = cairn::formats::load_map(arguments[1]);
    if (!map) {
        std::fprintf(stderr, "%s\n", map.error().message.c_str());
        return 1;
    }
    const auto index = cairn::AnyIndex::build(arguments[2], *map);
    if (!index) {
        std::fprintf(stderr, "%s\n", index.error().message.c_str());
        return 1;
    }
    const auto query = index->query();
    if (!query) return 1;
    struct Request {
        cairn::AnyPlace start;
        cairn::AnyPlace goal;
    };
    std::vector<Request> requests;
    for (cairn::grid::Point a, b; std::cin >> a.x >> a.y >> b.x >> b.y;) requests.push_back({a, b});
    int rounds = 0;
    const std::string text = arguments[3];
    std::from_chars(text.data(), text.data() + text.size(), rounds);
    cairn::AnySearcher searcher;
    cairn::AnyAnswer answer;
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (const Request& request : requests)
            searcher.find(*index, *query, request.start, request.goal, answer);
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        least = std::min(least, took.count() / static_cast<double>(requests.size()));
    }
    std::printf("%.3f\n", least);
}
