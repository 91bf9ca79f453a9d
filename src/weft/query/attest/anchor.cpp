#include "weft/query/attest/anchor.hpp"

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/git/note.hpp"
#include "weft/git/repository.hpp"
#include "weft/thought/tree.hpp"

namespace weft::query {

Result<Digest> head_of_heads(const store::Store& store) {
  WEFT_TRY_VALUE(const auto log, store.audit().checkpoint_log());
  Digest head{};
  for (const Cid& cid : log) head = thought::next_head(head, cid);
  return head;
}

std::string head_trailer(const Digest& head) { return "Weft-Head: " + to_hex(head); }

Result<Anchored> anchor_in_git(const std::filesystem::path& path, const Digest& head, Millis now) {
  WEFT_TRY_VALUE(const auto repository, git::find_repository(path));
  if (!repository) {
    return fail(ErrorCode::not_found, path.parent_path().string() +
                                          " lies in no git repository; name one with "
                                          "--repository DIR");
  }
  const std::string ref(kAnchorRef);
  WEFT_TRY_VALUE(const std::string commit,
                 git::append_note(*repository, ref, head_trailer(head) + "\n", now));
  return Anchored{.repository = repository->root.string(), .ref = ref, .commit = commit};
}

}  // namespace weft::query
