#pragma once
// The paths of a chunk of requests: from the processes that have found them to those that write
// them.

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "cairn/any.hpp"
#include "output_array.hpp"
#include "processes.hpp"
#include "requests.hpp"

namespace cairn::mpi {

/// Sends and writes paths, chunk after chunk, and keeps the working memory. `Request` is
/// grid::Request or mesh::Request.
template <class Request>
class PathExchange {
    static constexpr bool kGrid = std::is_same_v<Request, grid::Request>;

public:
    /// A point of a path, and the numbers of its row: request, x, y, or request, x, y, z.
    using Point = std::conditional_t<kGrid, grid::Cell, mesh::Waypoint>;
    using Number = std::conditional_t<kGrid, std::int32_t, double>;
    static constexpr std::size_t kColumns = kGrid ? 3 : 4;

    /// `width`: of the map; 0 for meshes.
    PathExchange(Processes& processes, OutputArray<Number>& output, int width)
        : processes_(processes), output_(output), width_(width) {}

    /// Sends the paths of a batch to the processes from which its requests came. `from`: how many
    /// came from each; `to`: how many this process has sent to each, whose paths it gets. Errors,
    /// agreed on by all: too_large (more points than MPI can number); out_of_memory. Collective.
    [[nodiscard]] Status exchange(const AnyPaths& found, const Counts& from, const Counts& to);
    /// Writes the rows of the paths that this process got, after those of all processes before it.
    /// `order`: the places of the requests sent, from number `first` on. Errors, agreed on by all:
    /// io_error; out_of_memory. Collective.
    [[nodiscard]] Status write(std::uint64_t first, std::span<const std::uint32_t> order);

    /// The rows of all processes so far.
    [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

private:
    [[nodiscard]] static std::span<const Point> points_of(const AnyPaths& found, std::size_t i) {
        if constexpr (kGrid) {
            return found.cells(i);
        } else {
            return found.waypoints(i);
        }
    }
    /// Sets `points` to the sums of the lengths of each process's requests.
    [[nodiscard]] static Status add_up(std::span<const std::uint32_t> lengths,
                                       const Counts& requests, Counts& points) {
        std::vector<std::uint64_t> sums(requests.processes());
        for (std::size_t process = 0; process < sums.size(); ++process) {
            const auto own = lengths.subspan(static_cast<std::size_t>(requests.begins()[process]),
                                             static_cast<std::size_t>(requests.counts()[process]));
            sums[process] = std::accumulate(own.begin(), own.end(), std::uint64_t{0});
        }
        return points.set(std::span<const std::uint64_t>(sums));
    }
    void append(std::int32_t request, std::span<const Point> points) {
        if constexpr (kGrid) {
            app::append_rows(request, points, width_, numbers_);
        } else {
            app::append_rows(request, points, numbers_);
        }
    }

    Processes& processes_;
    OutputArray<Number>& output_;
    int width_;
    std::uint64_t rows_ = 0;
    Messages<std::uint32_t> length_messages_;
    Messages<Point> point_messages_;

    std::vector<std::uint32_t> found_lengths_;     // of the paths that this process has found
    std::vector<Point> found_points_;              // of all of them
    std::vector<std::uint32_t> returned_lengths_;  // of those that it gets
    std::vector<Point> returned_points_;
    Counts found_{processes_.count()};     // points for each process
    Counts returned_{processes_.count()};  // points from each process
    std::vector<std::uint64_t> begins_;    // of the paths in returned_points_, by request
    std::vector<std::uint32_t> lengths_;   // of these, by request
    std::vector<Number> numbers_;          // of rows
};

template <class Request>
Status PathExchange<Request>::exchange(const AnyPaths& found, const Counts& from,
                                       const Counts& to) {
    Status status = processes_.together([&]() -> Status {
        found_lengths_.resize(from.total());
        for (std::size_t i = 0; i < found_lengths_.size(); ++i)
            found_lengths_[i] = static_cast<std::uint32_t>(points_of(found, i).size());
        if (Status added = add_up(found_lengths_, from, found_); !added.ok()) return added;
        found_points_.clear();
        found_points_.reserve(found_.total());
        for (std::size_t i = 0; i < found_lengths_.size(); ++i) {
            const std::span<const Point> points = points_of(found, i);
            found_points_.insert(found_points_.end(), points.begin(), points.end());
        }
        returned_lengths_.resize(to.total());
        return {};
    });
    if (!status.ok()) return status;
    length_messages_.exchange(found_lengths_, from, returned_lengths_, to);
    status = processes_.together([&]() -> Status {
        if (Status added = add_up(returned_lengths_, to, returned_); !added.ok()) return added;
        returned_points_.resize(returned_.total());
        return {};
    });
    if (status.ok()) point_messages_.exchange(found_points_, found_, returned_points_, returned_);
    return status;
}

template <class Request>
Status PathExchange<Request>::write(std::uint64_t first, std::span<const std::uint32_t> order) {
    constexpr std::size_t kMostNumbers = std::size_t{1} << 22;  // kept before they are written
    const std::uint64_t own_rows = returned_points_.size();
    std::uint64_t row = rows_ + processes_.sum_before(own_rows);
    std::array<std::uint64_t, 1> all{own_rows};
    processes_.sum(all);
    rows_ += all[0];
    return processes_.together([&]() -> Status {
        begins_.resize(order.size());
        lengths_.resize(order.size());
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            begins_[order[i]] = begin;
            lengths_[order[i]] = returned_lengths_[i];
            begin += returned_lengths_[i];
        }
        numbers_.clear();
        for (std::size_t i = 0; i < order.size(); ++i) {
            append(static_cast<std::int32_t>(first + i),
                   std::span<const Point>(returned_points_).subspan(begins_[i], lengths_[i]));
            if (numbers_.size() < kMostNumbers && i + 1 < order.size()) continue;
            if (Status written = output_.write_rows(row, numbers_); !written.ok()) return written;
            row += numbers_.size() / kColumns;
            numbers_.clear();
        }
        return {};
    });
}

}  // namespace cairn::mpi
