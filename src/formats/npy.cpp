#include "cairn/formats/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "formats/npy_bytes.hpp"
#include "text.hpp"

namespace cairn::formats {
namespace {

/// An array whose bytes have been found; elements are read by `at`.
struct Array {
    char kind = 'i';  ///< 'b': bool, 'i': signed, 'u': unsigned, 'f': floating-point
    std::size_t item = 1;
    bool big_endian = false;
    bool by_columns = false;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::string_view data;

    /// Element of a row and a column of integers. Unsigned numbers beyond int64 become its greatest
    /// number.
    [[nodiscard]] std::int64_t at(std::uint64_t row, std::uint64_t column) const noexcept {
        const std::uint64_t bits = bits_at(row, column);
        if (kind == 'u') {
            constexpr auto most = std::numeric_limits<std::int64_t>::max();
            return static_cast<std::int64_t>(
                std::min<std::uint64_t>(bits, static_cast<std::uint64_t>(most)));
        }
        if (kind == 'b') return bits != 0 ? 1 : 0;
        const std::size_t unused = 64 - 8 * item;
        return static_cast<std::int64_t>(bits << unused) >> unused;
    }
    /// Element of a row and a column of any numbers.
    [[nodiscard]] double number_at(std::uint64_t row, std::uint64_t column) const noexcept {
        if (kind != 'f') return static_cast<double>(at(row, column));
        const std::uint64_t bits = bits_at(row, column);
        if (item == sizeof(float))
            return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
        return std::bit_cast<double>(bits);
    }
    /// Whether the data are numbers of this kind as the host stores them, by rows.
    [[nodiscard]] bool is_plain(char kind_of_host, std::size_t size) const noexcept {
        return kind == kind_of_host && item == size && !by_columns &&
               big_endian == (std::endian::native == std::endian::big);
    }

private:
    [[nodiscard]] std::uint64_t bits_at(std::uint64_t row, std::uint64_t column) const noexcept {
        const std::uint64_t place = by_columns ? column * rows + row : row * columns + column;
        const char* const bytes = data.data() + place * item;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < item; ++i) {
            const std::size_t from = big_endian ? i : item - 1 - i;
            bits = bits << 8 | static_cast<std::uint8_t>(bytes[from]);
        }
        return bits;
    }
};

/// Reads the header: a dictionary of Python with the keys descr, fortran_order and shape.
class HeaderReader {
public:
    /// `floats`: floating-point elements are read, too.
    HeaderReader(std::string_view text, std::string_view name, bool floats)
        : rest_(text), name_(name), floats_(floats) {}

    /// Sets all members of an array but its data.
    [[nodiscard]] Status read(Array& array) {
        bool has_type = false;
        bool has_order = false;
        bool has_shape = false;
        if (!take('{')) return fault("a dictionary");
        while (!take('}')) {
            const auto key = word();
            if (!key || !take(':')) return fault("a key");
            Status status;
            if (*key == "descr" && !has_type) {
                has_type = true;
                status = read_type(array);
            } else if (*key == "fortran_order" && !has_order) {
                has_order = true;
                status = read_order(array);
            } else if (*key == "shape" && !has_shape) {
                has_shape = true;
                status = read_shape(array);
            } else {
                return fault("each of the keys descr, fortran_order and shape once");
            }
            if (!status.ok()) return status;
            if (take(',')) continue;
            if (!take('}')) return fault("a comma or the end of the dictionary");
            break;
        }
        skip_blanks();
        if (!rest_.empty()) return fault("nothing behind the dictionary");
        if (has_type && has_order && has_shape) return {};
        return fault("the keys descr, fortran_order and shape");
    }

private:
    void skip_blanks() {
        while (!rest_.empty() && (is_blank(rest_.front()) || rest_.front() == '\n'))
            rest_.remove_prefix(1);
    }
    [[nodiscard]] bool take(char c) {
        skip_blanks();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool take(std::string_view text) {
        skip_blanks();
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    /// A string in quotes.
    [[nodiscard]] std::optional<std::string_view> word() {
        skip_blanks();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return text;
    }

    [[nodiscard]] Status read_type(Array& array) {
        skip_blanks();
        const std::string_view before = rest_;
        const auto type = word();
        constexpr std::array<std::string_view, 11> kTypes{"f4", "f8", "b1", "i1", "i2", "i4",
                                                          "i8", "u1", "u2", "u4", "u8"};
        std::string_view plain = type.value_or("");
        array.big_endian = std::endian::native == std::endian::big;
        if (!plain.empty() &&
            std::string_view("<>|=").find(plain.front()) != std::string_view::npos) {
            if (plain.front() == '<' || plain.front() == '>') array.big_endian = plain[0] == '>';
            plain.remove_prefix(1);
        }
        if (std::find(kTypes.begin() + (floats_ ? 0 : 2), kTypes.end(), plain) == kTypes.end()) {
            return {StatusCode::unsupported,
                    fmt::format("{}: elements of the type {}: only {}bool and integers are read",
                                name_, excerpt(type ? *type : before),
                                floats_ ? "floating-point numbers, " : "")};
        }
        array.kind = plain[0];
        array.item = static_cast<std::size_t>(plain[1] - '0');
        return {};
    }
    [[nodiscard]] Status read_order(Array& array) {
        if (take("True")) {
            array.by_columns = true;
        } else if (!take("False")) {
            return fault("True or False");
        }
        return {};
    }
    [[nodiscard]] Status read_shape(Array& array) {
        std::vector<std::uint64_t> sides;
        if (!take('(')) return fault("a shape");
        while (!take(')')) {
            skip_blanks();
            const std::size_t digits = rest_.find_first_not_of("0123456789");
            const auto side = parse_number<std::uint64_t>(rest_.substr(0, digits));
            if (!side) return fault("a side of the shape");
            rest_.remove_prefix(std::min(digits, rest_.size()));
            static_cast<void>(take('L'));  // of Python 2
            if (sides.size() < 3) sides.push_back(*side);
            if (take(',')) continue;
            if (!take(')')) return fault("a comma or the end of the shape");
            break;
        }
        if (sides.size() != 2) {
            return {StatusCode::unsupported,
                    fmt::format("{}: an array of {} dimensions: two are needed", name_,
                                sides.size() < 3 ? fmt::to_string(sides.size()) : "more than two")};
        }
        array.rows = sides[0];
        array.columns = sides[1];
        return {};
    }
    [[nodiscard]] Status fault(std::string_view needed) const {
        return {StatusCode::corrupt_file,
                fmt::format("{}: the header should have {} at {}", name_, needed, excerpt(rest_))};
    }

    std::string_view rest_;
    std::string_view name_;
    bool floats_;
};

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
    return value;
}

/// The array that `bytes` hold. Its data has rows x columns elements. `floats`: as HeaderReader's.
Result<Array> parse_array(std::string_view bytes, std::string_view name, bool floats = false) {
    const auto corrupt = [&](std::string_view message) {
        return fail(StatusCode::corrupt_file, fmt::format("{}: {}", name, message));
    };
    if (!bytes.starts_with(kNpyMagic))
        return corrupt("no array of NumPy: it begins with other bytes");
    bytes.remove_prefix(kNpyMagic.size());
    if (bytes.size() < 2) return corrupt("the file ends in the header");
    const int major = static_cast<std::uint8_t>(bytes[0]);
    if (major < 1 || major > 3 || bytes[1] != 0) {
        return fail(StatusCode::wrong_version,
                    fmt::format("{}: version {}.{} of the format: 1.0, 2.0 and 3.0 are read", name,
                                major, static_cast<int>(static_cast<std::uint8_t>(bytes[1]))));
    }
    bytes.remove_prefix(2);
    const std::size_t width = major == 1 ? 2 : 4;
    if (bytes.size() < width) return corrupt("the file ends in the header");
    const std::uint64_t length = little_endian(bytes.substr(0, width));
    bytes.remove_prefix(width);
    if (bytes.size() < length) return corrupt("the file ends in the header");
    Array array;
    if (Status s = HeaderReader(bytes.substr(0, length), name, floats).read(array); !s.ok())
        return tl::unexpected(std::move(s));
    array.data = bytes.substr(length);
    const std::uint64_t items = array.data.size() / array.item;
    const bool fits = array.columns == 0 ? items == 0
                                         : array.rows <= items / array.columns &&
                                               array.rows * array.columns == items;
    if (!fits || array.data.size() % array.item != 0) {
        return corrupt(fmt::format("{} bytes of data where {} x {} elements of {} bytes are needed",
                                   array.data.size(), array.rows, array.columns, array.item));
    }
    return array;
}

/// The terrain byte of a weight.
std::uint8_t terrain_of_weight(std::int64_t weight) {
    if (weight <= 0) return '@';
    return weight == 1 ? '.' : static_cast<std::uint8_t>('0' + weight);
}

/// Rows of numbers of a type.
template <class Number>
Result<std::string> format_rows(std::span<const Number> numbers, std::size_t columns,
                                std::string_view type) {
    if (columns == 0 || numbers.size() % columns != 0) {
        return fail(StatusCode::bad_option,
                    fmt::format("{} numbers in rows of {}", numbers.size(), columns));
    }
    std::string out = npy_header(type, numbers.size() / columns, columns);
    append_little_endian(numbers, out);
    return out;
}

/// How a row of an array becomes a request.
template <class Request>
struct Rows;

template <>
struct Rows<grid::Request> {
    static constexpr std::uint64_t kColumns = 4;
    static constexpr bool kFloats = false;
    static constexpr std::string_view kMeaning = "integers: start x, start y, goal x, goal y";

    /// `requests` from row `first` on.
    [[nodiscard]] static Status read(const Array& array, std::uint64_t first,
                                     std::span<grid::Request> requests, std::string_view name) {
        static_assert(sizeof(grid::Request) == kColumns * sizeof(std::int32_t));
        if (array.is_plain('i', sizeof(std::int32_t))) {
            if (!requests.empty())
                std::memcpy(requests.data(), array.data.data() + first * sizeof(grid::Request),
                            requests.size_bytes());
            return {};
        }
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const std::uint64_t row = first + i;
            std::array<std::int32_t, kColumns> cells{};
            for (std::uint64_t column = 0; column < kColumns; ++column) {
                const std::int64_t number = array.at(row, column);
                cells[column] = static_cast<std::int32_t>(number);
                if (cells[column] != number) {
                    return {StatusCode::corrupt_file,
                            fmt::format("{}: {} in row {}, column {} is no coordinate", name,
                                        number, row, column)};
                }
            }
            requests[i] = {{cells[0], cells[1]}, {cells[2], cells[3]}};
        }
        return {};
    }
};

#if CAIRN_HAS_MESH

template <>
struct Rows<mesh::Request> {
    static constexpr std::uint64_t kColumns = 6;
    static constexpr bool kFloats = true;
    static constexpr std::string_view kMeaning = "numbers: start x, y, z, goal x, y, z";

    [[nodiscard]] static Status read(const Array& array, std::uint64_t first,
                                     std::span<mesh::Request> requests, std::string_view /*name*/) {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const auto place = [&](std::uint64_t column) {
                const auto number = [&](std::uint64_t of) {
                    return nearest_float(array.number_at(first + i, column + of));
                };
                return mesh::Place{mesh::kNone, {number(0), number(1), number(2)}};
            };
            requests[i] = {place(0), place(3)};
        }
        return {};
    }

private:
    /// The coordinate of a number; infinity beyond all floats.
    [[nodiscard]] static float nearest_float(double number) noexcept {
        constexpr double most = std::numeric_limits<float>::max();
        if (number > most) return std::numeric_limits<float>::infinity();
        if (number < -most) return -std::numeric_limits<float>::infinity();
        return static_cast<float>(number);
    }
};

#endif

/// The array of requests that `bytes` hold.
template <class Request>
Result<Array> parse_requests(std::string_view bytes, std::string_view name) {
    auto array = parse_array(bytes, name, Rows<Request>::kFloats);
    if (array && (array->columns != Rows<Request>::kColumns || array->kind == 'b')) {
        return fail(StatusCode::unsupported,
                    fmt::format("{}: requests are an array n x {} of {}", name,
                                Rows<Request>::kColumns, Rows<Request>::kMeaning));
    }
    return array;
}

}  // namespace

Result<TerrainImage> parse_npy_terrain(std::string_view bytes, std::string_view name,
                                       const PictureLimits& limits) noexcept try {
    const auto array = parse_array(bytes, name);
    if (!array) return tl::unexpected(array.error());
    constexpr std::uint64_t side = grid::Map::kMaxSide;
    const std::uint64_t most = std::min(limits.max_pixels, GreyImage::kMaxPixels);
    if (array->rows > side || array->columns > side || array->rows * array->columns > most) {
        return fail(StatusCode::too_large,
                    fmt::format("{}: an array of {} x {} cells: at most {} a side and {} in all",
                                name, array->rows, array->columns, side, most));
    }
    if (array->rows == 0 || array->columns == 0)
        return fail(StatusCode::corrupt_file, fmt::format("{}: an array without cells", name));
    TerrainImage image{static_cast<int>(array->columns), static_cast<int>(array->rows), {}};
    image.terrain.reserve(array->rows * array->columns);
    for (std::uint64_t row = 0; row < array->rows; ++row) {
        for (std::uint64_t column = 0; column < array->columns; ++column) {
            const std::int64_t number = array->at(row, column);
            if (limits.cells == ArrayCells::weights) {
                constexpr std::int64_t kMostWeight = 9;
                if (number > kMostWeight) {
                    return fail(StatusCode::unsupported,
                                fmt::format("{}: the weight in row {}, column {} is {}: at most {}",
                                            name, row, column, number, kMostWeight));
                }
                image.terrain.push_back(terrain_of_weight(number));
            } else {
                const bool free = (number != 0) == (limits.cells == ArrayCells::free);
                image.terrain.push_back(free ? '.' : '@');
            }
        }
    }
    return image;
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_npy(const TerrainImage& image) noexcept try {
    constexpr int side = grid::Map::kMaxSide;
    if (image.width < 1 || image.height < 1 || image.width > side || image.height > side ||
        image.terrain.size() !=
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)) {
        return fail(StatusCode::bad_option,
                    fmt::format("{} bytes of terrain for {} x {} cells", image.terrain.size(),
                                image.width, image.height));
    }
    const grid::TerrainWeights weights = grid::TerrainWeights::weighted();
    std::string out = npy_header("|b1", static_cast<std::uint64_t>(image.height),
                                 static_cast<std::uint64_t>(image.width));
    for (const std::uint8_t t : image.terrain) out += weights.weight[t] != 0 ? '\x01' : '\x00';
    return out;
} catch (...) {
    return out_of_memory();
}

Status write_npy(const std::string& path, const TerrainImage& image) noexcept try {
    return write_formatted(path, format_npy(image));
} catch (...) {
    return out_of_memory();
}

Result<std::vector<grid::Request>> parse_npy_requests(std::string_view bytes,
                                                      std::string_view name) noexcept try {
    const auto array = parse_requests<grid::Request>(bytes, name);
    if (!array) return tl::unexpected(array.error());
    std::vector<grid::Request> requests(array->rows);
    if (Status s = Rows<grid::Request>::read(*array, 0, requests, name); !s.ok())
        return tl::unexpected(std::move(s));
    return requests;
} catch (...) {
    return out_of_memory();
}

Result<std::vector<grid::Request>> load_npy_requests(const std::string& path) noexcept try {
    constexpr std::size_t kMostBytes = std::size_t{1} << 30;
    return parse_file(path, kMostBytes, parse_npy_requests);
} catch (...) {
    return out_of_memory();
}

template <class Request>
struct NpyRequests<Request>::File {
    MappedFile mapped;
    std::string path;
    Array array;  // its data lies in `mapped`
};

template <class Request>
NpyRequests<Request>::NpyRequests(std::unique_ptr<const File> file) noexcept
    : file_(std::move(file)) {}
template <class Request>
NpyRequests<Request>::NpyRequests(NpyRequests&&) noexcept = default;
template <class Request>
NpyRequests<Request>& NpyRequests<Request>::operator=(NpyRequests&&) noexcept = default;
template <class Request>
NpyRequests<Request>::~NpyRequests() = default;

template <class Request>
Result<NpyRequests<Request>> NpyRequests<Request>::open(const std::string& path) noexcept try {
    auto mapped = MappedFile::open(path);
    if (!mapped) return tl::unexpected(std::move(mapped.error()));
    const std::span<const std::byte> bytes = mapped->bytes();
    const auto array =
        parse_requests<Request>({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
    if (!array) return tl::unexpected(array.error());
    return NpyRequests(std::make_unique<const File>(File{std::move(*mapped), path, *array}));
} catch (...) {
    return out_of_memory();
}

template <class Request>
std::uint64_t NpyRequests<Request>::size() const noexcept {
    return file_->array.rows;
}

template <class Request>
Status NpyRequests<Request>::read(std::uint64_t first, std::span<Request> requests) const noexcept
    try {
    return Rows<Request>::read(file_->array, first, requests, file_->path);
} catch (...) {
    return out_of_memory();
}

template class NpyRequests<grid::Request>;
#if CAIRN_HAS_MESH
template class NpyRequests<mesh::Request>;
#endif

Result<std::string> format_npy(std::span<const std::int32_t> numbers, std::size_t columns) noexcept
    try {
    return format_rows(numbers, columns, "<i4");
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_npy(std::span<const double> numbers, std::size_t columns) noexcept try {
    return format_rows(numbers, columns, "<f8");
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::formats
