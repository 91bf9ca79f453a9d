// What of each kind of thought is searched.
#include <algorithm>
#include <span>

#include "weft/secrets/secret.hpp"
#include "weft/store/searchable.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store {
namespace {

// The members that hold words, by kind. Others (signatures, sizes, ids, base64) do not.
struct Kind {
  std::string_view name;
  std::span<const std::string_view> members;
};
constexpr std::string_view kText[] = {"text"};
constexpr std::string_view kFailure[] = {"text", "details"};
constexpr std::string_view kThinking[] = {"reasoning"};
constexpr std::string_view kThinkingSummary[] = {"summaries"};
constexpr std::string_view kToolRequest[] = {"tool_name", "description", "display_text", "input"};
constexpr std::string_view kToolResult[] = {"result_text"};
constexpr std::string_view kSilentResult[] = {"details", "parts"};
constexpr std::string_view kCitation[] = {"title", "url", "text"};
constexpr std::string_view kAttachment[] = {"name", "text", "reference"};
constexpr std::string_view kCompaction[] = {"summary"};
constexpr std::string_view kUnknown[] = {"raw_text", "raw"};
constexpr Kind kKinds[] = {{"human_input", kText},         {"response", kText},
                           {"tool_request", kToolRequest}, {"tool_result", kToolResult},
                           {"thinking", kThinking},        {"thinking_summary", kThinkingSummary},
                           {"system_input", kText},        {"attachment", kAttachment},
                           {"compaction", kCompaction},    {"summary", kText},
                           {"citation", kCitation},        {"failure", kFailure},
                           {"unknown", kUnknown}};

const Kind* find_kind(std::string_view type) {
  const auto* found = std::ranges::find(kKinds, thought::kind_of(type), &Kind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

// Strings and numbers of a value, whatever its structure.
class Words {
 public:
  Words(std::string& out, Secrets secrets) : out_(out), secrets_(secrets) {}

  void add(const json::value& value, int depth = 0) {
    switch (value.kind()) {
      case json::kind::string: add(std::string_view(value.get_string())); break;
      case json::kind::array:
        for (const json::value& item : value.get_array()) add(item, depth + 1);
        break;
      case json::kind::object:
        for (const auto& [key, item] : value.get_object()) {
          // At the top these are the names of parameters; below they may be anybody's words.
          if (depth > 0) add(std::string_view(key));
          add(item, depth + 1);
        }
        break;
      case json::kind::int64: add(std::to_string(value.get_int64())); break;
      case json::kind::uint64: add(std::to_string(value.get_uint64())); break;
      case json::kind::double_: add(canonical_json(value)); break;
      case json::kind::bool_:
      case json::kind::null: break;
    }
  }

 private:
  void add(std::string_view text) {
    if (text.empty()) return;
    if (!out_.empty()) out_ += '\n';
    const std::size_t begin = out_.size();
    out_ += text;
    if (secrets_ == Secrets::kept) return;
    for (const secrets::Finding& found : secrets::find_secrets(text)) {
      std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(begin + found.offset), found.length,
                  ' ');
    }
  }

  std::string& out_;
  const Secrets secrets_;
};

void add_words(std::string& out, std::span<const std::string_view> names,
               const json::object& members, Secrets secrets) {
  for (const std::string_view name : names) {
    if (const json::value* value = find_member(members, name)) Words(out, secrets).add(*value);
  }
}

// A result's details say again, for programs, what its text says, and hold whole files besides:
// they count only where there is no text.
std::string words_in(const Kind& kind, const json::object& members, Secrets secrets) {
  std::string out;
  add_words(out, kind.members, members, secrets);
  if (out.empty() && kind.name == "tool_result") add_words(out, kSilentResult, members, secrets);
  return out;
}

json::object members_of(std::string_view layer) {
  if (layer.empty()) return {};
  Result<ParsedJson> parsed = parse_json(layer);
  return parsed && parsed->value.is_object() ? std::move(parsed->value.get_object())
                                             : json::object();
}

}  // namespace

OpenLayers open_layers(const thought::Thought& thought, const crypto::Keyring* keyring,
                       thought::Keys keys) {
  const auto open = [&](crypto::Layer layer) {
    return thought::open_layer(thought, layer, keyring, keys).value_or("");
  };
  return {.metadata = open(crypto::Layer::metadata), .content = open(crypto::Layer::content)};
}

OpenLayers open_own_layers(const thought::Thought& thought, const crypto::Keyring* keyring) {
  return open_layers(thought, keyring, thought::Keys::own);
}

Searchable searchable(const thought::Thought& thought, const crypto::Keyring* keyring) {
  if (!is_searched(thought.type)) return {};
  return searchable(thought, open_layers(thought, keyring));
}

Searchable searchable(const thought::Thought& thought, const OpenLayers& layers, Secrets secrets) {
  Searchable out;
  const Kind* kind = find_kind(thought.type);
  if (kind == nullptr) return out;
  const bool has_tool = kind->name == "tool_request" || kind->name == "tool_result";
  out.clear = words_in(*kind, thought.content, secrets);
  if (has_tool) out.tool = find_string(thought.content, "tool_name").value_or("");
  if (!layers.metadata.empty()) {
    const json::object members = members_of(layers.metadata);
    out.metadata = words_in(*kind, members, Secrets::kept);
    if (has_tool) out.sealed_tool = find_string(members, "tool_name").value_or("");
  }
  if (!layers.content.empty()) {
    out.content = words_in(*kind, members_of(layers.content), Secrets::kept);
  }
  return out;
}

std::string searchable_text(const thought::Thought& thought, const crypto::Keyring* keyring) {
  Searchable parts = searchable(thought, keyring);
  std::string out = std::move(parts.clear);
  for (const std::string* part : {&parts.metadata, &parts.content}) {
    if (part->empty()) continue;
    if (!out.empty()) out += '\n';
    out += *part;
  }
  return out;
}

std::vector<std::string_view> searched_kinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kKinds) names.push_back(kind.name);
  return names;
}

bool is_searched(std::string_view type) { return find_kind(type) != nullptr; }

}  // namespace weft::store
