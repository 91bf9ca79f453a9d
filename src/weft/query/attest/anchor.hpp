// Anchors: the head of heads, kept in a git repository, which others have copies of.
#pragma once

#include <filesystem>
#include <string>

#include "weft/base/cid.hpp"
#include "weft/base/time.hpp"
#include "weft/store/store.hpp"

namespace weft::query {

inline constexpr std::string_view kAnchorRef = "refs/weft/head";

// The running hash over all checkpoints and tombstones (docs/formats/thought.md).
Result<Digest> head_of_heads(const store::Store& store);

// "Weft-Head: <64 hex digits>"
std::string head_trailer(const Digest& head);

struct Anchored {
  std::string repository, ref, commit;
};
// Commits the head to kAnchorRef of the repository that `path` lies in, on top of the anchor
// before. not_found if it lies in none. Fails as git::append_note does.
Result<Anchored> anchor_in_git(const std::filesystem::path& path, const Digest& head, Millis now);

}  // namespace weft::query
