#include "weft/query/edits/call_reader.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/edits/call_edits.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {
namespace {

std::string_view text_at(const json::object& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->value().is_string()) return {};
  const json::string& text = found->value().get_string();
  return {text.data(), text.size()};
}

Cid cid_at(const json::object& object, std::string_view name) {
  return Cid::parse(text_at(object, name)).value_or(Cid());
}

bool is_because_of(const json::object& thought, const Cid& cause) {
  const auto because = thought.find("because");
  if (because == thought.end() || !because->value().is_array()) return false;
  return std::ranges::any_of(because->value().get_array(), [&](const json::value& one) {
    const json::object* ref = one.if_object();
    return ref != nullptr && cid_at(*ref, "thought_cid") == cause;
  });
}

const json::array& thoughts_of(const json::object& turn) { return turn.at("thoughts").as_array(); }

bool has_block(const json::object& turn, const Cid& block) {
  return std::ranges::any_of(thoughts_of(turn), [&](const json::value& thought) {
    return cid_at(thought.as_object(), "cid") == block;
  });
}

}  // namespace

Status CallReader::read(const store::ConversationRow& conversation,
                        const std::optional<Cid>& block) {
  if (!entered_.insert(conversation.cid).second) return {};
  const Cid outer = std::exchange(conversation_, conversation.cid);
  Status status;
  bool is_found = !block, is_over = false;
  std::vector<json::object> exchange;  // turns of the exchange that may be the one asked for
  const Status walked = walk(library_, conversation, {.control = control_}, [&](json::object turn) {
    if (!status || is_over) return;
    if (!block) {
      status = read_turn(turn);
      return;
    }
    if (text_at(turn, "role") == "human") {
      is_over = is_found;
      exchange.clear();
    }
    if (is_over) return;
    is_found = is_found || has_block(turn, *block);
    exchange.push_back(std::move(turn));
    if (!is_found) return;
    for (const json::object& one : exchange) {
      if (status) status = read_turn(one);
    }
    exchange.clear();
  });
  WEFT_TRY(walked);
  WEFT_TRY(status);
  if (!is_found) return fail(ErrorCode::not_found, "the conversation does not hold that thought");
  finish_all();
  conversation_ = outer;
  return {};
}

Status CallReader::read_turn(const json::object& turn) {
  for (const json::value& thought : thoughts_of(turn)) WEFT_TRY(take(thought.as_object()));
  return {};
}

Status CallReader::take(const json::object& thought) {
  const std::string_view kind = thought::kind_of(text_at(thought, "type"));
  if (kind == "tool_request") {
    const Cid cid = cid_at(thought, "cid");
    const json::object* content = find_object(thought, "content");
    if (content == nullptr || content->contains("$layers")) ++sealed_;
    const auto time = thought.find("created_at");
    open_.push_back({.thought = thought,
                     .cid = cid,
                     .time = time != thought.end() && time->value().is_int64()
                                 ? time->value().get_int64()
                                 : 0});
    return enter_subagents(cid);
  }
  if (kind != "tool_result") return {};
  const auto asked = std::ranges::find_if(
      open_, [&](const Request& request) { return is_because_of(thought, request.cid); });
  if (asked == open_.end()) return {};
  const Request request = std::move(*asked);
  open_.erase(asked);
  finish(request, &thought);
  return {};
}

Status CallReader::enter_subagents(const Cid& request) {
  WEFT_TRY_VALUE(const auto spawned, blocks_spawned(library_, request, foreigners_));
  for (const Cid& block : spawned) {
    WEFT_TRY_VALUE(const auto conversations, holders_of(library_, block, foreigners_));
    for (const store::ConversationRow& conversation : conversations) {
      const std::vector<Request> outer = std::exchange(open_, {});
      WEFT_TRY(read(conversation));
      open_ = outer;
    }
  }
  return {};
}

void CallReader::finish(const Request& request, const json::object* result) {
  const json::object* content = find_object(request.thought, "content");
  if (content == nullptr) return;
  const json::object* outcome = result == nullptr ? nullptr : find_object(*result, "content");
  static const json::object kNothing;
  if (result != nullptr && outcome == nullptr) outcome = &kNothing;
  std::vector<edits::Edit> edits = edits_in(*content, outcome);
  const std::vector<std::string> paths = paths_of(edits);
  for (edits::Edit& edit : edits) {
    const auto number = std::ranges::find(paths, edit.path) - paths.begin();
    MadeEdit made{.edit = std::move(edit),
                  .number = static_cast<std::size_t>(number),
                  .conversation = conversation_,
                  .request = request.cid,
                  .time = request.time};
    if (result != nullptr) made.result = cid_at(*result, "cid");
    on_edit_(std::move(made));
  }
}

// Calls without a result: of a format that states none, or broken off.
void CallReader::finish_all() {
  for (const Request& request : std::exchange(open_, {})) finish(request, nullptr);
}

}  // namespace weft::query
