#include "reproduce_data.hpp"

#include <cstdlib>

namespace cairn::app {

Result<std::filesystem::path> data_folder(const std::string& data,
                                          const std::filesystem::path& inner,
                                          const std::string& message) {
    std::filesystem::path folder = data;
    if (data.empty()) {
        const char* set = std::getenv("CAIRN_DATA");
        if (set == nullptr) return fail(StatusCode::bad_option, message);
        folder = set;
    }
    std::error_code error;
    return std::filesystem::is_directory(folder / inner, error) ? folder / inner : folder;
}

}  // namespace cairn::app
