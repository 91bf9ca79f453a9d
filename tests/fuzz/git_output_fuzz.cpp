// Any bytes as what git prints: of `git blame --line-porcelain`, of `git log --raw -z`, of commits,
// patches and notes. What is read is consistent: every line has an origin, and every origin a
// commit and a path.
#include "fuzz_files.hpp"
#include "weft/git/authorship_note.hpp"
#include "weft/git/commit.hpp"
#include "weft/git/history.hpp"
#include "weft/git/patch.hpp"
#include "weft/git/porcelain.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const std::string_view text = fuzz::text_of(data, size);
  if (const Result<git::Blame> blame = git::parse_porcelain(text)) {
    for (const git::BlamedLine& line : blame->lines) {
      fuzz::require(line.origin < blame->origins.size());
      fuzz::require(line.number > 0 && line.origin_number > 0);
    }
    for (const git::Origin& origin : blame->origins) {
      fuzz::require(!origin.commit.empty() && !origin.path.empty() && origin.author_time >= 0);
    }
  }
  if (const auto history = git::parse_history(text)) {
    for (const git::HistoryEntry& entry : *history) fuzz::require(entry.author_time >= 0);
  }
  if (const auto commit = git::parse_commit(text)) {
    fuzz::require(commit->author_time >= 0 && commit->subject().size() <= text.size());
    fuzz::require(git::trailers_in(commit->message, "Weft-Thought", 3).size() <= 3);
  }
  if (const auto patches = git::parse_patches(text)) {
    for (const git::Patch& patch : *patches) {
      for (const git::PatchedFile& file : patch.files) fuzz::require(!file.path.empty());
    }
  }
  (void)git::parse_patch_ids(text);
  if (const auto claims = git::parse_authorship_note(text)) {
    for (const git::AuthorshipClaim& claim : *claims) {
      fuzz::require(claim.first > 0 && claim.first <= claim.last && !claim.session.empty());
    }
  }
  if (const auto path = git::unquoted(text)) fuzz::require(path->size() <= text.size());
  return 0;
}
