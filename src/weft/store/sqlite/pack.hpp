// How values lie in columns: varints, boxes, references, signatures, leaves.
// docs/formats/store.md has the grammar. Pure; what cannot be read back is `corrupt`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/layers.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store::sqlite {

using Id = std::int64_t;  // of a name; the first is 1

void append_varint(std::string& out, std::uint64_t value);
// Takes one off the front of `bytes`; empty if it ends early or is no varint.
std::optional<std::uint64_t> take_varint(std::string_view& bytes);

// invalid_input if the key id is not 16 hex digits.
Result<std::string> pack_box(const crypto::Box& box);
Result<crypto::Box> unpack_box(std::string_view bytes);

// One reference of a thought; `extra` is what it says beside the thought, as JSON.
struct PackedRef {
  Id thought = 0;
  std::string_view extra{};
};
void append_ref(std::string& out, Id self, const PackedRef& ref);
// Views point into `bytes`.
Result<std::vector<PackedRef>> unpack_refs(std::string_view bytes, Id self);
// The members of a reference but for its thought; empty where there are none.
std::string pack_extra(const thought::ContentRef& ref);
Result<thought::ContentRef> unpack_extra(const Cid& thought, std::string_view extra);

// A signature with its checkpoint by id.
struct PackedSignature {
  enum class Kind : std::uint8_t { ed25519 = 1, tree = 2, tree_with_path = 3 };  // on disk
  Kind kind = Kind::ed25519;
  crypto::SignatureBytes bytes{};  // ed25519
  Id checkpoint = 0;
  std::uint64_t leaf = 0;
  std::vector<Digest> path{};  // tree_with_path
};
// Whether a tree signature's path is kept, or follows from its checkpoint's leaves.
enum class Paths { kept, derived };
// `checkpoint` is the id behind a tree signature's CID.
void pack_signature(std::string& out, const thought::Signature& signature, Id checkpoint,
                    Paths paths);
Result<PackedSignature> unpack_signature(std::string_view bytes);

// Ids `first`, first + 1, …: `count` of them.
struct Range {
  Id first = 0;
  std::uint64_t count = 0;
};
std::string pack_leaves(const std::vector<Id>& leaves);
Result<std::vector<Range>> unpack_leaves(std::string_view bytes);

}  // namespace weft::store::sqlite
