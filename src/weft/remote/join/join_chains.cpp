#include "weft/remote/join/join_chains.hpp"

#include <algorithm>
#include <set>

#include "weft/base/try.hpp"
#include "weft/remote/join/joined_side.hpp"
#include "weft/remote/join/joined_unit.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/thought/statements/joining.hpp"

namespace weft::remote {
namespace {

std::size_t common_length(const std::vector<Cid>& ours, const std::vector<Cid>& theirs) {
  const auto [at, other] = std::ranges::mismatch(ours, theirs);
  return static_cast<std::size_t>(at - ours.begin());
}

// The lines of a file as they stand there.
Status copy_lines(const ingest::ThoughtsFile& file, ThoughtsOut& out) {
  return file.each_line([&](const ingest::ThoughtsFile::Line& line) {
    out.add_lines(line.text);
    out.add_lines("\n");
    return Status();
  });
}

}  // namespace

Kept which_stays(const std::vector<Cid>& ours, const std::vector<Cid>& theirs) {
  const std::size_t common = common_length(ours, theirs);
  return ours.at(common) < theirs.at(common) ? Kept::ours : Kept::theirs;
}

Result<Joined> join_chains(const JoinSide& ours, const JoinSide& theirs, const Cid& conversation,
                           const crypto::Keyring& keyring, const std::filesystem::path& scratch) {
  WEFT_TRY_VALUE(const FileChain our_chain, FileChain::read(ours.file, conversation));
  WEFT_TRY_VALUE(const FileChain their_chain, FileChain::read(theirs.file, conversation));
  WEFT_TRY_VALUE(const auto our_line, our_chain.up_to(ours.tip));
  WEFT_TRY_VALUE(const auto their_line, their_chain.up_to(theirs.tip));
  const std::size_t common = common_length(our_line, their_line);
  if (common == our_line.size() || common == their_line.size()) {
    return fail(ErrorCode::internal, "one chain of checkpoints continues the other");
  }
  Joined joined{.kept = which_stays(our_line, their_line)};
  const bool is_ours = joined.kept == Kept::ours;
  const ingest::ThoughtsFile& kept_file = is_ours ? ours.file : theirs.file;
  const ingest::ThoughtsFile& other_file = is_ours ? theirs.file : ours.file;
  const std::vector<Cid>& kept_line = is_ours ? our_line : their_line;
  const std::vector<Cid>& other_line = is_ours ? their_line : our_line;
  const FileChain::Link& end = (is_ours ? our_chain : their_chain).at(kept_line.back());
  const FileChain::Link& other_end = (is_ours ? their_chain : our_chain).at(other_line.back());
  joined.given_up.assign(other_line.begin() + static_cast<std::ptrdiff_t>(common),
                         other_line.end());

  WEFT_TRY_VALUE(const JoinedSide kept, JoinedSide::read(kept_file, conversation, kept_line,
                                                         [](const Cid&) { return false; }));
  WEFT_TRY_VALUE(JoinedSide other,
                 JoinedSide::read(other_file, conversation, other_line,
                                  [&](const Cid& cid) { return !kept.knows(cid); }));
  // A time that both machines know.
  const Millis at = std::max(end.created_at, other_end.created_at);
  JoinedUnit unit(kept, other, keyring, conversation, at);
  WEFT_TRY(unit.add(
      {.conversation = conversation, .kept = kept_line.back(), .given_up = joined.given_up}));
  WEFT_TRY_VALUE(const auto added, unit.close(kept_line.back(), end.checkpoint));

  WEFT_TRY_VALUE(joined.file, open_nameless_file(scratch));
  ThoughtsOut out(joined.file.get());
  WEFT_TRY(copy_lines(kept_file, out));
  for (const thought::Thought& thought : added) out.add(thought);
  WEFT_TRY(out.finish());
  joined.tip = {.conversation = conversation, .checkpoint = added.back().cid};
  joined.turns = unit.turns();
  joined.brought = unit.brought();
  return joined;
}

}  // namespace weft::remote
