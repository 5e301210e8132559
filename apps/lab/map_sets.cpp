#include "map_sets.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "cairn/formats/movingai.hpp"

namespace cairn::app {

namespace fs = std::filesystem;

namespace {

/// What the files of a folder say; nullopt if one of them is no map.
std::optional<MapSet> described(const FileSet& files) {
    MapSet set{files, 0, 0, 0, {}};
    std::size_t trees = 0;
    std::size_t free = 0;
    for (const fs::path& file : files) {
        const auto image = formats::read_map(file);
        if (!image) return std::nullopt;
        const auto [least, most] = std::minmax(image->width, image->height);
        set.least_side = set.least_side == 0 ? least : std::min(set.least_side, least);
        set.most_side = std::max(set.most_side, most);
        for (const std::uint8_t letter : image->terrain) {
            trees += letter == 'T' ? 1 : 0;
            free += letter == 'T' || letter == '.' || letter == 'G' ? 1 : 0;
        }
    }
    if (free > 0) set.soft = static_cast<int>((200 * trees / free + 1) / 2);
    for (const fs::path& file : files) {
        const fs::path scenario = fs::path(file).concat(".scen");
        std::error_code error;
        if (!fs::exists(scenario, error)) continue;
        const auto read = formats::load_scenario(scenario);
        if (read && !read->problems.empty())
            set.game = fs::path(read->problems[0].map).parent_path().filename().string();
        break;
    }
    return set;
}

}  // namespace

Result<std::vector<FileSet>> file_sets(const fs::path& root,
                                       std::initializer_list<std::string_view> extensions) {
    std::map<fs::path, FileSet> folders;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator i(root, options, error), end; !error && i != end;
         i.increment(error)) {
        const fs::path& file = i->path();
        if (std::ranges::find(extensions, file.extension()) != extensions.end())
            folders[file.parent_path()].push_back(file);
    }
    if (error)
        return fail(StatusCode::io_error, fmt::format("{}: {}", root.string(), error.message()));
    std::vector<FileSet> sets;
    for (auto& [folder, files] : folders) {
        std::sort(files.begin(), files.end());
        sets.push_back(std::move(files));
    }
    return sets;
}

FileSet chosen_set(const fs::path& root, const std::vector<FileSet>& sets) {
    FileSet best;
    for (const FileSet& set : sets) {
        if (set.front().parent_path() == root || set.front().parent_path() / "" == root) return set;
        if (set.size() > best.size()) best = set;
    }
    return best;
}

Result<std::vector<MapSet>> find_map_sets(const fs::path& root) {
    const auto folders = file_sets(root, {".map"});
    if (!folders) return tl::unexpected(folders.error());
    std::vector<MapSet> sets;
    for (const FileSet& files : *folders) {
        if (auto set = described(files)) sets.push_back(std::move(*set));
    }
    return sets;
}

FileSet chosen_maps(const fs::path& root, const std::vector<MapSet>& sets,
                    const std::function<bool(const MapSet&)>& is) {
    std::vector<FileSet> fitting;
    for (const MapSet& set : sets) {
        if (is(set)) fitting.push_back(set.files);
    }
    return chosen_set(root, fitting);
}

bool is_paper_set(const MapSet& set) noexcept {
    return set.soft == 0 && set.least_side >= 50 && set.most_side <= 320;
}

bool is_bg512(const MapSet& set) noexcept {
    return set.game == "bgmaps" && set.least_side == 512 && set.most_side == 512;
}

Result<fs::path> data_folder(const std::string& data, std::string_view what) {
    if (!data.empty()) return fs::path(data);
    if (const char* const set = std::getenv("CAIRN_DATA"); set != nullptr) return fs::path(set);
    return fail(StatusCode::bad_option,
                fmt::format("--data: name a folder that holds, at any depth, {}, or set "
                            "CAIRN_DATA, or name folders with --maps, or try --example-only",
                            what));
}

}  // namespace cairn::app
