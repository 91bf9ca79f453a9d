#include "weft/thought/thought.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/hex.hpp"
#include "weft/base/json/pieces.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/crypto/blake3_stream.hpp"
#include "weft/thought/content.hpp"

namespace weft::thought {
namespace {

constexpr std::string_view kEd25519 = "ed25519:";
constexpr std::string_view kTree = "tree:";

void append_quoted_cid(std::string& out, const Cid& cid) {
  out += '"';
  out += Cid::kPrefix;
  append_hex(out, cid.digest());
  out += '"';
}

// A reference in canonical JSON: members in the order anchor, path, segment_cid,
// temporal, thought_cid.
void append_ref(std::string& out, const ContentRef& ref) {
  out += '{';
  if (ref.anchor) {
    out += "\"anchor\":{\"exact\":";
    append_canonical_string(out, ref.anchor->exact);
    out += ",\"prefix\":";
    append_canonical_string(out, ref.anchor->prefix);
    out += ",\"suffix\":";
    append_canonical_string(out, ref.anchor->suffix);
    out += "},";
  }
  if (ref.path) {
    out += "\"path\":";
    append_canonical_string(out, *ref.path);
    out += ',';
  }
  if (ref.segment) {
    out += "\"segment_cid\":";
    append_quoted_cid(out, *ref.segment);
    out += ',';
  }
  if (ref.temporal) {
    out += "\"temporal\":";
    append_canonical(out, json::value(json::array{ref.temporal->first, ref.temporal->second}));
    out += ',';
  }
  out += "\"thought_cid\":";
  append_quoted_cid(out, ref.thought);
  out += '}';
}

// The content of a thought that is sealed whole, without the detour of a JSON value: a box
// is long, and has nothing to escape.
void append_layers_alone(std::string& out, const Layers& layers) {
  out += R"({"$layers":{)";
  if (layers.content) {
    out += R"("content":")";
    layers.content->append_to(out);
    out += layers.metadata ? R"(",)" : R"(")";
  }
  if (layers.metadata) {
    out += R"("metadata":")";
    layers.metadata->append_to(out);
    out += '"';
  }
  out += "}}";
}

// The same in pieces, for a long content layer.
void emit_layers_alone(const Layers& layers, const EmitPiece& emit) {
  constexpr std::size_t kPiece = 3u << 14;  // whole groups of base64
  std::string_view sealed = layers.content->sealed;
  emit(R"({"$layers":{"content":")");
  emit(crypto::Box{layers.content->key_id, std::string(sealed.substr(0, kPiece))}.str());
  while (sealed.size() > kPiece) {
    sealed.remove_prefix(kPiece);
    std::string base64;
    crypto::append_base64(base64, sealed.substr(0, kPiece));
    emit(base64);
  }
  emit("\"");
  if (layers.metadata) emit(R"(,"metadata":")" + layers.metadata->str() + '"');
  emit("}}");
}

bool has_layers(const Thought& thought) {
  return thought.layers.metadata.has_value() || thought.layers.content.has_value();
}

void append_up_to_content(std::string& out, const Thought& thought) {
  out += "{\"because\":[";
  for (const ContentRef& ref : thought.because) {
    if (out.back() != '[') out += ',';
    append_ref(out, ref);
  }
  out += "],\"content\":";
}

void append_after_content(std::string& out, const Thought& thought) {
  out += ",\"created_at\":";
  out += std::to_string(thought.created_at);
  out += ",\"created_by\":";
  if (is_identity(thought)) {
    out += "\"SELF\"";
  } else {
    append_quoted_cid(out, thought.created_by);
  }
  if (thought.source) {
    out += ",\"source\":";
    append_quoted_cid(out, *thought.source);
  }
  out += ",\"type\":";
  append_canonical_string(out, thought.type);
  out += '}';
}

}  // namespace

// The content with its layers. "$" sorts before every letter and digit, but other
// members may come before it, so the general writer decides.
json::object content_with_layers(const Thought& thought) {
  json::object content = thought.content;
  json::object layers;
  if (thought.layers.metadata) layers["metadata"] = thought.layers.metadata->str();
  if (thought.layers.content) layers["content"] = thought.layers.content->str();
  if (!layers.empty()) content["$layers"] = std::move(layers);
  return content;
}

std::string to_string(const Signature& signature) {
  if (const auto* bytes = std::get_if<crypto::SignatureBytes>(&signature)) {
    std::string text(kEd25519);
    append_hex(text, *bytes);
    return text;
  }
  const auto& tree = std::get<TreeSignature>(signature);
  std::string text =
      std::string(kTree) + tree.checkpoint.str() + ':' + std::to_string(tree.index) + ':';
  for (const Digest& node : tree.path) append_hex(text, node);
  return text;
}

Result<Signature> parse_signature(std::string_view text) {
  const auto wrong = [] { return fail(ErrorCode::invalid_input, "signature is malformed"); };
  if (text.starts_with(kEd25519)) {
    crypto::SignatureBytes bytes;
    if (!parse_hex(text.substr(kEd25519.size()), bytes)) return wrong();
    return Signature(bytes);
  }
  constexpr std::size_t kCidLength = Cid::kPrefix.size() + 64;
  if (!text.starts_with(kTree) || text.size() < kTree.size() + kCidLength + 1) return wrong();
  text.remove_prefix(kTree.size());
  Result<Cid> checkpoint = Cid::parse(text.substr(0, kCidLength));
  if (!checkpoint || text[kCidLength] != ':') return wrong();
  text.remove_prefix(kCidLength + 1);

  TreeSignature tree{.checkpoint = *checkpoint, .path = {}};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return wrong();
  const std::string_view digits = text.substr(0, colon);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), tree.index);
  const bool one_spelling = digits.size() == 1 || digits[0] != '0';
  if (error != std::errc() || end != digits.data() + digits.size() || !one_spelling) return wrong();
  text.remove_prefix(colon + 1);

  if (text.size() % 64 != 0 || text.size() > 64 * 64) return wrong();
  for (; !text.empty(); text.remove_prefix(64)) {
    Digest node;
    if (!parse_hex(text.substr(0, 64), node)) return wrong();
    tree.path.push_back(node);
  }
  return Signature(std::move(tree));
}

namespace {

void append_form(std::string& out, const Thought& thought) {
  append_up_to_content(out, thought);
  if (!has_layers(thought)) {
    append_canonical(out, thought.content);
  } else if (thought.content.empty()) {
    append_layers_alone(out, thought.layers);
  } else {
    append_canonical(out, content_with_layers(thought));
  }
  append_after_content(out, thought);
}

// Bytes of content from which a thought is hashed in pieces: its form would be one more copy of it.
constexpr std::size_t kLong = std::size_t{1} << 20;

bool has_long_text(const json::object& members) {
  return std::ranges::any_of(members, [](const auto& member) {
    const json::value& value = member.value();
    if (value.is_string()) return value.get_string().size() > kLong;
    return value.is_object() && has_long_text(value.get_object());
  });
}

bool is_long(const Thought& thought) {
  if (has_layers(thought)) {
    return thought.content.empty() && thought.layers.content &&
           thought.layers.content->sealed.size() > kLong;
  }
  return has_long_text(thought.content);
}

// As cid_of, of a thought whose content is all clear or all sealed.
Cid cid_in_pieces(const Thought& thought) {
  crypto::Blake3Stream hash;
  const EmitPiece add = [&](std::string_view piece) { hash.add(piece); };
  std::string form;
  append_up_to_content(form, thought);
  add(form);
  if (has_layers(thought)) {
    emit_layers_alone(thought.layers, add);
  } else {
    emit_canonical(thought.content, add);
  }
  form.clear();
  append_after_content(form, thought);
  add(form);
  return Cid(hash.digest());
}

}  // namespace

std::string canonical_form(const Thought& thought) {
  std::string out;
  append_form(out, thought);
  return out;
}

void append_canonical_form(std::string& out, const Thought& thought,
                           std::string_view clear_content) {
  const bool sealed_whole = has_layers(thought) && clear_content == "{}";
  if (has_layers(thought) && !sealed_whole) {
    // Clear and sealed members stand side by side: they are sorted as one.
    Result<ParsedJson> parsed = parse_json(clear_content);
    if (parsed && parsed->value.is_object()) {
      Thought whole = thought;
      whole.content = std::move(parsed->value.get_object());
      out += canonical_form(whole);
      return;
    }
  }
  append_up_to_content(out, thought);
  if (sealed_whole) {
    append_layers_alone(out, thought.layers);
  } else {
    out += clear_content;  // if it is no JSON, nothing hashes to this
  }
  append_after_content(out, thought);
}

Cid cid_of(const Thought& thought) {
  if (is_long(thought)) return cid_in_pieces(thought);
  thread_local std::string form;
  form.clear();
  append_form(form, thought);
  const Cid cid(crypto::blake3(form));
  if (form.capacity() > kLong) std::string().swap(form);
  return cid;
}

std::string_view kind_of(std::string_view type) {
  const std::size_t slash = type.find('/');
  return slash == std::string_view::npos ? type : type.substr(slash + 1);
}

bool may_be_tree_signed(const Thought& thought) {
  if (thought.type == "connection") {
    const auto relation = find_string(thought.content, "relation");
    return relation && *relation != "uses_input";
  }
  return kind_of(thought.type) == "turn";
}

}  // namespace weft::thought
