// Packs values into columns: varints, boxes, references, signatures, turns, leaves.
// docs/formats/store.md has the grammar. Pure functions; bytes that cannot be read are `corrupt`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/layers.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store::sql {

using Id = std::int64_t;  // of a name; the first is 1

void append_varint(std::string& out, std::uint64_t value);
// Removes a varint from the front of `bytes`; empty if there is none.
inline std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < bytes.size() && at < 10; ++at) {
    const auto byte = static_cast<std::uint8_t>(bytes[at]);
    if (at == 9 && byte > 1) return std::nullopt;  // beyond 64 bits
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * at);
    if (byte < 0x80) {
      bytes.remove_prefix(at + 1);
      return value;
    }
  }
  return std::nullopt;
}

// An id as its distance before `self`, in zigzag.
void append_distance(std::string& out, Id self, Id id);
std::optional<Id> take_distance(std::string_view& bytes, Id self);

// invalid_input if the key id is not 16 hex digits.
Result<std::string> pack_box(const crypto::Box& box);
Result<crypto::Box> unpack_box(std::string_view bytes);

// A reference to a thought; `extra` is the rest of it, as JSON.
struct PackedRef {
  Id thought = 0;
  std::string_view extra{};
};
void append_ref(std::string& out, Id self, const PackedRef& ref);
// Views point into `bytes`.
Result<std::vector<PackedRef>> unpack_refs(std::string_view bytes, Id self);
// The members of a reference except its thought; empty if there are none.
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
// Whether a tree signature's path is stored, or follows from its checkpoint's leaves.
enum class Paths { kept, derived };
// `checkpoint` is the id behind a tree signature's CID.
void pack_signature(std::string& out, const thought::Signature& signature, Id checkpoint,
                    Paths paths);
Result<PackedSignature> unpack_signature(std::string_view bytes);

// The content of a turn, with its conversation by id.
struct PackedTurn {
  Id conversation = 0;
  std::uint8_t role = 0;  // on disk: 0 human, 1 assistant, 2 system
  std::uint64_t sequence = 0;
  std::optional<Cid> parent{};
  std::optional<std::string> source_id{};  // as JSON has it, between its quotes
};
// `text` is a body as canonical JSON. Empty if it is not a plain turn of this conversation: that is
// packed like any other body.
std::optional<std::string> pack_turn(std::string_view text, Id self, const Cid& conversation,
                                     Id conversation_id);
bool is_packed_turn(std::string_view body);
Result<PackedTurn> unpack_turn(std::string_view body, Id self);
// The canonical JSON again.
void append_turn(std::string& out, const PackedTurn& turn, const Cid& conversation);

// Ids `first`, first + 1, …: `count` of them.
struct Range {
  Id first = 0;
  std::uint64_t count = 0;
};
std::string pack_leaves(const std::vector<Id>& leaves);
Result<std::vector<Range>> unpack_leaves(std::string_view bytes);

}  // namespace weft::store::sql
