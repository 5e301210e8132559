#pragma once
// Repaired labels in memory: rows in pages, by place of the closure. Copies share the pages that a
// repair leaves alone.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cut_labels.hpp"
#include "cut_labels_kernels.hpp"

namespace cairn {

/// The labels of kPlaces places in a row. With smaller pages a repair copies less, but takes as
/// long or longer, since labels that change together mostly lie together.
struct LabelPage {
    static constexpr unsigned kShift = 5;
    static constexpr std::uint32_t kPlaces = 1U << kShift;

    std::array<std::uint32_t, kPlaces> first{};  ///< by place: index of its first entry
    std::vector<Cost> entries;
    std::vector<std::uint16_t> lasts;

    /// The entries that a label of `length` takes with its padding.
    [[nodiscard]] static constexpr std::uint32_t padded(std::uint32_t length) noexcept {
        return (length + kLabelStep - 1) / kLabelStep * kLabelStep;
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return sizeof *this + entries.size() * sizeof(Cost) + lasts.size() * sizeof(std::uint16_t);
    }
};

struct CutLabels::Pages {
    Closure closure;  ///< that of these labels
    std::vector<std::shared_ptr<const LabelPage>> pages;
    std::vector<const Cost*> entries;  ///< of each page

    /// The label at a place whose node is there.
    [[nodiscard]] LabelRow row(std::uint32_t place) const noexcept {
        const LabelPage& page = *pages[place >> LabelPage::kShift];
        const std::uint32_t first = page.first[place % LabelPage::kPlaces];
        return {page.entries.data() + first, page.lasts.data() + first};
    }
    /// The lasts of the label that CutLabelNode::first names.
    [[nodiscard]] const std::uint16_t* lasts(std::uint64_t first) const noexcept {
        return pages[first >> kPageShift]->lasts.data() + (first & kInPage);
    }

    [[nodiscard]] std::uint64_t bytes() const noexcept {
        std::uint64_t bytes = pages.size() * (sizeof pages[0] + sizeof entries[0]);
        for (const std::shared_ptr<const LabelPage>& page : pages) bytes += page->bytes();
        return bytes;
    }

    static constexpr unsigned kPageShift = 32;  ///< of a page's number in CutLabelNode::first
    static constexpr std::uint64_t kInPage = (std::uint64_t{1} << kPageShift) - 1;
};

/// The bytes of all arrays.
[[nodiscard]] std::uint64_t bytes_of(const CutLabelArrays& arrays) noexcept;

/// Pages::entries; null for labels in one piece.
[[nodiscard]] inline const Cost* const* entries_of_pages(const CutLabels::Pages* pages) noexcept {
    return pages == nullptr ? nullptr : pages->entries.data();
}

/// The entries of a label.
[[nodiscard]] inline const Cost* label_entries(const CutLabelArrays& arrays,
                                               const Cost* const* pages,
                                               std::uint64_t first) noexcept {
    if (pages == nullptr) return arrays.entries.data() + first;
    return pages[first >> CutLabels::Pages::kPageShift] + (first & CutLabels::Pages::kInPage);
}

}  // namespace cairn
