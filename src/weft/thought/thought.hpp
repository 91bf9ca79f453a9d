// Thought: one signed statement with its causes, named by its own hash. docs/formats/thought.md
// specifies every byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/crypto/layers.hpp"

namespace weft::thought {

// Quoted text in the target of a reference, with the text around it, so that it can be found.
struct Anchor {
  std::string exact, prefix, suffix;
  friend bool operator==(const Anchor&, const Anchor&) = default;
};

// A reference to a thought, or to a part of one.
struct ContentRef {
  Cid thought;
  std::optional<Cid> segment{};
  std::optional<Anchor> anchor{};
  std::optional<std::string> path{};  // a JSON pointer
  std::optional<std::pair<double, double>> temporal{};
  friend bool operator==(const ContentRef&, const ContentRef&) = default;
};

// Structure signed in bulk: the leaf at `index` of the tree whose root the checkpoint signs.
struct TreeSignature {
  Cid checkpoint;
  std::uint64_t index = 0;
  std::vector<Digest> path;  // from the leaf's sibling up
  friend bool operator==(const TreeSignature&, const TreeSignature&) = default;
};

using Signature = std::variant<crypto::SignatureBytes, TreeSignature>;

// "ed25519:<128 hex>" or "tree:<checkpoint cid>:<index>:<hex of the path>".
std::string to_string(const Signature& signature);
Result<Signature> parse_signature(std::string_view text);

// Sealed parts of a thought's content, under "$layers".
struct Layers {
  std::optional<crypto::Box> metadata, content;
  friend bool operator==(const Layers&, const Layers&) = default;
};

struct Thought {
  Cid cid;
  std::string type;      // "anthropic/response"
  json::object content;  // its clear members
  Layers layers;
  Cid created_by;
  Millis created_at = 0;
  std::optional<Cid> source;
  std::vector<ContentRef> because;
  Signature signature;
  // In an export: the leaves of checkpoints that it is beside the one that signs it, the first of a
  // thought that is signed alone with its path. Neither hashed nor stored with it.
  std::vector<TreeSignature> covered{};
  friend bool operator==(const Thought&, const Thought&) = default;
};

// The bytes that are hashed: the thought without cid and signature, in canonical JSON. An
// identity is its own creator; `SELF` replaces the CID that it does not have yet.
std::string canonical_form(const Thought& thought);
// Appends the same, given the clear content as canonical JSON; `thought` need not
// contain it.
void append_canonical_form(std::string& out, const Thought& thought,
                           std::string_view clear_content);
Cid cid_of(const Thought& thought);

// The thought as JSON: cid, type, content, created_by, created_at, source, because,
// signature, covered, again. Layers are under content."$layers" as boxes.
json::object to_json(const Thought& thought);
// Reads what to_json writes, and a bare CID string in `because`. Does not check CID or
// signature. invalid_input names the member that is wrong.
Result<Thought> parse_thought(const json::value& value);

// Reads one reference in the same way.
json::object to_json(const ContentRef& ref);
Result<ContentRef> parse_ref(const json::value& value);

// "response" for "anthropic/response"; the type itself if it has no family.
std::string_view kind_of(std::string_view type);
inline bool is_identity(const Thought& thought) { return thought.type == "identity"; }

// Whether structure woven in bulk may carry a tree signature: `turn` thoughts, and
// connections other than `uses_input`; nothing else.
bool may_be_tree_signed(const Thought& thought);

}  // namespace weft::thought
