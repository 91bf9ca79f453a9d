#include "weft/query/sessions/exchanges.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/tool_summary.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using thought::Thought;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_part(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == ':' || c == '.';
}

// Whether a person writes something other than a command in this turn. Its first block usually
// decides: older versions of blocks are not searched for.
Result<bool> is_speech(const Library& library, const TurnView& turn) {
  if (turn.role != "human") return false;
  WEFT_TRY_VALUE(auto blocks, blocks_of(library, turn.thought, Superseded::yes));
  for (const Cid& cid : blocks) {
    WEFT_TRY_VALUE(auto block, library.web.get_without_path(cid));
    if (thought::kind_of(block.type) != "human_input") return true;
    const json::object content = open_content(library, block);
    const auto text = find_string(content, "text");
    if (!text || !is_command(*text)) return true;
  }
  return false;
}

// Collects the texts of an exchange.
class Reading {
 public:
  explicit Reading(const Library& library) : library_(library) {}

  Status add(const Cid& cid) {
    WEFT_TRY_VALUE(auto block, library_.web.get_without_path(cid));
    const json::object content = open_content(library_, block);
    const std::string_view kind = thought::kind_of(block.type);
    const bool is_sealed = find_object(content, "$layers") != nullptr;
    if (kind == "human_input") {
      const auto text = find_string(content, "text");
      is_sealed_ = is_sealed_ || is_sealed;
      if (!text) {
        has_sealed_user_ = has_sealed_user_ || is_sealed;
      } else if (is_command(*text)) {
        append(commands_, *text);
      } else {
        append(user_, *text);
      }
    } else if (kind == "response") {
      const auto text = find_string(content, "text");
      is_sealed_ = is_sealed_ || is_sealed;
      if (text) append(assistant_, *text);
      has_sealed_assistant_ = has_sealed_assistant_ || (!text && is_sealed);
    } else if (kind == "tool_request") {
      is_sealed_ = is_sealed_ || is_sealed;
      tools_.push_back(tool_summary(content));
    } else if (kind == "attachment") {
      if (const auto name = attachment_name(content)) attachments_.emplace_back(*name);
    }
    return {};
  }

  json::object take(std::uint64_t number, const Exchange& exchange) && {
    if (user_.empty() && !has_sealed_user_) user_ = std::move(commands_);
    const Millis time = exchange.time;
    json::object out{{"turn_number", number}, {"turn", exchange.sequence}};
    out["timestamp"] = time == 0 ? json::value(nullptr) : json::value(to_iso8601(time));
    out["user_text"] = text_of(user_, has_sealed_user_);
    out["assistant_text"] = text_of(assistant_, has_sealed_assistant_);
    out["tools_used"] = std::move(tools_);
    if (!attachments_.empty()) out["attachments"] = std::move(attachments_);
    if (is_sealed_) out["sealed"] = true;
    return out;
  }

 private:
  static void append(std::string& out, std::string_view text) {
    if (!out.empty()) out += '\n';
    out += text;
  }
  static json::value text_of(const std::string& text, bool is_sealed) {
    return text.empty() && is_sealed ? json::value(nullptr) : json::value(text);
  }
  static std::optional<std::string_view> attachment_name(const json::object& content) {
    for (const std::string_view member : {"name", "reference", "kind"}) {
      if (const auto name = find_string(content, member)) return name;
    }
    return std::nullopt;
  }

  const Library& library_;
  std::string user_, assistant_, commands_;
  json::array tools_, attachments_;
  bool is_sealed_ = false, has_sealed_user_ = false, has_sealed_assistant_ = false;
};

}  // namespace

bool is_command(std::string_view text) {
  if (text.size() < 2) return false;
  if (text.front() == '!')
    return is_name_part(text[1]) && text.find('\n') == std::string_view::npos;
  if (text.front() != '/' || !is_letter(text[1])) return false;
  const auto* end = std::ranges::find_if_not(text.substr(1), is_name_part);
  // "/home/ada is full" is about a path.
  return end == text.end() || *end == ' ' || *end == '\n' || *end == '\t';
}

Result<Exchanges> Exchanges::of(const Library& library,
                                const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(auto turns, turns_of(library, conversation));
  Exchanges out;
  bool has_speech = false;
  for (TurnView& turn : turns) {
    WEFT_TRY_VALUE(auto is_spoken, is_speech(library, turn));
    const Cid cid = turn.thought.cid;
    std::uint64_t number = out.all_.empty() ? 0 : out.all_.size() - 1;
    if (is_spoken) {
      // Turns before the first message belong to it.
      if (has_speech || out.all_.empty()) out.all_.emplace_back();
      has_speech = true;
      number = out.all_.size() - 1;
      out.all_.back().sequence = turn.sequence;
      out.all_.back().time = turn.thought.created_at;
    } else if (out.all_.empty()) {
      out.all_.push_back({.sequence = turn.sequence, .time = turn.thought.created_at});
    } else if (turn.parent) {
      // Of several answers to one prompt, later ones may come after other prompts.
      const auto above = out.numbers_.find(*turn.parent);
      if (above != out.numbers_.end()) number = above->second;
    }
    out.numbers_.emplace(cid, number);
    out.all_[number].turns.push_back(std::move(turn));
  }
  return out;
}

std::optional<std::uint64_t> Exchanges::find_number(const Cid& turn) const {
  const auto known = numbers_.find(turn);
  if (known == numbers_.end()) return std::nullopt;
  return known->second;
}

Result<json::object> read_exchange(const Library& library, const Exchange& exchange,
                                   std::uint64_t number) {
  Reading reading(library);
  for (const TurnView& turn : exchange.turns) {
    WEFT_TRY_VALUE(auto blocks, blocks_of(library, turn.thought));
    for (const Cid& cid : blocks) {
      WEFT_TRY(reading.add(cid));
    }
  }
  return std::move(reading).take(number, exchange);
}

}  // namespace weft::query
