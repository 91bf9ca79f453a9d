// The speed of reading each format, from bytes to blocks, compared with Claude Code's in files of
// the same sizes, because opening a small file costs more than reading it. Marks an adapter at less
// than half of that speed. Reads the real files beside the project if they exist, otherwise the
// fixtures of the tests.
//
//   bench_formats [DIR]      ../shared/fixtures
#include <algorithm>
#include <map>

#include "measure.hpp"
#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLeastBytes = 4u << 20;  // read for each figure
constexpr std::size_t kFiles = 6;                // the largest of each format

// A sink that ignores everything: only reading is measured.
class Deaf : public transcript::Sink {
 public:
  void heading(const transcript::Heading&) override {}
  void turn(const transcript::TurnHead&) override {}
  void block(transcript::Block&&) override { ++blocks; }
  void facts(const transcript::Facts&) override {}
  void request(const transcript::Request&) override {}
  void origin(const transcript::Origin&) override {}
  void spawned(const transcript::Spawned&) override {}
  void skip(transcript::Skipped) override {}
  void repaired(std::size_t) override {}
  std::uint64_t blocks = 0;
};

using Files = std::map<std::string_view, std::vector<std::string>>;

Files find_files(const fs::path& root) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    Result<std::string> bytes = read_file(entry.path());
    if (!bytes) continue;
    const auto adapter = formats::recognise(formats::head_of(*bytes));
    if (adapter) files[(*adapter)->name].push_back(*std::move(bytes));
  }
  for (auto& [name, texts] : files) {
    std::ranges::sort(texts, std::ranges::greater(), &std::string::size);
    texts.resize(std::min(texts.size(), kFiles));
  }
  return files;
}

double megabytes_per_second(const formats::Adapter& adapter,
                            const std::vector<std::string>& texts) {
  std::uint64_t read = 0;
  Deaf sink;
  const Stopwatch watch;
  while (read < kLeastBytes) {
    for (const std::string& text : texts) {
      read_all(adapter, {.name = "session", .model = {}}, text, sink);
      read += text.size();
    }
  }
  return static_cast<double>(read) / (1 << 20) / watch.seconds();
}

double best_of_three(const formats::Adapter& adapter, const std::vector<std::string>& texts) {
  double best = 0;
  for (int i = 0; i < 3; ++i) best = std::max(best, megabytes_per_second(adapter, texts));
  return best;
}

// Whole lines of a session, about as many bytes as each of `texts` has.
std::vector<std::string> sessions_like(const std::vector<std::string>& texts,
                                       const std::vector<std::string>& sessions) {
  std::vector<std::string> like;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& session = sessions[i % sessions.size()];
    const std::size_t end = session.find('\n', std::min(texts[i].size(), session.size() - 1));
    like.push_back(session.substr(0, end));
  }
  return like;
}

int measure(const fs::path& root) {
  const Files files = find_files(root);
  const auto sessions = files.find("claude-code");
  if (sessions == files.end()) return 1;
  const formats::Adapter& claude_code = *formats::find_adapter("claude-code");
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    const auto own = files.find(adapter->name);
    if (own == files.end()) {
      std::printf("%-22s no file\n", std::string(adapter->name).c_str());
      continue;
    }
    const double speed = best_of_three(*adapter, own->second);
    const double other = best_of_three(claude_code, sessions_like(own->second, sessions->second));
    std::uint64_t bytes = 0;
    for (const std::string& text : own->second) bytes += text.size();
    std::printf(
        "%-22s %8.1f MB/s  %5.2f of claude-code's %6.1f (at least 0.5)%s   %zu files, %.2f MB\n",
        std::string(adapter->name).c_str(), speed, speed / other, other,
        speed / other < 0.5 ? "  UNDER" : "", own->second.size(),
        static_cast<double>(bytes) / (1 << 20));
  }
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  const std::filesystem::path source = WEFT_SOURCE_DIR;
  std::filesystem::path root = source / "../shared/fixtures";
  if (!std::filesystem::is_directory(root)) root = source / "tests/fixtures";
  return weft::bench::measure(argc > 1 ? argv[1] : root);
}
