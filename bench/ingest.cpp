// Cold ingest of a generated corpus, signing and sealing included, against the floor
// measured in the same run: reading, parsing, hashing and signing each block, and
// inserting the same bytes into SQLite, one after the other on one core.
//
//   bench_ingest [MB]      100 by default; then ten times as much, if it is named: 100 1000
#include <cstdlib>

#include "corpus.hpp"
#include "floor.hpp"
#include "weft/formats/framing/framing.hpp"

namespace weft::bench {
namespace {

std::vector<std::string> blocks_of(const std::string& bytes, double& parse) {
  std::vector<std::string> blocks;
  const auto on_section = [&](const formats::Record& record) {
    const std::size_t array = record.text.find('[');
    if (array == std::string_view::npos) return;
    Stopwatch parsing;
    Result<ParsedJson> parsed = parse_json(record.text.substr(array));
    parse += parsing.seconds();
    if (!parsed) return;
    for (const json::value& block : parsed->value.get_array()) {
      blocks.push_back(canonical_json(block));
    }
  };
  const auto framer = formats::section_framer();
  framer->push(bytes, on_section, [](std::uint64_t, std::uint64_t) {});
  framer->end(on_section, [](std::uint64_t, std::uint64_t) {});
  return blocks;
}

double measure(std::uint64_t megabytes) {
  const TempDir dir;
  const auto files = Corpus(42).write(dir.path, megabytes << 20);
  const Floor floor = measure_floor(files, dir.path, blocks_of);
  std::printf("%lu MB in %zu transcripts, %zu blocks\n", megabytes, files.size(), floor.blocks);
  floor.print();
  std::vector<std::string> arguments{"ingest", "--json", "--home", dir.path / "home"};
  for (const auto& file : files) arguments.push_back(file);
  const Ran cold = run_weft(arguments);
  report("cold ingest", cold.seconds, floor.sum(), 2.0);
  report_stages(cold);
  const Ran again = run_weft(arguments);
  std::printf("%-46s %8.2f s  %5.2f of the first\n", "the same again", again.seconds,
              again.seconds / cold.seconds);
  const double size =
      static_cast<double>(std::filesystem::file_size(dir.path / "home" / "weft.db")) / (1 << 20);
  std::printf("%-46s %8.1f MB %5.2f of the files\n", "store", size,
              size / static_cast<double>(megabytes));
  std::printf("%-46s %8.1f MB (limit 300)%s, exit %d\n", "peak memory", cold.peak_mb,
              cold.peak_mb > 300 ? "  OVER" : "", cold.exit);
  return cold.seconds / static_cast<double>(megabytes);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  double first = 0;
  for (int i = 1; i < argc || i == 1; ++i) {
    const auto megabytes = argc > 1 ? std::strtoull(argv[i], nullptr, 10) : 100;
    const double rate = weft::bench::measure(megabytes);
    if (first == 0) first = rate;
    if (i > 1)
      std::printf("%-46s %5.2f times the time a megabyte (limit 1.1)\n", "growth", rate / first);
  }
}
