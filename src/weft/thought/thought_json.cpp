#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/thought/content.hpp"
#include "weft/thought/thought.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::thought {

namespace {

Error wrong_member(std::string_view member) {
  return Error{ErrorCode::invalid_input,
               "thought: \"" + std::string(member) + "\" is missing or malformed"};
}

Result<Cid> cid_member(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  if (!text) return fail(wrong_member(key));
  Result<Cid> cid = Cid::parse(*text);
  if (!cid) return fail(wrong_member(key));
  return cid;
}

Result<Anchor> parse_anchor(const json::object& object) {
  const auto exact = find_string(object, "exact");
  const auto prefix = find_string(object, "prefix");
  const auto suffix = find_string(object, "suffix");
  if (!exact || !prefix || !suffix || object.size() != 3) return fail(wrong_member("anchor"));
  return Anchor{std::string(*exact), std::string(*prefix), std::string(*suffix)};
}

// Parses a member of a reference other than thought_cid. Unknown members are refused: dropping them
// would change the CID.
Status parse_ref_member(ContentRef& ref, std::string_view key, const json::value& member) {
  if (key == "thought_cid") return {};
  if (key == "segment_cid") {
    if (!member.is_string()) return fail(wrong_member(key));
    Result<Cid> cid = Cid::parse(view(member.get_string()));
    if (!cid) return fail(wrong_member(key));
    ref.segment = *cid;
    return {};
  }
  if (key == "anchor" && member.is_object()) {
    WEFT_TRY_VALUE(auto anchor, parse_anchor(member.get_object()));
    ref.anchor = std::move(anchor);
    return {};
  }
  if (key == "path" && member.is_string()) {
    ref.path = std::string(view(member.get_string()));
    return {};
  }
  if (key == "temporal" && member.is_array() && member.get_array().size() == 2 &&
      member.get_array()[0].is_number() && member.get_array()[1].is_number()) {
    ref.temporal = {member.get_array()[0].to_number<double>(),
                    member.get_array()[1].to_number<double>()};
    return {};
  }
  return fail(wrong_member("because"));
}

Result<std::optional<crypto::Box>> box_member(const json::object& layers, std::string_view key) {
  const json::value* member = find_member(layers, key);
  if (member == nullptr) return std::optional<crypto::Box>();
  if (!member->is_string()) return fail(wrong_member("$layers"));
  Result<crypto::Box> box = crypto::Box::parse(view(member->get_string()));
  if (!box) return fail(wrong_member("$layers"));
  return std::optional(*std::move(box));
}

Status parse_layers(Thought& thought) {
  const json::value* member = find_member(thought.content, "$layers");
  if (member == nullptr) return {};
  if (!member->is_object()) return fail(wrong_member("$layers"));
  const json::object layers = member->get_object();
  auto metadata = box_member(layers, "metadata");
  auto content = box_member(layers, "content");
  if (!metadata || !content) return fail(wrong_member("$layers"));
  thought.layers = {*std::move(metadata), *std::move(content)};
  const std::size_t known =
      (thought.layers.metadata ? 1u : 0u) + (thought.layers.content ? 1u : 0u);
  if (known != layers.size() || known == 0) return fail(wrong_member("$layers"));
  thought.content.erase("$layers");
  return {};
}

Status parse_because(Thought& thought, const json::object& object) {
  const json::array* because = find_array(object, "because");
  if (because == nullptr) return fail(wrong_member("because"));
  for (const json::value& item : *because) {
    WEFT_TRY_VALUE(auto ref, parse_ref(item));
    thought.because.push_back(std::move(ref));
  }
  return {};
}

bool is_signed_alone(const Thought& thought) {
  return std::holds_alternative<crypto::SignatureBytes>(thought.signature);
}

// The first leaf of a thought that is signed alone is `covered`, further ones are `again`.
void append_covered(json::object& out, const Thought& thought) {
  json::array again;
  for (const TreeSignature& leaf : thought.covered) {
    if (is_signed_alone(thought) && &leaf == &thought.covered.front()) {
      out["covered"] = to_string(leaf);
    } else {
      again.emplace_back(to_string(leaf));
    }
  }
  if (!again.empty()) out["again"] = std::move(again);
}

Result<TreeSignature> parse_leaf(const json::value& value, std::string_view member) {
  if (!value.is_string()) return fail(wrong_member(member));
  Result<Signature> leaf = parse_signature(view(value.get_string()));
  if (!leaf || !std::holds_alternative<TreeSignature>(*leaf)) return fail(wrong_member(member));
  return std::get<TreeSignature>(*std::move(leaf));
}

Status parse_covered(Thought& thought, const json::object& object) {
  const json::value* covered = find_member(object, "covered");
  if (covered != nullptr) {
    if (!is_signed_alone(thought)) return fail(wrong_member("covered"));
    WEFT_TRY_VALUE(auto leaf, parse_leaf(*covered, "covered"));
    thought.covered.push_back(std::move(leaf));
  }
  const json::value* again = find_member(object, "again");
  if (again == nullptr) return {};
  const bool follows = covered != nullptr || !is_signed_alone(thought);
  if (!again->is_array() || again->get_array().empty() || !follows)
    return fail(wrong_member("again"));
  for (const json::value& item : again->get_array()) {
    WEFT_TRY_VALUE(auto leaf, parse_leaf(item, "again"));
    if (!leaf.path.empty()) return fail(wrong_member("again"));
    thought.covered.push_back(std::move(leaf));
  }
  return {};
}

}  // namespace

json::object to_json(const ContentRef& ref) {
  json::object out;
  out["thought_cid"] = ref.thought.str();
  if (ref.segment) out["segment_cid"] = ref.segment->str();
  if (ref.anchor) {
    out["anchor"] = json::object{{"exact", ref.anchor->exact},
                                 {"prefix", ref.anchor->prefix},
                                 {"suffix", ref.anchor->suffix}};
  }
  if (ref.path) out["path"] = *ref.path;
  if (ref.temporal) out["temporal"] = json::array{ref.temporal->first, ref.temporal->second};
  return out;
}

Result<ContentRef> parse_ref(const json::value& value) {
  if (value.is_string()) {
    Result<Cid> cid = Cid::parse(view(value.get_string()));
    if (!cid) return fail(wrong_member("because"));
    return ContentRef{.thought = *cid};
  }
  if (!value.is_object()) return fail(wrong_member("because"));
  const json::object& object = value.get_object();
  WEFT_TRY_VALUE(auto cid, cid_member(object, "thought_cid"));
  ContentRef ref{.thought = cid};
  for (const auto& [key, member] : object) {
    if (Status status = parse_ref_member(ref, key, member); !status)
      return fail(std::move(status).error());
  }
  return ref;
}

json::object to_json(const Thought& thought) {
  json::object out;
  out["cid"] = thought.cid.str();
  if (is_gone(thought)) {
    append_covered(out, thought);
    return out;
  }
  out["type"] = thought.type;
  out["content"] = content_with_layers(thought);
  out["created_by"] = thought.created_by.str();
  out["created_at"] = thought.created_at;
  if (thought.source) out["source"] = thought.source->str();
  json::array& because = out["because"].emplace_array();
  for (const ContentRef& ref : thought.because) because.push_back(to_json(ref));
  out["signature"] = to_string(thought.signature);
  append_covered(out, thought);
  return out;
}

Result<Thought> parse_thought(const json::value& value) {
  if (!value.is_object()) return fail(ErrorCode::invalid_input, "thought: not a JSON object");
  const json::object& object = value.get_object();
  for (const auto& [key, member] : object) {
    static constexpr std::string_view kKnown[] = {"cid",        "type",   "content", "created_by",
                                                  "created_at", "source", "because", "signature",
                                                  "covered",    "again"};
    if (std::find(std::begin(kKnown), std::end(kKnown), std::string_view(key)) ==
        std::end(kKnown)) {
      return fail(ErrorCode::invalid_input, "thought: has a member that no thought has");
    }
  }
  Thought thought;
  WEFT_TRY_VALUE(auto cid, cid_member(object, "cid"));
  WEFT_TRY_VALUE(auto creator, cid_member(object, "created_by"));
  const auto type = find_string(object, "type");
  const auto created_at = find_int(object, "created_at");
  const auto signature_text = find_string(object, "signature");
  const json::object* content = find_object(object, "content");
  if (!type || type->empty()) return fail(wrong_member("type"));
  if (!created_at) return fail(wrong_member("created_at"));
  if (!signature_text) return fail(wrong_member("signature"));
  if (content == nullptr) return fail(wrong_member("content"));
  if (find_member(object, "source") != nullptr) {
    WEFT_TRY_VALUE(auto source, cid_member(object, "source"));
    thought.source = source;
  }
  Result<Signature> signature = parse_signature(*signature_text);
  if (!signature) return fail(wrong_member("signature"));
  thought.cid = cid;
  thought.type = *type;
  thought.content = *content;
  thought.created_by = creator;
  thought.created_at = *created_at;
  thought.signature = *std::move(signature);
  WEFT_TRY(parse_layers(thought));
  WEFT_TRY(parse_covered(thought, object));
  if (Status status = parse_because(thought, object); !status)
    return fail(std::move(status).error());
  return thought;
}

Result<Thought> parse_exported(const json::value& value) {
  const json::object* object = value.if_object();
  const bool is_leaf = object != nullptr && object->contains("covered") &&
                       !object->contains("type") &&
                       object->size() == (object->contains("again") ? 3u : 2u);
  if (!is_leaf) return parse_thought(value);
  Thought leaf;
  WEFT_TRY_VALUE(leaf.cid, cid_member(*object, "cid"));
  WEFT_TRY(parse_covered(leaf, *object));
  return leaf;
}

}  // namespace weft::thought
