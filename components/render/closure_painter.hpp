#pragma once
// Paints closures: their tree, climbs in it, and what an edit changed.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cost.hpp"
#include "sheet.hpp"

namespace cairn::render {

/// A closure, and where its nodes are.
struct PlacedClosure {
    Closure closure;
    /// By node: its cell or portal, which edits keep; no meaning if it was removed.
    std::vector<std::uint32_t> ids;
    std::vector<Position> at;  ///< by node, on the sheet

    [[nodiscard]] bool present(std::uint32_t node) const noexcept;
};

class ClosurePainter {
public:
    /// `detail` is that of the sheet. All must outlive the painter.
    ClosurePainter(const PlacedClosure& placed, double detail, Sheet& sheet);

    void tree();
    /// `length` describes the cost of a path.
    void climb(std::uint32_t from, std::optional<std::uint32_t> to,
               const std::function<std::string(Cost)>& length);
    /// `before`: the closure before the edit, on the same sheet.
    void repair(const PlacedClosure& before);

private:
    void graph_edges();
    /// Adds a layer, and a legend that can be seen although the lines are pale.
    void add_closure_edges(const char* layer, Segments lines, const std::string& label);
    /// The path of a query between two nodes, its meeting and its closure edges.
    void path(std::uint32_t from, std::uint32_t to, const std::function<std::string(Cost)>& length);

    const PlacedClosure& placed_;
    Sheet& sheet_;
    double radius_;
};

}  // namespace cairn::render
