// One conversation: its heading and facts, and its messages along the tree.
#include <algorithm>

#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/unix_time.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Sink;

// Number of calls above a result among which its own is searched.
constexpr int kMostCalls = 32;

struct Call {
  std::string_view node, tool;
  std::size_t above = 0;  // the call before it on its way, counted from 1; 0 for none
};

// The last emitted node on the way to a node, that node included.
struct Place {
  std::string_view node;  // empty for none
  std::string turn;
  std::size_t call = 0;  // the nearest, counted from 1; 0 for none
  std::optional<Millis> time{};
};

transcript::Facts facts_of(const json::object& conversation, const SourceInfo& info) {
  transcript::Facts facts;
  facts.title = find_words(conversation, "title");
  if (facts.title == "New chat") facts.title.reset();
  facts.updated_at = find_unix_time(conversation, "update_time");
  facts.account = find_words(conversation, "user_id");
  if (!info.project.empty()) facts.project = info.project;
  // A project is called by its id; a custom GPT ("g-…") is not a project.
  for (const std::string_view key : {"conversation_template_id", "gizmo_id"}) {
    const auto id = find_words(conversation, key);
    if (!facts.project && id && id->starts_with("g-p-")) facts.project = id;
  }
  return facts;
}

std::string session_of(const json::object& conversation, std::string_view text) {
  for (const std::string_view key : {"conversation_id", "id"}) {
    if (const auto id = find_words(conversation, key)) return *id;
  }
  return session_from(text);
}

// "browser" gives the results of "browser.search".
bool is_called(std::string_view tool, std::string_view by) {
  return by == tool || (by.starts_with(tool) && by.substr(tool.size()).starts_with('.')) ||
         (tool.starts_with(by) && tool.substr(by.size()).starts_with('.'));
}

class Telling {
 public:
  Telling(const JsonRecord& record, const json::object& conversation, const SourceInfo& info,
          Sink& sink)
      : record_(record), info_(info), sink_(sink) {
    created_ = find_unix_time(conversation, "create_time");
    heading_ = {.format = std::string(kName),
                .family = "openai",
                .program = "chatgpt",
                .provider = "openai",
                .session_id = session_of(conversation, record.text)};
    facts_ = facts_of(conversation, info);
    if (record.parsed.inexact) find_inexact();
  }

  void emit(const Node& node);

 private:
  void find_inexact();
  void begin();
  std::string_view call_of(const Node& node, std::size_t nearest) const;
  Message message_of(const Node& node, std::size_t nearest_call) const;

  const JsonRecord& record_;
  const SourceInfo& info_;
  Sink& sink_;
  TurnBuilder builder_;
  transcript::Heading heading_;
  transcript::Facts facts_;
  std::optional<Millis> created_;
  std::string_view last_;  // the node emitted last
  std::vector<Call> calls_;
  std::unordered_map<std::string_view, Place> places_;
  std::unordered_map<std::string, std::string_view> inexact_;  // nodes that no value can hold
};

// Each node for itself: most of them are exact.
void Telling::find_inexact() {
  for (const JsonPiece& member : cut_json(record_.text, {})) {
    if (member.member != "mapping") continue;
    for (const JsonPiece& node : cut_json(member.text, {})) {
      const Result<ParsedJson> parsed = parse_json(node.text);
      if (!parsed || parsed->inexact) inexact_[node.member] = node.text;
    }
  }
}

void Telling::begin() {
  if (builder_.has_begun()) return;
  builder_.begin(heading_, sink_);
  if (facts_ != transcript::Facts()) sink_.facts(facts_);
}

// The nearest call above it that called this tool; else the nearest at all.
std::string_view Telling::call_of(const Node& node, std::size_t nearest) const {
  const std::string_view tool = answering_tool(*node.message);
  if (tool.empty() || nearest == 0) return {};
  std::size_t at = nearest;
  for (int i = 0; i < kMostCalls && at != 0; ++i) {
    const Call& call = calls_[at - 1];
    if (is_called(call.tool, tool)) return call.node;
    at = call.above;
  }
  return calls_[nearest - 1].node;
}

Message Telling::message_of(const Node& node, std::size_t nearest_call) const {
  const auto inexact = inexact_.find(std::string(node.id));
  if (inexact == inexact_.end()) {
    return parse_message(*node.message, node.id, call_of(node, nearest_call));
  }
  const json::object* author = find_object(*node.message, "author");
  const bool is_human = author != nullptr && find_string(*author, "role") == "user";
  return {.blocks = {{.author = is_human ? transcript::Author::human : transcript::Author::model,
                      .body = anthropic::unknown_from_text(*node.message, inexact->second)}}};
}

void Telling::emit(const Node& node) {
  const auto parent = places_.find(node.parent);
  Place place = parent == places_.end() ? Place() : parent->second;
  if (node.message != nullptr) {
    if (const auto time = find_unix_time(*node.message, "create_time")) place.time = time;
    Message message = message_of(node, place.call);
    if (message.blocks.empty()) {
      sink_.skip({record_.line, std::string(message.skipped)});
    } else {
      begin();
      if (place.node != last_) builder_.follow(place.turn);
      const json::object* metadata = find_object(*node.message, "metadata");
      auto model = metadata == nullptr ? std::nullopt : find_words(*metadata, "model_slug");
      builder_.emit({.place = std::string(node.id),
                     .blocks = std::move(message.blocks),
                     .is_prompt = true,
                     .time = place.time ? place.time : created_,
                     .model = model ? std::move(model) : info_.model},
                    sink_);
      last_ = place.node = node.id;
      place.turn = builder_.turn();
      if (const std::string_view tool = called_tool(*node.message); !tool.empty()) {
        calls_.push_back({.node = node.id, .tool = tool, .above = place.call});
        place.call = calls_.size();
      }
    }
  }
  places_[node.id] = std::move(place);
}

}  // namespace

void read_conversation(const JsonRecord& record, const json::object& conversation,
                       const SourceInfo& info, Sink& sink) {
  if (find_object(conversation, "mapping") == nullptr) {
    sink.skip({record.line, "malformed: a conversation without nodes"});
    return;
  }
  Telling telling(record, conversation, info, sink);
  bool has_messages = false;
  for (const Node& node : order_nodes(conversation)) {
    has_messages = has_messages || node.message != nullptr;
    telling.emit(node);
  }
  if (!has_messages) sink.skip({record.line, "empty"});
}

}  // namespace weft::formats::chatgpt_export
