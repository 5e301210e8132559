// Arrays of NumPy, with headers written by hand. tests/app compares with NumPy itself.

#include "cairn/formats/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "formats/npy_bytes.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using testing::HasSubstr;

/// An array as a file: a header of this text, and the data.
std::string array_file(const std::string& header, const std::string& data, int major = 1) {
    std::string out = "\x93NUMPY";
    out += {static_cast<char>(major), '\0'};
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
        out += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return out + header + data;
}
std::string header(const std::string& type, const std::string& shape, bool by_columns = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
           ", 'shape': " + shape + ", }\n";
}
std::string terrain(const std::string& bytes, ArrayCells cells = ArrayCells::free) {
    const auto image = parse_npy_terrain(bytes, "a.npy", {.cells = cells});
    if (!image) return image.error().message;
    std::string out;
    for (int y = 0; y < image->height; ++y) {
        for (int x = 0; x < image->width; ++x) out += static_cast<char>(image->at(x, y));
        out += '/';
    }
    return out;
}
StatusCode code(const std::string& bytes, const PictureLimits& limits = {}) {
    const auto image = parse_npy_terrain(bytes, "a.npy", limits);
    if (image) return StatusCode::ok;
    EXPECT_TRUE(image.error().message.starts_with("a.npy:")) << image.error().message;
    return image.error().code;
}

TEST(Npy, NumbersMeanWhatTheOptionSays) {
    const std::string file = array_file(header("|u1", "(2, 3)"), {0, 1, 2, 3, 9, 0});
    EXPECT_EQ(terrain(file), "@../..@/");
    EXPECT_EQ(terrain(file, ArrayCells::obstacles), ".@@/@@./");
    EXPECT_EQ(terrain(file, ArrayCells::weights), "@.2/39@/");
    EXPECT_EQ(terrain(array_file(header("|i1", "(1, 3)"), "\xff\x01\x05"), ArrayCells::weights),
              "@.5/");
    EXPECT_EQ(terrain(array_file(header("|i1", "(1, 3)"), std::string("\xff\0\x05", 3))), ".@./");
    EXPECT_THAT(terrain(array_file(header("|u1", "(1, 2)"), "\x01\x0a"), ArrayCells::weights),
                HasSubstr("a.npy: the weight in row 0, column 1 is 10: at most 9"));
    EXPECT_THAT(
        terrain(array_file(header("<u8", "(1, 1)"), std::string(8, '\xff')), ArrayCells::weights),
        HasSubstr("at most 9"));
}

TEST(Npy, BytesAndOrdersAreToldByTheHeader) {
    const std::string two("\x00\x02", 2);
    EXPECT_EQ(terrain(array_file(header(">i2", "(1, 1)"), two), ArrayCells::weights), "2/");
    EXPECT_THAT(terrain(array_file(header("<i2", "(1, 1)"), two), ArrayCells::weights),
                HasSubstr("is 512"));
    const std::string six = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(terrain(array_file(header("|u1", "(2, 3)"), six), ArrayCells::weights), ".23/456/");
    EXPECT_EQ(terrain(array_file(header("|u1", "(2, 3)", true), six), ArrayCells::weights),
              ".35/246/");
    for (const int major : {1, 2, 3})
        EXPECT_EQ(terrain(array_file(header("|b1", "(1, 2)"), {1, 0}, major)), ".@/");
    // Other ways to write the same header.
    for (const std::string text :
         {"{\"shape\":(1,2),\"descr\":\"b1\",\"fortran_order\":False}",
          "  { 'fortran_order' : False , 'descr' : '=b1' , 'shape' : ( 1L , 2L , ) }   \n"})
        EXPECT_EQ(terrain(array_file(text, {1, 0})), ".@/") << text;
}

TEST(Npy, OddArraysAreRefused) {
    const std::string good = array_file(header("|b1", "(1, 2)"), {1, 0});
    ASSERT_EQ(code(good), StatusCode::ok);
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_EQ(code(good.substr(0, length)), StatusCode::corrupt_file) << length;
    EXPECT_EQ(code(good + "x"), StatusCode::corrupt_file);
    EXPECT_EQ(code(array_file(header("|b1", "(1, 2)"), {1, 0}, 4)), StatusCode::wrong_version);
    for (const char* type : {"<f8", "<f4", "<c8", "|S1", "<U1", "|O", "<i3", "i", "", "<M8[s]"})
        EXPECT_EQ(code(array_file(header(type, "(1, 2)"), {1, 0})), StatusCode::unsupported)
            << type;
    EXPECT_EQ(
        code(array_file("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}", {})),
        StatusCode::unsupported);
    for (const char* shape : {"()", "(2,)", "(1, 1, 2)", "(1, 1, 1, 2)"})
        EXPECT_EQ(code(array_file(header("|b1", shape), {1, 0})), StatusCode::unsupported) << shape;
    for (const char* shape : {"(-1, 2)", "(1 2)", "(1, 2", "1, 2", "(1, x)", "(1,, 2)",
                              "(99999999999999999999, 2)", "(2, 2)", "(0, 0)", "(0, 2)", "(2, 0)",
                              "(9223372036854775808, 2)", "(4294967296, 4294967296)"})
        EXPECT_EQ(code(array_file(header("|b1", shape), {1, 0})), StatusCode::corrupt_file)
            << shape;
    EXPECT_EQ(code(array_file(header("|b1", "(0, 5)"), "")), StatusCode::corrupt_file);
    for (const char* text : {"", "{}", "[]", "{'descr': '|b1'}", "{'descr': '|b1', 'descr': '|b1'}",
                             "{'descr': '|b1', 'fortran_order': 0, 'shape': (1, 2)}",
                             "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2)} x",
                             "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), 'a': 1}",
                             "{'descr: 1", "{'descr' '|b1'}"})
        EXPECT_EQ(code(array_file(text, {1, 0})), StatusCode::corrupt_file) << text;
    EXPECT_EQ(code(good, {.max_pixels = 1}), StatusCode::too_large);
    const std::string wide(grid::Map::kMaxSide + 1, '\1');
    EXPECT_EQ(code(array_file(header("|b1", "(1, " + std::to_string(wide.size()) + ")"), wide)),
              StatusCode::too_large);
}

TEST(Npy, TerrainIsWrittenAsBool) {
    const TerrainImage image{3, 2, {'.', '@', '5', 'T', 'G', 'S'}};
    const auto bytes = format_npy(image);
    ASSERT_TRUE(bytes);
    EXPECT_THAT(*bytes, HasSubstr("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }"));
    EXPECT_EQ((bytes->size() - 6) % 64, 0U);
    EXPECT_EQ(terrain(*bytes), ".@./@../");
    EXPECT_EQ(format_npy(TerrainImage{3, 2, {'.'}}).error().code, StatusCode::bad_option);
    EXPECT_EQ(format_npy(TerrainImage{0, 0, {}}).error().code, StatusCode::bad_option);

    const test::ScratchFolder folder;
    const std::string file = folder.path() / "a.npy";
    ASSERT_TRUE(write_npy(file, image).ok());
    EXPECT_EQ(load_terrain(file)->terrain,
              (std::vector<std::uint8_t>{'.', '@', '.', '@', '.', '.'}));
    EXPECT_EQ(parse_terrain(*bytes, "by its bytes")->width, 3);
    EXPECT_EQ(load_terrain(folder.path() / "none.npy").error().code, StatusCode::io_error);
}

TEST(Npy, RequestsAreRowsOfFour) {
    const std::vector<std::int32_t> numbers{1, 2, 3, 4, -5, 6, 7, 2147483647};
    const auto bytes = format_npy(numbers, 4);
    ASSERT_TRUE(bytes);
    const auto requests = parse_npy_requests(*bytes, "r.npy");
    ASSERT_TRUE(requests);
    EXPECT_EQ(*requests,
              (std::vector<grid::Request>{{{1, 2}, {3, 4}}, {{-5, 6}, {7, 2147483647}}}));
    EXPECT_EQ(parse_npy_requests(*format_npy(std::span<const std::int32_t>(), 4), "r")->size(), 0U);

    const auto error = [](const std::string& file) {
        const auto parsed = parse_npy_requests(file, "r.npy");
        return parsed ? StatusCode::ok : parsed.error().code;
    };
    EXPECT_EQ(error(*format_npy(numbers, 2)), StatusCode::unsupported);
    EXPECT_EQ(error(*format_npy(numbers, 8)), StatusCode::unsupported);
    EXPECT_EQ(error(array_file(header("|b1", "(1, 4)"), {1, 0, 1, 0})), StatusCode::unsupported);
    EXPECT_EQ(error(array_file(header("|u1", "(1, 4)"), {1, 0, 1, 0})), StatusCode::ok);
    const std::string large(32, '\x7f');
    EXPECT_EQ(error(array_file(header("<i8", "(1, 4)"), large)), StatusCode::corrupt_file);

    EXPECT_EQ(format_npy(numbers, 3).error().code, StatusCode::bad_option);
    EXPECT_EQ(format_npy(numbers, 0).error().code, StatusCode::bad_option);
}

TEST(Npy, HeadersOfAllNumbersOfRowsHaveOneSize) {
    for (const std::uint64_t rows : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        for (const std::size_t columns : {1U, 9U}) {
            EXPECT_EQ(npy_header("<i4", rows, columns).size(), kNpyHeaderBytes);
            EXPECT_EQ(npy_header("<f8", rows, columns).size(), kNpyHeaderBytes);
        }
    }
}

TEST(Npy, RequestsAreReadSliceBySlice) {
    const test::ScratchFolder folder;
    std::vector<std::int32_t> numbers;
    for (std::int32_t i = 0; i < 4 * 23; ++i) numbers.push_back(i * i - 500);
    std::string big_endian;  // by columns, eight bytes each
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 23; ++row) {
            for (int i = 7; i >= 0; --i) {
                big_endian += static_cast<char>(
                    static_cast<std::int64_t>(numbers[4 * row + column]) >> (8 * i) & 0xff);
            }
        }
    }
    for (const std::string& bytes :
         {*format_npy(numbers, 4), array_file(header(">i8", "(23, 4)", true), big_endian)}) {
        const auto whole = parse_npy_requests(bytes, "whole");
        ASSERT_TRUE(whole) << whole.error().message;
        EXPECT_EQ((*whole)[7].goal, (grid::Point{numbers[30], numbers[31]}));
        const auto opened = NpyRequests<grid::Request>::open(folder.file("r.npy", bytes));
        ASSERT_TRUE(opened) << opened.error().message;
        ASSERT_EQ(opened->size(), 23U);
        for (std::size_t first = 0; first <= 23; ++first) {
            for (std::size_t count = 0; first + count <= 23; ++count) {
                std::vector<grid::Request> slice(count);
                ASSERT_TRUE(opened->read(first, slice).ok());
                EXPECT_TRUE(std::equal(slice.begin(), slice.end(),
                                       whole->begin() + static_cast<std::ptrdiff_t>(first)));
            }
        }
    }
    // A wrong number is found when its slice is read.
    std::string beyond(32, '\0');
    beyond.append(8, '\x7f').append(24, '\0');
    const auto opened = NpyRequests<grid::Request>::open(
        folder.file("b.npy", array_file(header("<i8", "(2, 4)"), beyond)));
    ASSERT_TRUE(opened) << opened.error().message;
    std::vector<grid::Request> one(1);
    EXPECT_TRUE(opened->read(0, one).ok());
    const Status status = opened->read(1, one);
    EXPECT_EQ(status.code, StatusCode::corrupt_file);
    EXPECT_THAT(status.message, HasSubstr("b.npy: 9187201950435737471 in row 1, column 0"));

    const auto error = [&](const std::string& bytes) {
        return NpyRequests<grid::Request>::open(folder.file("e.npy", bytes)).error().code;
    };
    EXPECT_EQ(error("no array"), StatusCode::corrupt_file);
    EXPECT_EQ(error(""), StatusCode::corrupt_file);
    EXPECT_EQ(error(*format_npy(numbers, 2)), StatusCode::unsupported);
    EXPECT_EQ(error(array_file(header("<f4", "(1, 4)"), std::string(16, '\0'))),
              StatusCode::unsupported);
    EXPECT_EQ(NpyRequests<grid::Request>::open(folder.path() / "none.npy").error().code,
              StatusCode::io_error);
}

TEST(Npy, RequestsOnMeshesAreRowsOfSixNumbers) {
    const test::ScratchFolder folder;
    const auto read = [&](const std::string& bytes) {
        const auto opened = NpyRequests<mesh::Request>::open(folder.file("r.npy", bytes));
        if (!opened) return Result<std::vector<mesh::Request>>(tl::unexpected(opened.error()));
        std::vector<mesh::Request> requests(opened->size());
        EXPECT_TRUE(opened->read(0, requests).ok());
        return Result<std::vector<mesh::Request>>(requests);
    };
    const std::vector<mesh::Request> expected{
        {{mesh::kNone, {1.5F, -2, 3}}, {mesh::kNone, {0.25F, 1e9F, 0}}}};
    const std::vector<double> doubles{1.5, -2, 3, 0.25, 1e9, 0};
    EXPECT_EQ(read(*format_npy(doubles, 6)).value(), expected);
    std::string floats;
    for (const double number : doubles) {
        const auto one = static_cast<float>(number);
        floats.append(reinterpret_cast<const char*>(&one), sizeof one);
    }
    EXPECT_EQ(read(array_file(header("=f4", "(1, 6)"), floats)).value(), expected);
    const std::vector<std::int32_t> integers{1, 2, 3, 4, 5, -6};
    EXPECT_EQ(read(*format_npy(integers, 6)).value(),
              (std::vector<mesh::Request>{{{mesh::kNone, {1, 2, 3}}, {mesh::kNone, {4, 5, -6}}}}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto odd = read(*format_npy(std::vector<double>{1e300, -1e300, nan, 0, 0, 0}, 6));
    ASSERT_TRUE(odd) << odd.error().message;
    EXPECT_EQ(odd->front().start.point.x, std::numeric_limits<float>::infinity());
    EXPECT_EQ(odd->front().start.point.y, -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(odd->front().start.point.z));
    EXPECT_EQ(read(*format_npy(doubles, 3)).error().code, StatusCode::unsupported);
    EXPECT_EQ(read(array_file(header("|b1", "(1, 6)"), "123456")).error().code,
              StatusCode::unsupported);
    EXPECT_EQ(read(array_file(header("<f2", "(1, 6)"), std::string(12, 'x'))).error().code,
              StatusCode::unsupported);
}

TEST(Npy, RealNumbersAreWrittenBitByBit) {
    const std::vector<double> numbers{1.5, -0.0};
    const auto bytes = format_npy(numbers, 2);
    ASSERT_TRUE(bytes);
    EXPECT_THAT(*bytes, HasSubstr("'<f8'"));
    EXPECT_THAT(*bytes, HasSubstr("(1, 2)"));
    EXPECT_EQ(bytes->substr(bytes->size() - 16),
              std::string("\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\x80", 16));
}

}  // namespace
}  // namespace cairn::formats
