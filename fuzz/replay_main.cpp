// Runs a fuzz target without libFuzzer: on every file of the corpus folder given as the argument,
// then on seeded mutations of these files. So every build tests the fuzz targets on the same
// inputs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMaxSize = 1 << 16;  // bytes of a mutation
constexpr double kMutations = 4000;        // at CAIRN_TEST_SCALE 1

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.is_regular_file()) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Bytes> corpus;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return corpus;
}

/// kMutations times CAIRN_TEST_SCALE, by which slow builds run fewer cases.
int mutation_count() {
    const char* scale = std::getenv("CAIRN_TEST_SCALE");
    const double factor = scale != nullptr ? std::strtod(scale, nullptr) : 1.0;
    return static_cast<int>(kMutations * std::clamp(factor, 0.01, 100.0));
}

/// Makes inputs from the files of a corpus.
class Mutator {
public:
    explicit Mutator(const std::vector<Bytes>& corpus) : corpus_(corpus) {}

    Bytes next() {
        Bytes bytes = corpus_.empty() ? Bytes{} : corpus_[below(corpus_.size())];
        for (std::size_t step = 1 + below(4); step > 0; --step) {
            mutate(bytes);
        }
        bytes.resize(std::min(bytes.size(), kMaxSize));
        return bytes;
    }

private:
    /// A number in [0, bound); the same on every platform, unlike std::uniform_int_distribution.
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(random_() % std::max<std::size_t>(bound, 1));
    }

    /// A random byte, often one of those at which formats break.
    std::uint8_t byte() {
        static constexpr std::uint8_t kEdgeBytes[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '0', '9',
                                                      '-',  '.',  '@',  ' ',  '\n', '\r'};
        return below(2) == 0 ? kEdgeBytes[below(std::size(kEdgeBytes))]
                             : static_cast<std::uint8_t>(below(256));
    }

    void mutate(Bytes& bytes) {
        const auto at = static_cast<std::ptrdiff_t>(below(bytes.size()));
        const std::size_t remaining = bytes.size() - static_cast<std::size_t>(at);
        switch (bytes.empty() ? 0 : below(7)) {
            case 0:  // insert
                bytes.insert(bytes.begin() + at, 1 + below(8), byte());
                break;
            case 1:  // cut a piece out
                bytes.erase(bytes.begin() + at,
                            bytes.begin() + at + static_cast<std::ptrdiff_t>(1 + below(remaining)));
                break;
            case 2:  // cut the end off
                bytes.resize(static_cast<std::size_t>(at));
                break;
            case 3:  // flip a bit
                bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << below(8));
                break;
            case 4:  // overwrite a run
                std::fill_n(bytes.begin() + at, std::min(remaining, 1 + below(4)), byte());
                break;
            case 5: {  // repeat a piece
                const std::size_t size = std::min<std::size_t>(1 + below(remaining), 256);
                const Bytes piece(bytes.begin() + at,
                                  bytes.begin() + at + static_cast<std::ptrdiff_t>(size));
                bytes.insert(bytes.begin() + at, piece.begin(), piece.end());
                break;
            }
            default:  // splice with another file
                splice(bytes, at);
        }
    }

    void splice(Bytes& bytes, std::ptrdiff_t at) {
        const Bytes& other = corpus_[below(corpus_.size())];
        const auto from = static_cast<std::ptrdiff_t>(below(other.size()));
        bytes.resize(static_cast<std::size_t>(at));
        bytes.insert(bytes.end(), other.begin() + from, other.end());
    }

    const std::vector<Bytes>& corpus_;
    std::mt19937_64 random_{20240613};
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argc > 0 ? argv[0] : "replay");
        return 2;
    }
    const std::vector<Bytes> corpus = read_corpus(argv[1]);
    for (const Bytes& bytes : corpus) {
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    Mutator mutator(corpus);
    const int mutations = mutation_count();
    for (int i = 0; i < mutations; ++i) {
        const Bytes bytes = mutator.next();
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%zu files and %d mutations: no failure\n", corpus.size(), mutations);
}
