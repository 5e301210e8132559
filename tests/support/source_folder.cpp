#include "support/source_folder.hpp"

namespace cairn::test {

std::filesystem::path source_folder() { return CAIRN_SOURCE_DIR; }

}  // namespace cairn::test
