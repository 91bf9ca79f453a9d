// The two sealed layers of a thought: metadata (key M) and content (key C).
//
// A box is a JSON object in canonical form, sealed with XChaCha20-Poly1305 under a
// nonce derived from the plaintext: the same bytes give the same box, so equality is all
// that a box reveals. docs/formats/thought.md has the grammar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::crypto {

enum class Layer { metadata, content };
std::string_view to_string(Layer layer);  // "metadata", "content"

// The keys derived from M or from C, one for each use.
class LayerKey {
 public:
  explicit LayerKey(const Key& root);

  const Key& root() const { return root_; }
  // 16 hex digits that name the key and reveal nothing of it.
  const std::string& id() const { return id_; }
  // The key of blind terms in the search index (docs/design.md, "Blind terms").
  const Key& index_terms() const { return index_terms_; }

 private:
  friend struct Box;
  Key root_, encryption_, nonce_, index_terms_;
  std::string id_;
};

// A sealed object as bytes: the store keeps these, a thought's JSON has them in base64.
struct Box {
  std::string key_id;  // 16 hex digits
  std::string sealed;  // nonce ‖ ciphertext ‖ tag

  // `associated` is the canonical JSON array [layer, type, created_by, created_at].
  static Box seal(const LayerKey& key, std::string_view associated, std::string_view plaintext);
  // The same in the memory of a plaintext that is not needed any more.
  static Box seal_owned(const LayerKey& key, std::string_view associated, std::string plaintext);

  // denied if the box is under another key; corrupt if it was changed, moved to
  // another thought, or sealed under a nonce that is not its own.
  Result<std::string> open(const LayerKey& key, std::string_view associated) const;

  // "xc20p:<key id>:<padded base64>". Anything else is invalid_input: one box, one spelling.
  static Result<Box> parse(std::string_view text);
  std::string str() const;
  void append_to(std::string& out) const;

  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace weft::crypto
