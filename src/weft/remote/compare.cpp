#include "weft/remote/compare.hpp"

#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/remote/updates.hpp"

namespace weft::remote {
namespace {

// Hashes of lines, without their line ends.
using Lines = std::unordered_set<Cid>;

Cid hash_of(std::string_view line) { return Cid(crypto::blake3(line)); }

Result<Lines> lines_there(const Remote& remote, const Tip& tip) {
  Lines lines;
  const Result<ingest::ThoughtsFile> file = remote.read({{.tip = tip}});
  const bool is_damaged = !file && file.error().code == ErrorCode::corrupt;
  if (is_damaged || (!file && file.error().code == ErrorCode::not_found)) return lines;
  if (!file) return fail(Error(file.error()));
  WEFT_TRY(file->each_line([&](const ingest::ThoughtsFile::Line& line) {
    lines.insert(hash_of(line.text));
    return Status();
  }));
  return lines;
}

Result<std::uint64_t> count_missing(const store::Web& web, const Remote& remote, const Tip& tip) {
  WEFT_TRY_VALUE(const Lines there, lines_there(remote, tip));
  std::uint64_t missing = 0;
  WEFT_TRY(each_thought(web, {{.tip = tip}}, [&](const thought::Thought& thought) {
    std::string line = line_of(thought);
    line.pop_back();
    if (!there.contains(hash_of(line))) ++missing;
  }));
  return missing;
}

}  // namespace

Result<std::vector<Difference>> compare_and_mend(const store::Store& store, const Remote& remote,
                                                 Remote* writer,
                                                 const std::vector<PushPlan::Send>& equal) {
  std::vector<Difference> differences;
  for (const PushPlan::Send& one : equal) {
    const std::unique_ptr<store::Snapshot> web = store.snapshot();
    WEFT_TRY_VALUE(const auto tip, find_tip(*web, one.named.conversation));
    if (tip != one.update.tip) continue;  // it grew meanwhile, and is sent by the next push
    WEFT_TRY_VALUE(const std::uint64_t missing, count_missing(*web, remote, *tip));
    if (missing == 0) continue;
    Difference difference{.named = one.named, .where = remote.place_of(*tip), .missing = missing};
    if (writer != nullptr && writer->rewrite(*web, *tip)) {
      WEFT_TRY_VALUE(const std::uint64_t left, count_missing(*web, *writer, *tip));
      difference.mended = left == 0;
    }
    differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace weft::remote
