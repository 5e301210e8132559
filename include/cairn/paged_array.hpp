#pragma once
// A copy-on-write array: copies share everything. An editor copies the table of pages, one shared
// pointer for each 4,096 elements, and each page that is written.
//
// Snapshots of maps are built on it. Reading an element takes one more load than in a plain array.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace cairn {

/// An array of `count` default-initialised elements: numbers have no value yet. Stands in for
/// std::make_shared_for_overwrite, which some standard libraries lack.
template <class T>
[[nodiscard]] std::shared_ptr<T[]> unwritten_page(std::size_t count) {
#if defined(__cpp_lib_smart_ptr_for_overwrite)
    return std::make_shared_for_overwrite<T[]>(count);
#else
    return std::shared_ptr<T[]>(new T[count]);
#endif
}

/// An array whose copies share pages of 4,096 elements. Const members may be called from any number
/// of threads.
template <class T>
class PagedArray {
    using Page = std::shared_ptr<T[]>;
    using Pages = std::vector<Page>;

public:
    static constexpr std::size_t kPageShift = 12;
    static constexpr std::size_t kPageSize = std::size_t{1} << kPageShift;
    static constexpr std::size_t kPageMask = kPageSize - 1;

    PagedArray() = default;

    /// `size` elements, each equal to `value`.
    explicit PagedArray(std::size_t size, const T& value = T{}) {
        Pages pages;
        pages.reserve((size + kPageMask) >> kPageShift);
        for (std::size_t first = 0; first < size; first += kPageSize)
            pages.push_back(filled_page(value));
        set(std::move(pages), size);
    }

    /// A copy of `values`.
    explicit PagedArray(std::span<const T> values) {
        Pages pages;
        pages.reserve((values.size() + kPageMask) >> kPageShift);
        for (std::size_t first = 0; first < values.size(); first += kPageSize) {
            pages.push_back(filled_page(T{}));
            const std::size_t count = std::min(kPageSize, values.size() - first);
            std::copy_n(values.data() + first, count, pages.back().get());
        }
        set(std::move(pages), values.size());
    }

    /// The first `size` elements of `values`, which are not copied. `values` has room for whole
    /// pages of them.
    PagedArray(const std::shared_ptr<T[]>& values, std::size_t size) {
        Pages pages;
        pages.reserve((size + kPageMask) >> kPageShift);
        for (std::size_t first = 0; first < size; first += kPageSize)
            pages.emplace_back(values, values.get() + first);
        set(std::move(pages), size);
    }

    /// The elements of `values`, which are not copied, but for those of a last page that is not
    /// whole. `owner` keeps them alive; nobody may change them. O(pages).
    [[nodiscard]] static PagedArray in_place(std::span<const T> values,
                                             const std::shared_ptr<const void>& owner) {
        Pages pages;
        pages.reserve((values.size() + kPageMask) >> kPageShift);
        const std::size_t whole = values.size() & ~kPageMask;
        // An editor copies a page before it writes to it, unless it has made it.
        for (std::size_t first = 0; first < whole; first += kPageSize)
            pages.emplace_back(owner, const_cast<T*>(values.data() + first));
        if (whole < values.size()) {
            pages.push_back(filled_page(T{}));
            std::copy_n(values.data() + whole, values.size() - whole, pages.back().get());
        }
        PagedArray array;
        array.set(std::move(pages), values.size());
        return array;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Element `i` < size(). O(1).
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
        return pages_.get()[i >> kPageShift][static_cast<std::ptrdiff_t>(i & kPageMask)];
    }

    /// Calls `use(std::span<const T>)` for each run of contiguous elements, in order.
    template <class Use>
    void for_each_run(Use&& use) const {
        for (std::size_t first = 0; first < size_; first += kPageSize) {
            use(std::span<const T>(pages_.get()[first >> kPageShift].get(),
                                   std::min(kPageSize, size_ - first)));
        }
    }

    /// A copy of an array that can be written. Pages that are not written stay shared with the
    /// original, which does not change. Not thread-safe.
    class Editor {
    public:
        explicit Editor(const PagedArray& original)
            : size_(original.size_),
              pages_(original.pages_.get(), original.pages_.get() + original.num_pages()),
              owned_(pages_.size(), false) {}

        [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
            return pages_[i >> kPageShift][static_cast<std::ptrdiff_t>(i & kPageMask)];
        }

        /// Replaces element `i` < size(). O(1); the first write to a page copies it.
        void set(std::size_t i, const T& value) {
            auto& page = pages_[i >> kPageShift];
            if (!owned_[i >> kPageShift]) {
                auto copy = unwritten_page<T>(kPageSize);
                std::copy_n(page.get(), kPageSize, copy.get());
                page = std::move(copy);
                owned_[i >> kPageShift] = true;
            }
            page[static_cast<std::ptrdiff_t>(i & kPageMask)] = value;
        }

        /// Appends an element.
        void push_back(const T& value) {
            if ((size_ & kPageMask) == 0) {
                pages_.push_back(filled_page(value));
                owned_.push_back(true);
            }
            set(size_++, value);
        }

        [[nodiscard]] std::size_t size() const noexcept { return size_; }

        /// The edited array. The editor must not be used afterwards.
        [[nodiscard]] PagedArray take() {
            PagedArray array;
            array.set(std::move(pages_), size_);
            return array;
        }

    private:
        std::size_t size_;
        Pages pages_;
        std::vector<bool> owned_;  ///< by page: whether no other array shares it
    };

private:
    [[nodiscard]] static Page filled_page(const T& value) {
        Page page = unwritten_page<T>(kPageSize);
        std::fill_n(page.get(), kPageSize, value);
        return page;
    }
    [[nodiscard]] std::size_t num_pages() const noexcept {
        return (size_ + kPageMask) >> kPageShift;
    }
    void set(Pages pages, std::size_t size) {
        const auto owner = std::make_shared<Pages>(std::move(pages));
        pages_ = std::shared_ptr<const Page>(owner, owner->data());
        size_ = size;
    }

    std::size_t size_ = 0;
    std::shared_ptr<const Page> pages_;  ///< the first of num_pages() in a row
};

}  // namespace cairn
