#include "weft/query/transcript/rebuild.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/thought/facts.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using thought::Thought;
using namespace std::string_view_literals;
using transcript::Author;
using transcript::Block;
using transcript::Body;

std::string text_of(const json::object& content, std::string_view key) {
  return std::string(find_string(content, key).value_or(""));
}

std::optional<std::string> maybe_text(const json::object& content, std::string_view key) {
  const auto text = find_string(content, key);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<json::value> maybe_value(const json::object& content, std::string_view key) {
  const json::value* value = find_member(content, key);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

transcript::Thinking thinking_of(const json::object& content) {
  return {.text = text_of(content, "reasoning"),
          .signature = maybe_text(content, "signature"),
          .summaries = {},
          .cut_off = find_bool(content, "cut_off").value_or(false)};
}

transcript::ToolResult result_of(const json::object& content) {
  transcript::ToolResult result{.name = text_of(content, "tool_name"),
                                .text = text_of(content, "result_text"),
                                .is_error = find_bool(content, "is_error").value_or(false),
                                .uuid = maybe_text(content, "uuid")};
  if (const json::array* parts = find_array(content, "parts")) result.parts = *parts;
  result.details = maybe_value(content, "details");
  return result;
}

transcript::Attachment attachment_of(const json::object& content) {
  transcript::Attachment attachment{.kind = text_of(content, "kind"),
                                    .name = maybe_text(content, "name"),
                                    .mime = maybe_text(content, "mime"),
                                    .text = maybe_text(content, "text"),
                                    .data = maybe_text(content, "data"),
                                    .reference = maybe_text(content, "reference")};
  if (const auto size = find_int(content, "size"))
    attachment.size = static_cast<std::uint64_t>(*size);
  if (const json::object* extra = find_object(content, "extra")) attachment.extra = *extra;
  return attachment;
}

Body body_of(std::string_view kind, const json::object& content) {
  if (kind == "thinking"sv) return thinking_of(content);
  if (kind == "redacted_thinking"sv) return transcript::RedactedThinking{text_of(content, "data")};
  if (kind == "tool_request"sv) {
    return transcript::ToolCall{text_of(content, "tool_use_id"), text_of(content, "tool_name"),
                                maybe_value(content, "input").value_or(json::object()),
                                maybe_text(content, "description"),
                                maybe_text(content, "display_text")};
  }
  if (kind == "tool_result"sv) return result_of(content);
  if (kind == "attachment"sv) return attachment_of(content);
  if (kind == "compaction"sv) return transcript::Compaction{text_of(content, "summary")};
  if (kind == "summary"sv) return transcript::Summary{text_of(content, "text")};
  if (kind == "failure"sv) {
    return transcript::Failure{text_of(content, "text"), maybe_value(content, "details")};
  }
  if (kind == "unknown"sv) {
    return transcript::Unknown{text_of(content, "block_type"),
                               maybe_value(content, "raw").value_or(nullptr),
                               maybe_text(content, "raw_text")};
  }
  return transcript::Text{text_of(content, "text"), {}};
}

transcript::Citation citation_of(const json::object& content) {
  transcript::Citation citation{.url = maybe_text(content, "url"),
                                .title = maybe_text(content, "title"),
                                .text = maybe_text(content, "text")};
  const json::array* indices = find_array(content, "indices");
  if (indices != nullptr && indices->size() == 2 && (*indices)[0].is_int64() &&
      (*indices)[1].is_int64()) {
    citation.indices = {static_cast<std::uint64_t>((*indices)[0].get_int64()),
                        static_cast<std::uint64_t>((*indices)[1].get_int64())};
  }
  return citation;
}

enum class Citations { no, yes };

class Rebuilder {
 public:
  // `creator` is that of the conversation.
  Rebuilder(const Library& library, const Cid& creator, Citations citations)
      : library_(library), creator_(creator), has_citations_(citations == Citations::yes) {}

  Result<Block> block(const Cid& cid) {
    Result<Thought> thought = library_.web.get_without_path(cid);
    if (!thought) return fail(std::move(thought).error());
    const json::object content = open_content(library_, *thought);
    const std::string_view kind = thought::kind_of(thought->type);
    Block block{.body = body_of(kind, content)};
    is_sealed_ = thought->layers.content && content.contains("$layers") &&
                 content.at("$layers").as_object().contains("content");
    const json::object* extra = find_object(content, "extra");
    if (extra != nullptr && kind != "attachment") block.extra = *extra;
    block.start = thought->created_at;
    if (const auto duration = find_int(content, "duration_ms"))
      block.stop = *block.start + *duration;
    set_author(block, kind, thought->created_by);
    if (auto* thinking = std::get_if<transcript::Thinking>(&block.body))
      add_summaries(*thinking, cid);
    if (auto* text = std::get_if<transcript::Text>(&block.body)) {
      if (kind == "response" && has_citations_) add_citations(*text, *thought);
    }
    if (auto* result = std::get_if<transcript::ToolResult>(&block.body)) pair(*result, *thought);
    return block;
  }
  // Whether the keyring does not open the content of the last block.
  bool is_sealed() const { return is_sealed_; }

 private:
  void set_author(Block& block, std::string_view kind, const Cid& identity) {
    const auto& [who, name] = identity_of(identity);
    if (who == "human") block.author = Author::human;
    if (who == "model") {
      block.author = Author::model;
      if (name != "unknown") block.model = name;
    }
    if (who == "tool") {
      const bool by_tool = kind == "tool_result" || kind == "attachment";
      block.author = by_tool ? Author::tool : Author::program;
    }
  }

  const std::pair<std::string, std::string>& identity_of(const Cid& cid) {
    auto [known, is_new] = identities_.try_emplace(cid);
    if (is_new) {
      if (const Result<Thought> identity = library_.web.get_without_path(cid)) {
        known->second = {text_of(identity->content, "kind"), text_of(identity->content, "name")};
      }
    }
    return known->second;
  }

  void add_summaries(transcript::Thinking& thinking, const Cid& cid) const {
    const auto reworks = library_.web.neighbours_by(creator_, cid, "rework", store::Direction::to);
    if (!reworks) return;
    for (const Cid& rework : *reworks) {
      const Result<Thought> summary = library_.web.get_without_path(rework);
      if (!summary) continue;
      const json::object content = open_content(library_, *summary);
      const json::array* texts = find_array(content, "summaries");
      if (texts == nullptr) continue;
      for (const json::value& text : *texts) {
        if (text.is_string()) thinking.summaries.emplace_back(view(text.get_string()));
      }
    }
  }

  // The citations of a response have the cited blocks as their cause, and the same model and time;
  // those without a source have the response itself.
  void add_citations(transcript::Text& text, const Thought& response) const {
    std::vector<Cid> sources{response.cid};
    for (const thought::ContentRef& ref : response.because) {
      if (std::ranges::find(sources, ref.thought) == sources.end()) sources.push_back(ref.thought);
    }
    for (const Cid& source : sources) {
      const auto effects = library_.web.effects(source);
      if (!effects) continue;
      for (const Cid& effect : *effects) {
        const Result<Thought> citation = library_.web.get_without_path(effect);
        if (!citation || thought::kind_of(citation->type) != "citation" ||
            citation->created_at != response.created_at ||
            citation->created_by != response.created_by) {
          continue;
        }
        text.citations.push_back(citation_of(open_content(library_, *citation)));
      }
    }
  }

  // Results do not keep their call's id; the call that caused them does.
  void pair(transcript::ToolResult& result, const Thought& thought) const {
    if (thought.because.empty()) return;
    const Result<Thought> call = library_.web.get_without_path(thought.because.front().thought);
    if (!call) return;
    const std::string_view kind = thought::kind_of(call->type);
    if (kind != "tool_request" && kind != "unknown") return;
    const json::object content = open_content(library_, *call);
    result.call_id = kind == "unknown" ? id_in_text(content) : text_of(content, "tool_use_id");
  }

  // A call whose input cannot be parsed keeps it as its text.
  static std::string id_in_text(const json::object& unknown) {
    const Result<ParsedJson> call = parse_json(text_of(unknown, "raw_text"));
    const json::object* object = call ? call->value.if_object() : nullptr;
    if (object == nullptr || find_string(*object, "type") != "tool_use") return "";
    return text_of(*object, "id");
  }

  const Library& library_;
  const Cid creator_;
  const bool has_citations_;
  std::map<Cid, std::pair<std::string, std::string>> identities_;  // kind and name
  bool is_sealed_ = false;
};

// The turns of the part, and its last block or turn.
struct Chosen {
  std::vector<TurnView> turns;
  std::optional<Cid> last;
};

Result<Chosen> chosen(const Library& library, const store::ConversationRow& row, const Part& part) {
  WEFT_TRY_VALUE(auto all, turns_of(library, row));
  Result<std::vector<TurnView>> turns = branch_of(library, all, part.branch);
  if (!turns) return fail(std::move(turns).error());
  if (!part.upto) return Chosen{*std::move(turns), std::nullopt};

  Result<Cid> last = resolve_thought(library, *part.upto);
  if (!last) return fail(std::move(last).error().within("finding where to cut"));
  WEFT_TRY_VALUE(auto holders, library.web.neighbours_by(row.created_by, *last, "contains",
                                                         store::Direction::to));
  const auto holds = [&](const TurnView& turn) {
    return turn.thought.cid == *last ||
           std::ranges::find(holders, turn.thought.cid) != holders.end();
  };
  auto found = std::ranges::find_if(*turns, holds);
  if (found == turns->end() && !part.branch) {
    const auto elsewhere = std::ranges::find_if(all, holds);
    if (elsewhere != all.end()) turns = branch_of(library, all, elsewhere->thought.cid.str());
    if (!turns) return fail(std::move(turns).error());
    found = std::ranges::find_if(*turns, holds);
  }
  if (found == turns->end()) {
    return fail(ErrorCode::invalid_input,
                part.branch ? "the thought to cut at is not on this branch"
                            : "the thought to cut at is not a block of this conversation");
  }
  turns->erase(found + 1, turns->end());
  return Chosen{*std::move(turns), *last};
}

}  // namespace

Result<transcript::Conversation> rebuild(const Library& library,
                                         const store::ConversationRow& row) {
  WEFT_TRY_VALUE(auto rebuilt, rebuild(library, row, {}));
  // Entries are named by it.
  for (transcript::Turn& turn : rebuilt.conversation.turns) {
    for (Block& block : turn.blocks) block.source_id = turn.head.source_id;
  }
  return std::move(rebuilt.conversation);
}

Result<Rebuilt> rebuild(const Library& library, const store::ConversationRow& row,
                        const Part& part) {
  Rebuilt rebuilt;
  transcript::Conversation& conversation = rebuilt.conversation;
  conversation.heading = {.format = row.format, .session_id = row.session_id, .source = row.source};
  if (const Result<Thought> thought = library.web.get_without_path(row.cid)) {
    conversation.heading.family = thought->type.substr(0, thought->type.find('/'));
  }
  if (row.facts) {
    if (const Result<Thought> facts = library.web.get_without_path(*row.facts)) {
      const json::object content = open_content(library, *facts);
      conversation.facts = thought::parse_facts(content).facts;
    }
  }
  const Result<Chosen> chosen = weft::query::chosen(library, row, part);
  if (!chosen) return fail(chosen.error());
  Rebuilder rebuilder(library, row.created_by, Citations::yes);
  bool is_over = false;  // the last block was reached
  for (const TurnView& view : chosen->turns) {
    transcript::Turn turn;
    turn.sequence = view.sequence;
    turn.head.role = transcript::parse_role(view.role).value_or(transcript::Role::assistant);
    turn.head.source_id = "#" + std::to_string(view.sequence);
    turn.head.counted = true;
    WEFT_TRY_VALUE(auto blocks, blocks_of(library, view.thought));
    for (const Cid& cid : blocks) {
      if (is_over) break;
      is_over = chosen->last == cid;
      WEFT_TRY_VALUE(auto block, rebuilder.block(cid));
      if (rebuilder.is_sealed()) ++rebuilt.sealed;
      if (rebuilder.is_sealed() && part.leave_out_sealed) continue;
      // Its place in the source is not kept.
      block.source_id = "turn " + std::to_string(view.sequence);
      block.index = static_cast<std::uint32_t>(turn.blocks.size());
      turn.blocks.push_back(std::move(block));
      rebuilt.cids.push_back(cid);
    }
    conversation.turns.push_back(std::move(turn));
  }
  const bool ends_with_turn =
      chosen->last && !chosen->turns.empty() && chosen->turns.back().thought.cid == *chosen->last;
  if (chosen->last && !is_over && !ends_with_turn) {
    return fail(ErrorCode::invalid_input,
                "--upto names a thought that a newer one supersedes; name the newer one");
  }
  return rebuilt;
}

struct BlockReader::Parts {
  Rebuilder rebuilder;
};

BlockReader::BlockReader(const Library& library, const Cid& creator)
    : parts_(new Parts{{library, creator, Citations::no}}) {}
BlockReader::~BlockReader() = default;
BlockReader::BlockReader(BlockReader&&) noexcept = default;

Result<Block> BlockReader::read(const Cid& cid) { return parts_->rebuilder.block(cid); }

}  // namespace weft::query
