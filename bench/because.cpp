// The length of because lists in real sessions: ingests a folder, and prints how many
// references each kind of block has, the longest lists, and which responses do not lead back
// to the first human words before them.
//
//   bench_because [DIR] [FORMAT]      ../shared/fixtures/claude-code, claude-code
#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_set>

#include "measure.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"
#include "weft/thought/thought.hpp"

namespace weft::bench {
namespace {

struct Figures {
  std::uint64_t blocks = 0, references = 0, longest = 0;
  std::map<std::uint64_t, std::uint64_t> by_length;
  std::uint64_t responses = 0, lost = 0;  // lost: do not reach the first human words
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> by_kind;  // blocks, references
};

bool is_block(std::string_view kind) {
  static const std::unordered_set<std::string_view> others = {
      "conversation", "turn",   "conversation_facts", "checkpoint", "connection",
      "identity",     "schema", "thinking_summary",   "citation",   "web_resource"};
  return !others.contains(kind);
}

void count(const store::Store& store, const store::ConversationRow& row, Figures& figures) {
  std::optional<Cid> first_human;
  std::unordered_set<Cid> reach;  // those that lead back to it
  const Status walked = store.each_of(row.cid, [&](thought::Thought thought) {
    const std::string_view kind = thought::kind_of(thought.type);
    if (!is_block(kind) || thought.type.starts_with("schema") ||
        thought.type.starts_with("input")) {
      return true;
    }
    const std::uint64_t length = thought.because.size();
    ++figures.blocks;
    figures.references += length;
    figures.longest = std::max(figures.longest, length);
    ++figures.by_length[length];
    auto& [blocks, references] = figures.by_kind[std::string(kind)];
    ++blocks;
    references += length;
    const bool leads = std::ranges::any_of(thought.because, [&](const thought::ContentRef& ref) {
      return reach.contains(ref.thought);
    });
    const bool is_it = !first_human && kind == "human_input";
    if (is_it) first_human = thought.cid;
    if (leads || is_it) reach.insert(thought.cid);
    if (kind == "response" && first_human) {
      ++figures.responses;
      if (!leads) {
        ++figures.lost;
        std::printf("  %s of %s does not lead back\n", thought.cid.brief().c_str(),
                    row.session_id.c_str());
      }
    }
    return true;
  });
  if (!walked) std::printf("%s\n", walked.error().message.c_str());
}

int figures_of(const std::filesystem::path& directory, const std::string& format) {
  const TempDir home;
  Result<crypto::Keyring> keyring = crypto::Keyring::create("bench", 1, crypto::SealMode::thinking);
  auto store = store::open_store(home.path / "weft.db", store::Create::yes);
  if (!keyring || !store) return 1;
  ingest::Options options{.folders = {{formats::find_adapter(format), directory}},
                          .clock = [] { return Millis{1}; }};
  Result<ingest::Report> report = ingest::ingest(**store, *keyring, options);
  if (!report) {
    std::printf("%s\n", report.error().message.c_str());
    return 1;
  }
  Figures figures;
  const auto rows = (*store)->conversations({.format = format});
  if (!rows) return 1;
  for (const store::ConversationRow& row : *rows) count(**store, row, figures);
  std::printf("%zu conversations, %lu blocks, %lu references: %.2f a block, the longest list %lu\n",
              rows->size(), figures.blocks, figures.references,
              static_cast<double>(figures.references) / static_cast<double>(figures.blocks),
              figures.longest);
  std::printf("%lu responses after human words, %lu do not lead back to the first of them\n",
              figures.responses, figures.lost);
  for (const auto& [kind, sums] : figures.by_kind) {
    std::printf("  %-20s %6lu blocks %5.2f each\n", kind.c_str(), sums.first,
                static_cast<double>(sums.second) / static_cast<double>(sums.first));
  }
  std::printf("  lists by length:");
  for (const auto& [length, lists] : figures.by_length) std::printf(" %lu:%lu", length, lists);
  std::printf("\n");
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  const std::string directory =
      argc > 1 ? argv[1] : WEFT_SOURCE_DIR "/../shared/fixtures/claude-code";
  return weft::bench::figures_of(directory, argc > 2 ? argv[2] : "claude-code");
}
