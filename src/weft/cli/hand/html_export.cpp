#include "weft/cli/hand/html_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/page/site/files.hpp"
#include "weft/query/outline/numbered_blocks.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/secrets/clear_secrets.hpp"
#include "weft/query/secrets/secret_mask.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::cli {
namespace {

// Where the page has its two documents (page/tools/file.mjs).
constexpr std::string_view kDocumentMark = "{{DOCUMENT}}", kThoughtsMark = "{{THOUGHTS}}";
// What the signed thought in the file says already.
constexpr std::array<std::string_view, 6> kSaidByThought = {"type",       "because", "created_by",
                                                            "created_at", "source",  "signature"};

// JSON within an element: nothing in it can end that element.
std::string in_element(const json::value& value) {
  const std::string text = canonical_json(value);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

// A keyring that opens the metadata layer and nothing else; empty if this one opens none.
std::optional<crypto::Keyring> metadata_alone(const crypto::Keyring* keyring) {
  if (keyring == nullptr) return std::nullopt;
  const Result<std::string> text = keyring->exported(crypto::Reach::metadata);
  if (!text) return std::nullopt;
  Result<crypto::Keyring> metadata = crypto::Keyring::parse(*text, {});
  if (!metadata) return std::nullopt;
  return *std::move(metadata);
}

// Whether the check of a page reads it: what places a block, and whom a call started. Edges between
// blocks are most of a web, and say what `because` says, too.
bool is_checked(const thought::Thought& thought, const std::vector<Cid>& conversations) {
  if (thought::kind_of(thought.type) == thought::kUsageKind) return false;
  if (thought.type != thought::kConnectionType) return true;
  const auto relation = find_string(thought.content, "relation");
  const auto from = Cid::parse(find_string(thought.content, "from").value_or(""));
  if (relation == "contains")
    return std::ranges::find(conversations, from.value_or(Cid())) == conversations.end();
  return relation == "uses_input" || relation == "spawns";
}

// Boxes are in the signed thoughts; the reader needs to know only that a layer is closed.
void empty_boxes(json::object& content) {
  json::value* layers = content.if_contains("$layers");
  if (layers == nullptr || !layers->is_object()) return;
  for (json::key_value_pair& layer : layers->get_object()) layer.value() = "";
}

}  // namespace

HtmlExport::HtmlExport(const query::Library& library, HtmlOptions options, Write write)
    : library_(library),
      options_(std::move(options)),
      write_(std::move(write)),
      metadata_(options_.thinking ? std::nullopt : metadata_alone(library.keyring)) {}

HtmlExport::~HtmlExport() = default;

void HtmlExport::put(const json::value& value) { write_(in_element(value)); }

Status HtmlExport::write(const store::ConversationRow& conversation,
                         const std::vector<store::ConversationRow>& subagents) {
  const std::string_view page = page::reader_page();
  const std::size_t document = page.find(kDocumentMark), thoughts = page.find(kThoughtsMark);
  if (document == std::string_view::npos || thoughts == std::string_view::npos) {
    return fail(ErrorCode::unavailable, "this weft was built without its page");
  }
  write_(page.substr(0, document));
  write_("{\"owner\":");
  put(json::value(conversation.created_by.str()));
  write_(",\"conversations\":[");
  std::vector<Cid> all = {conversation.cid};
  WEFT_TRY(add_conversation(conversation));
  for (const store::ConversationRow& subagent : subagents) {
    write_(",");
    WEFT_TRY(add_conversation(subagent));
    all.push_back(subagent.cid);
  }
  write_("]}");
  const std::size_t after = document + kDocumentMark.size();
  write_(page.substr(after, thoughts - after));
  WEFT_TRY(add_thoughts(all));
  write_(page.substr(thoughts + kThoughtsMark.size()));
  return {};
}

Status HtmlExport::add_conversation(const store::ConversationRow& conversation) {
  json::object about = query::describe(library_, conversation);
  library_.mask->mask(about);
  write_("{\"conversation\":");
  put(about);
  WEFT_TRY_VALUE(auto outline, query::outline(library_, conversation, {.branch = options_.branch}));
  library_.mask->mask(outline);
  write_(",\"outline\":");
  put(outline);
  write_(",\"blocks\":[");
  WEFT_TRY_VALUE(auto blocks,
                 query::NumberedBlocks::open(library_, conversation, {.branch = options_.branch}));
  for (std::uint64_t i = 0; i < blocks.count(); ++i) {
    WEFT_TRY_VALUE(auto block, blocks.read(i));
    WEFT_TRY_VALUE(auto written, shown(std::move(block)));
    if (i > 0) write_(",");
    put(written);
  }
  write_("]}");
  return {};
}

// A block as the reader gets it: without what the signed thought says as well, unless the two
// differ because a layer was opened or a secret masked.
Result<json::object> HtmlExport::shown(json::object block) {
  WEFT_TRY_VALUE(const auto cid, Cid::parse(find_string(block, "cid").value_or("")));
  WEFT_TRY_VALUE(const auto thought, library_.web.get_without_path(cid));
  const std::string_view kind = thought::kind_of(thought.type);
  const bool is_thinking = kind == "thinking" || kind == "redacted_thinking";
  if (is_thinking && !options_.thinking) {
    block["content"] = thought::open_content(thought, metadata_ ? &*metadata_ : nullptr);
    const crypto::Keyring* keyring = library_.keyring;
    if (keyring != nullptr && keyring->layer(crypto::Layer::content) != nullptr)
      ++thinking_left_out_;
  }
  library_.mask->mask(block);
  if (const auto rules = query::secrets_in_clear(thought); !rules.empty()) {
    block["masked"] = json::array(rules.begin(), rules.end());
    block.erase("signature");
    return block;
  }
  const json::object stored = to_json(thought);
  for (const std::string_view member : kSaidByThought) block.erase(member);
  if (block.at("content") == stored.at("content")) block.erase("content");
  else empty_boxes(block.at("content").as_object());
  return block;
}

// One thought on each line, as stored, after the digits of its CID; stubs of those with a secret in
// the clear.
Status HtmlExport::add_thoughts(const std::vector<Cid>& conversations) {
  Status status;
  WEFT_TRY(library_.web.each_of(conversations, [&](const thought::Thought& thought) {
    if (thought::is_gone(thought) || !is_checked(thought, conversations)) return true;
    const std::vector<std::string> rules = query::secrets_in_clear(thought);
    const auto* signature = std::get_if<crypto::SignatureBytes>(&thought.signature);
    write_(to_hex(thought.cid.digest()) + " ");
    if (rules.empty()) {
      put(to_json(thought));
    } else if (signature == nullptr || is_identity(thought)) {
      status = fail(ErrorCode::denied, "a secret stands in " + thought.cid.str() + ", of type " +
                                           thought.type + ", which the file would have to show");
      return false;
    } else {
      ++masked_;
      put(json::object{{"cid", thought.cid.str()},
                       {"created_by", thought.created_by.str()},
                       {"signature", thought::to_string(thought.signature)},
                       {"masked", json::array(rules.begin(), rules.end())}});
    }
    write_("\n");
    return true;
  }));
  return status;
}

std::vector<std::string> HtmlExport::notes() const {
  std::vector<std::string> notes;
  if (thinking_left_out_ > 0) {
    notes.push_back(fmt::format("{} without reasoning; include it with --thinking",
                                count(thinking_left_out_, "block")));
  }
  if (masked_ > 0) {
    notes.push_back(fmt::format("{} with a secret masked: signed, and not checkable in the file",
                                count(masked_, "thought")));
  }
  return notes;
}

}  // namespace weft::cli
