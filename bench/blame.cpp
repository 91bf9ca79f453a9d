// The speed of weft blame on a long file with many known edits, against `git blame` of the same
// file with the same switches. Both read the same commits; weft finds the edit of each line beside
// that.
//
//   bench_blame [LINES [EDITS [COMMITS]]]
#include <cstdlib>
#include <fstream>

#include "measure.hpp"

namespace weft::bench {
namespace {

constexpr int kTimes = 5;
constexpr std::int64_t kStart = 1'770'000'000;
constexpr double kLimit = 2.0;  // times git's own blame

struct Size {
  std::size_t lines = 10'000, edits = 5'000, commits = 500;
};

// A file of which an agent replaced lines, a few between any two commits.
class Corpus {
 public:
  Corpus(const std::filesystem::path& folder, Size size) : folder_(folder), size_(size) {
    for (std::size_t i = 0; i < size.lines; ++i) {
      lines_.push_back("    value_" + std::to_string(i) + " = compute(warp, " +
                       std::to_string(i * 7919 % 10'007) + ")\n");
    }
  }

  void write() {
    std::filesystem::create_directories(folder_);
    run_program("git", {"-C", folder_.string(), "init", "-q", "-b", "main", "."});
    std::ofstream stream(folder_.parent_path() / "stream", std::ios::binary);
    std::ofstream session(folder_.parent_path() / "session.jsonl", std::ios::binary);
    std::int64_t time = kStart;
    commit(stream, time);
    const std::size_t between = std::max<std::size_t>(1, size_.edits / size_.commits);
    for (std::size_t i = 0; i < size_.edits; ++i) {
      if (i % 50 == 0) say(session, time += 1, "user", R"("change some more lines")");
      edit(session, time += 1, i);
      if ((i + 1) % between == 0) commit(stream, time += 1);
    }
    commit(stream, time + 1);
    stream.close();
    // git reads from stdin, so a shell opens the file.
    run_program("sh", {"-c", "git -C '" + folder_.string() + "' fast-import --quiet <'" +
                                 (folder_.parent_path() / "stream").string() + "' && git -C '" +
                                 folder_.string() + "' reset -q --hard main"});
  }

 private:
  void commit(std::ofstream& stream, std::int64_t time) {
    std::string text;
    for (const std::string& line : lines_) text += line;
    stream << "commit refs/heads/main\ncommitter Ada <ada@example.org> " << time
           << " +0000\ndata 4\nwork\nM 644 inline loom.py\ndata " << text.size() << "\n"
           << text << "\n";
  }
  void edit(std::ofstream& session, std::int64_t time, std::size_t number) {
    // Spread over the file; a line may be replaced more than once.
    std::string& line = lines_[number * 7'919 % lines_.size()];
    const std::string before = line.substr(0, line.size() - 1);
    const std::string after =
        "    edited_" + std::to_string(number) + " = weave(warp, " + std::to_string(number) + ")";
    const std::string id = "t" + std::to_string(number);
    say(session, time, "assistant",
        R"([{"type":"tool_use","id":")" + id + R"(","name":"Edit","input":{"file_path":")" +
            (folder_ / "loom.py").string() + R"(","old_string":")" + before +
            R"(","new_string":")" + after + R"("}}])");
    say(session, time, "user",
        R"([{"type":"tool_result","tool_use_id":")" + id + R"(","content":"done"}])");
    line = after + "\n";
  }
  void say(std::ofstream& session, std::int64_t time, const std::string& role,
           const std::string& content) {
    const std::string id = "u" + std::to_string(++said_);
    const std::time_t seconds = time;
    std::string stamp(24, '\0');
    stamp.resize(std::strftime(stamp.data(), stamp.size(), "%FT%T", std::gmtime(&seconds)));
    session << R"({"type":")" << role << R"(","uuid":")" << id << R"(","parentUuid":)"
            << (said_ == 1 ? "null" : "\"u" + std::to_string(said_ - 1) + "\"")
            << R"(,"sessionId":"11111111-1111-4111-8111-111111111111","cwd":")" << folder_.string()
            << R"(","timestamp":")" << stamp << R"(.000Z","message":{"role":")" << role
            << (role == "assistant" ? R"(","model":"claude-x","id":"m)" + id : std::string())
            << R"(","content":)" << content << "}}\n";
  }

  std::filesystem::path folder_;
  Size size_;
  std::vector<std::string> lines_;
  std::size_t said_ = 0;
};

// The best of several runs, by time and by processor time.
Ran best_of(const char* program, const std::vector<std::string>& arguments) {
  Ran best{.seconds = 1e9, .cpu_seconds = 1e9};
  for (int i = 0; i < kTimes; ++i) {
    const Ran ran = run_program(program, arguments);
    if (ran.exit != 0) std::printf("%s ended with %d\n", program, ran.exit);
    best.seconds = std::min(best.seconds, ran.seconds);
    best.cpu_seconds = std::min(best.cpu_seconds, ran.cpu_seconds);
    best.peak_mb = std::max(best.peak_mb, ran.peak_mb);
  }
  return best;
}

void measure(Size size) {
  const TempDir dir;
  const std::filesystem::path folder = dir.path / "looms";
  Corpus(folder, size).write();
  ::setenv("WEFT_HOME", (dir.path / "home").c_str(), 1);
  run_weft({"ingest", (dir.path / "session.jsonl").string()});
  const Ran git = best_of("git", {"-C", folder.string(), "blame", "--line-porcelain", "-w", "-M",
                                  "-C", "HEAD", "--", "loom.py"});
  const Ran weft = best_of(WEFT_BINARY, {"blame", (folder / "loom.py").string(), "--json"});
  const Ran range =
      best_of(WEFT_BINARY, {"blame", (folder / "loom.py").string() + ":100", "--json"});
  std::printf("%zu lines, %zu edits, %zu commits\n", size.lines, size.edits, size.commits);
  report("git blame -w -M -C", git.seconds, git.seconds, kLimit);
  report("weft blame", weft.seconds, git.seconds, kLimit);
  report("weft blame, processor time of both programs", weft.cpu_seconds, git.cpu_seconds, kLimit);
  report("weft blame of one line", range.seconds, git.seconds, kLimit);
  std::printf("%-46s %8.0f MB\n", "memory", weft.peak_mb);
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) {
  weft::bench::Size size;
  if (count > 1) size.lines = std::strtoul(arguments[1], nullptr, 10);
  if (count > 2) size.edits = std::strtoul(arguments[2], nullptr, 10);
  if (count > 3) size.commits = std::strtoul(arguments[3], nullptr, 10);
  weft::bench::measure(size);
}
