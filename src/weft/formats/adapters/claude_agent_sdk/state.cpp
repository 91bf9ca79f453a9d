// What a stream remembers between two records.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"

namespace weft::formats::claude_agent_sdk {
namespace {

json::array array_of(const transcript::Usage& usage) {
  return {usage.input, usage.output, usage.cache_read, usage.cache_write};
}

std::optional<transcript::Usage> usage_in(const json::object& object, std::string_view key) {
  const json::array* row = find_array(object, key);
  const auto is_count = [](const json::value& count) { return count.is_int64(); };
  if (row == nullptr || row->size() != 4 || !std::ranges::all_of(*row, is_count)) {
    return std::nullopt;
  }
  return transcript::Usage{(*row)[0].get_int64(), (*row)[1].get_int64(), (*row)[2].get_int64(),
                           (*row)[3].get_int64()};
}

}  // namespace

json::object Stream::save() const {
  json::array conversations, tools;
  for (const Conversation& one : conversations_) {
    conversations.push_back(json::object{{"session", one.session},
                                         {"call", one.call},
                                         {"thread", one.thread.save()},
                                         {"settled", array_of(one.settled)},
                                         {"running", array_of(one.running)}});
  }
  for (const std::string& tool : waiting_.tools) tools.push_back(json::string(tool));
  json::object state{{"session", session_},
                     {"continued", continued_from_},
                     {"waiting", waiting_session_},
                     {"tools", std::move(tools)},
                     {"conversations", std::move(conversations)},
                     {"records", records_.save()},
                     {"usage", usage_.save()},
                     {"calls", calls_.save()}};
  if (waiting_.cwd) state["cwd"] = *waiting_.cwd;
  return state;
}

bool Stream::restore(const json::object& state) {
  const auto session = find_string(state, "session"), continued = find_string(state, "continued"),
             waiting = find_string(state, "waiting"), records = find_string(state, "records");
  const json::array* tools = find_array(state, "tools");
  const json::array* conversations = find_array(state, "conversations");
  const json::array* usage = find_array(state, "usage");
  const json::object* calls = find_object(state, "calls");
  if (!session || !continued || !waiting || !records) return false;
  if (tools == nullptr || conversations == nullptr || usage == nullptr || calls == nullptr) {
    return false;
  }
  if (tools->size() > kMostTools || conversations->size() > kMostThreads) return false;

  Stream restored(info_);
  restored.session_ = *session;
  restored.continued_from_ = *continued;
  restored.waiting_session_ = *waiting;
  if (const auto cwd = find_string(state, "cwd")) restored.waiting_.cwd = *cwd;
  for (const json::value& tool : *tools) {
    if (!tool.is_string()) return false;
    restored.waiting_.tools.emplace_back(view(tool.get_string()));
  }
  const transcript::Heading like{.format = std::string(kName),
                                 .family = "anthropic",
                                 .program = std::string(kName),
                                 .provider = "anthropic",
                                 .session_id = {}};
  for (const json::value& value : *conversations) {
    const json::object* one = value.if_object();
    if (one == nullptr) return false;
    const auto name = find_string(*one, "session"), call = find_string(*one, "call");
    const auto settled = usage_in(*one, "settled"), running = usage_in(*one, "running");
    const json::object* thread = find_object(*one, "thread");
    if (!name || !call || !settled || !running || thread == nullptr) return false;
    Conversation conversation{.session = std::string(*name),
                              .call = std::string(*call),
                              .thread = {},
                              .settled = *settled,
                              .running = *running};
    if (!conversation.thread.restore(*thread, like)) return false;
    restored.conversations_.push_back(std::move(conversation));
  }
  if (!restored.records_.restore(*records) || !restored.usage_.restore(*usage) ||
      !restored.calls_.restore(*calls)) {
    return false;
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::claude_agent_sdk
