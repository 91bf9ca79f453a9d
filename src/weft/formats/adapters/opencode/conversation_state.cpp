// What a conversation remembers between two records.
#include <utility>

#include "weft/formats/adapters/opencode/conversation.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Role;
using transcript::Usage;

json::array save_usage(const Usage& usage) {
  return {usage.input, usage.output, usage.cache_read, usage.cache_write};
}

bool restore_usage(const json::array* state, Usage& usage) {
  UsageSum sum;
  if (!sum.restore(state)) return false;
  usage = sum.sum();
  return true;
}

bool flag_of(const json::object& object, std::string_view key) {
  return find_bool(object, key).value_or(false);
}

}  // namespace

json::object Conversation::save() const {
  json::array messages;
  for (const Message& one : messages_) {
    json::object saved{{"id", one.id},
                       {"role", to_string(one.role)},
                       {"known", one.is_known},
                       {"summary", one.is_summary},
                       {"parts", one.has_parts},
                       {"words", one.has_words},
                       {"stepped", one.has_steps},
                       {"ended", one.is_ended},
                       {"failed", one.has_failed},
                       {"step", one.step},
                       {"steps", save_usage(one.steps)},
                       {"own", save_usage(one.own)}};
    if (one.model) saved["model"] = *one.model;
    if (one.time) saved["time"] = *one.time;
    if (one.answered) saved["answered"] = *one.answered;
    if (one.error) saved["error"] = *one.error;
    // Only the last may still have to speak by it.
    if (!one.has_parts && &one == &messages_.back()) saved["title"] = one.title;
    messages.push_back(std::move(saved));
  }
  json::array pending;
  for (const PendingEvent& one : pending_) {
    json::object saved{{"id", one.id},        {"message", one.message}, {"part", one.part},
                       {"done", one.is_done}, {"inexact", one.inexact}, {"bytes", one.bytes}};
    if (one.time) saved["time"] = *one.time;
    pending.push_back(std::move(saved));
  }
  json::object state{{"id", id_},
                     {"teller", builder_.save()},
                     {"root", root_},
                     {"parent", parent_},
                     {"fork", fork_},
                     {"title", title_},
                     {"directory", directory_},
                     {"messages", std::move(messages)},
                     {"held", std::move(pending)},
                     {"told", emitted_.save()},
                     {"usage", save_usage(usage_)}};
  if (updated_) state["updated"] = *updated_;
  return state;
}

bool Conversation::restore(const json::object& state) {
  const json::array* messages = find_array(state, "messages");
  const json::array* pending = find_array(state, "held");
  if (messages == nullptr || pending == nullptr) return false;
  for (const json::value& value : *messages) {
    const json::object* saved = value.if_object();
    if (saved == nullptr) return false;
    const auto role = transcript::parse_role(text_in(*saved, "role"));
    Message one{.id = text_in(*saved, "id"),
                .role = role.value_or(Role::assistant),
                .is_known = flag_of(*saved, "known"),
                .is_summary = flag_of(*saved, "summary"),
                .has_parts = flag_of(*saved, "parts"),
                .has_words = flag_of(*saved, "words"),
                .time = find_int(*saved, "time"),
                .step = text_in(*saved, "step"),
                .has_steps = flag_of(*saved, "stepped"),
                .answered = find_int(*saved, "answered"),
                .title = text_in(*saved, "title"),
                .is_ended = flag_of(*saved, "ended"),
                .has_failed = flag_of(*saved, "failed")};
    if (const auto model = find_string(*saved, "model")) one.model = *model;
    if (const json::value* error = find_member(*saved, "error")) one.error = *error;
    if (!restore_usage(find_array(*saved, "steps"), one.steps) ||
        !restore_usage(find_array(*saved, "own"), one.own)) {
      return false;
    }
    messages_.push_back(std::move(one));
  }
  for (const json::value& value : *pending) {
    const json::object* saved = value.if_object();
    const json::object* part = saved == nullptr ? nullptr : find_object(*saved, "part");
    if (part == nullptr) return false;
    pending_.push_back({.id = text_in(*saved, "id"),
                        .message = text_in(*saved, "message"),
                        .part = *part,
                        .is_done = flag_of(*saved, "done"),
                        .time = find_int(*saved, "time"),
                        .inexact = text_in(*saved, "inexact"),
                        .bytes = static_cast<std::size_t>(find_int(*saved, "bytes").value_or(0))});
  }
  id_ = text_in(state, "id");
  root_ = text_in(state, "root");
  parent_ = text_in(state, "parent");
  fork_ = text_in(state, "fork");
  title_ = text_in(state, "title");
  directory_ = text_in(state, "directory");
  updated_ = find_int(state, "updated");
  return builder_.restore(find_object(state, "teller")) &&
         emitted_.restore(find_array(state, "told")) &&
         restore_usage(find_array(state, "usage"), usage_);
}

}  // namespace weft::formats::opencode
