#pragma once
// Repaired labels in memory: rows in pages, by place of the closure. Copies share the pages that a
// repair leaves alone.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/closure.hpp"
#include "cairn/cut_labels.hpp"
#include "closure_view.hpp"
#include "cut_labels_kernels.hpp"
#include "cut_labels_tree.hpp"

namespace cairn {

/// The labels of kPlaces places in a row. With smaller pages a repair copies less, but takes as
/// long or longer, since labels that change together mostly lie together.
struct LabelPage {
    static constexpr unsigned kShift = 5;
    static constexpr std::uint32_t kPlaces = 1U << kShift;
    static constexpr std::uint32_t kNoLabel = 0xffff'ffff;

    std::array<std::uint32_t, kPlaces> first;  ///< by place: index of its first entry, or kNoLabel
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

/// The pages of the labels of one way.
struct LabelPages {
    std::vector<std::shared_ptr<const LabelPage>> pages;
    std::vector<const Cost*> entries;  ///< of each page

    /// Whether there is a label at a place.
    [[nodiscard]] bool has(std::uint32_t place) const noexcept {
        return first(place) != LabelPage::kNoLabel;
    }
    /// The index of its first entry in its page.
    [[nodiscard]] std::uint32_t first(std::uint32_t place) const noexcept {
        return pages[place >> LabelPage::kShift]->first[place % LabelPage::kPlaces];
    }
    [[nodiscard]] LabelRow row(std::uint32_t place) const noexcept {
        const LabelPage& page = *pages[place >> LabelPage::kShift];
        return {page.entries.data() + first(place), page.lasts.data() + first(place)};
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

struct CutLabels::Pages {
    Closure closure;            ///< that of these labels
    BothWays<LabelPages> kept;  ///< down is empty in an undirected graph
    std::uint32_t piece = 0;    ///< as CutLabelArrays::piece

    [[nodiscard]] const LabelPages& way(Way way) const noexcept {
        return kept[closure.directed() ? way : Way::up];
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return kept.up.bytes() + kept.down.bytes();
    }
};

/// The bytes of all arrays.
[[nodiscard]] std::uint64_t bytes_of(const CutLabelArrays& arrays, bool directed) noexcept;

/// Where the entries of labels lie.
class LabelEntries {
public:
    LabelEntries() = default;
    /// `pages` is null for labels in one piece.
    LabelEntries(const CutLabelArrays& arrays, const CutLabels::Pages* pages, Way way) noexcept
        : all_(labels_of(arrays, way).entries),
          pages_(pages == nullptr ? nullptr : pages->way(way).entries.data()) {}

    /// The entries of a label, by its CutLabelNode::first.
    [[nodiscard]] const Cost* operator()(std::uint64_t first) const noexcept {
        if (pages_ == nullptr) return all_.data() + first;
        return pages_[first >> LabelPages::kPageShift] + (first & LabelPages::kInPage);
    }
    [[nodiscard]] bool in_pages() const noexcept { return pages_ != nullptr; }
    [[nodiscard]] bool empty() const noexcept { return all_.empty() && !in_pages(); }
    /// The index of the last entry of labels in one piece.
    [[nodiscard]] std::uint64_t last() const noexcept { return all_.size() - 1; }

private:
    std::span<const Cost> all_;
    const Cost* const* pages_ = nullptr;
};

}  // namespace cairn
