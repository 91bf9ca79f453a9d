#include "weft/thought/seal.hpp"

#include <algorithm>
#include <span>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/thought/content.hpp"
#include "weft/thought/usage.hpp"

namespace weft::thought {
namespace {

using crypto::Layer;
using crypto::SealMode;

// The members of the metadata layer in kinds that are sealed whatever the mode.
struct SealedKind {
  std::string_view kind;
  std::span<const std::string_view> metadata;
};
constexpr std::string_view kThinkingMetadata[] = {"duration_ms", "cut_off", "chars", "withheld"};
constexpr std::string_view kSummaryMetadata[] = {"summaries"};
constexpr std::string_view kRedactedMetadata[] = {"chars"};
constexpr std::string_view kUnknownMetadata[] = {"block_type"};
constexpr SealedKind kAlwaysSealed[] = {{"thinking", kThinkingMetadata},
                                        {"thinking_summary", kSummaryMetadata},
                                        {"redacted_thinking", kRedactedMetadata},
                                        {"unknown", kUnknownMetadata}};

// In seal mode `all`, of everything else.
constexpr std::string_view kAllMetadata[] = {"tool_name", "is_error", "duration_ms", "chars",
                                             "size"};

// What stays clear in seal mode `all` too: a web could not be checked or walked without it.
constexpr std::string_view kNeverSealed[] = {"identity",   "schema",       "connection",
                                             "checkpoint", "conversation", "turn"};
// Statements of weft itself, which are never sealed either, and pages, which belong to no block.
constexpr std::string_view kOwnStatements[] = {"tombstone", "resumption", "attestation", "joining",
                                               "web_resource"};

template <class Range>
bool has(const Range& range, std::string_view item) {
  return std::ranges::find(range, item) != std::ranges::end(range);
}

struct Split {
  json::object clear{}, metadata{}, content{};
};

Split by_names(json::object members, std::span<const std::string_view> metadata) {
  Split split;
  for (auto& [key, value] : members) {
    (has(metadata, key) ? split.metadata : split.content)[key] = std::move(value);
  }
  return split;
}

// Adds the length of the text for readers who cannot open it.
void put_size(json::object& members) {
  std::size_t chars = 0;
  bool any = false;
  for (const std::string_view key : {"text", "result_text", "summary"}) {
    if (const auto text = find_string(members, key)) {
      chars += count_code_points(*text);
      any = true;
    }
  }
  if (any) members["chars"] = chars;
}

Split split_by_layer(std::string_view type, json::object members, SealMode mode) {
  const std::string_view kind = kind_of(type);
  for (const SealedKind& sealed : kAlwaysSealed) {
    if (sealed.kind == kind) return by_names(std::move(members), sealed.metadata);
  }
  if (mode == SealMode::thinking || has(kNeverSealed, kind)) return {.clear = std::move(members)};
  if (kind == "conversation_facts" || kind == kUsageKind) return {.metadata = std::move(members)};
  put_size(members);
  return by_names(std::move(members), kAllMetadata);
}

// The canonical JSON of [layer, type, created_by, created_at].
std::string associated_data(Layer layer, const Thought& thought) {
  std::string out;
  out.reserve(160);
  out += '[';
  append_canonical_string(out, crypto::to_string(layer));
  out += ',';
  append_canonical_string(out, thought.type);
  out += ',';
  append_canonical_string(out, thought.created_by.str());
  out += ',';
  out += std::to_string(thought.created_at);
  out += ']';
  return out;
}

std::optional<crypto::Box> seal_layer(Layer layer, json::object members, const Thought& thought,
                                      const crypto::Keyring& keyring) {
  if (members.empty()) return std::nullopt;
  std::string plaintext;
  append_canonical(plaintext, members);
  members.clear();  // a long text stands in `plaintext` now
  return crypto::Box::seal_owned(*keyring.layer(layer), associated_data(layer, thought),
                                 std::move(plaintext));
}

const std::optional<crypto::Box>& box_of(const Thought& thought, Layer layer) {
  return layer == Layer::metadata ? thought.layers.metadata : thought.layers.content;
}

std::unexpected<Error> no_object() {
  return fail(ErrorCode::corrupt, "a sealed layer is not a JSON object");
}

// The members of a layer; empty for one without a key.
Result<json::object> members_of(const Thought& thought, Layer layer, const crypto::Keyring* keyring,
                                Keys keys) {
  WEFT_TRY_VALUE(const auto text, open_layer(thought, layer, keyring, keys));
  if (text.empty()) return json::object();
  Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_object()) return no_object();
  return std::move(parsed->value.get_object());
}

}  // namespace

void set_content(Thought& thought, json::object members, const crypto::Keyring& keyring) {
  set_content(thought, std::move(members), keyring, keyring.seal_mode());
}

void set_content(Thought& thought, json::object members, const crypto::Keyring& keyring,
                 SealMode mode) {
  Split split = split_by_layer(thought.type, std::move(members), mode);
  thought.content = std::move(split.clear);
  thought.layers.metadata =
      seal_layer(Layer::metadata, std::move(split.metadata), thought, keyring);
  thought.layers.content = seal_layer(Layer::content, std::move(split.content), thought, keyring);
}

void seal_members(Thought& thought, json::object members, const crypto::Keyring& keyring) {
  thought.layers.content = seal_layer(Layer::content, std::move(members), thought, keyring);
}

bool may_be_sealed(std::string_view type) {
  return !has(kNeverSealed, kind_of(type)) && !has(kOwnStatements, kind_of(type)) &&
         !type.starts_with("schema/") && !type.starts_with("input/");
}

bool is_sealed_whole(const Thought& thought) {
  const auto quotes = [](const ContentRef& ref) { return ref.anchor.has_value(); };
  return thought.content.empty() && std::ranges::none_of(thought.because, quotes);
}

bool is_sealed_by_choice(const Thought& thought) {
  const std::string_view kind = kind_of(thought.type);
  const bool is_always_sealed =
      std::ranges::any_of(kAlwaysSealed, [&](const SealedKind& one) { return one.kind == kind; });
  return !is_always_sealed && thought.layers != Layers{} && is_sealed_whole(thought);
}

void seal_whole(Thought& thought, const crypto::Keyring& keyring) {
  json::object members = open_content(thought, &keyring);
  for (ContentRef& ref : thought.because) ref.anchor.reset();
  set_content(thought, std::move(members), keyring, SealMode::all);
}

json::object open_content(const Thought& thought, const crypto::Keyring* keyring,
                          std::vector<Layer>* damaged, Keys keys) {
  json::object content = thought.content;
  json::object closed;
  for (const Layer layer : {Layer::metadata, Layer::content}) {
    const std::optional<crypto::Box>& box = box_of(thought, layer);
    if (!box) continue;
    Result<json::object> members = members_of(thought, layer, keyring, keys);
    if (!members && damaged != nullptr) damaged->push_back(layer);
    if (!members || members->empty()) closed[crypto::to_string(layer)] = box->str();
    if (!members) continue;
    for (auto& [name, value] : *members) content[name] = std::move(value);
  }
  if (!closed.empty()) content["$layers"] = std::move(closed);
  return content;
}

Result<std::string> open_layer(const Thought& thought, Layer layer, const crypto::Keyring* keyring,
                               Keys keys) {
  const std::optional<crypto::Box>& box = box_of(thought, layer);
  if (!box || keyring == nullptr) return std::string();
  const crypto::LayerKey* key =
      keys == Keys::own ? keyring->layer(layer) : keyring->find_key(layer, box->key_id);
  if (key == nullptr || key->id() != box->key_id) return std::string();
  Result<std::string> text = box->open(*key, associated_data(layer, thought));
  if (text && text->empty()) return no_object();
  return text;
}

json::object to_open_json(const Thought& thought, const crypto::Keyring* keyring) {
  std::vector<Layer> damaged;
  json::object out = to_json(thought);
  out["content"] = open_content(thought, keyring, &damaged);
  json::array notes;
  for (const Layer layer : damaged) {
    notes.emplace_back("its " + std::string(crypto::to_string(layer)) +
                       " layer does not open: it was changed, or sealed without the key");
  }
  if (!notes.empty()) out["notes"] = std::move(notes);
  return out;
}

}  // namespace weft::thought
