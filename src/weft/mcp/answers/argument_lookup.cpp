#include "weft/mcp/answers/argument_lookup.hpp"

#include <string>

#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/sessions/sessions.hpp"

namespace weft::mcp {
namespace {

constexpr std::string_view kFindThoughts =
    "Find thoughts and their CIDs with wot_thought_search, for example wot_thought_search "
    "{\"query\": \"the loom is stuck\"}.";
constexpr std::string_view kFindConversations =
    "List the conversations with their CIDs: wot_conversation_list {}.";
constexpr std::string_view kFindSessions =
    "List the sessions with list_conversations {}; find turns with search_conversations.";

template <class T>
Named<T> named(std::string_view argument, const std::string& text, Result<T> found,
               std::string_view cure) {
  if (found) return *std::move(found);
  const std::string fault = std::string(argument) + " '" + text + "': " + found.error().message;
  return std::unexpected(refused(fault, cure));
}

}  // namespace

Named<Cid> thought_named(const Call& call, std::string_view argument) {
  const std::string text = text_in(call.arguments(), argument);
  return named(argument, text, query::resolve_thought(call.library(), text), kFindThoughts);
}

Named<store::ConversationRow> conversation_named(const Call& call, std::string_view argument) {
  const std::string text = text_in(call.arguments(), argument);
  return named(argument, text, query::resolve_conversation(call.library(), text),
               kFindConversations);
}

Named<store::ConversationRow> session_named(const Call& call, std::string_view argument) {
  const std::string text = text_in(call.arguments(), argument);
  return named(argument, text, query::resolve_session(call.library(), text), kFindSessions);
}

Named<std::optional<Millis>> moment_named(const Call& call, std::string_view argument, Bound bound,
                                          const LocalClock& clock) {
  const auto text = find_text_in(call.arguments(), argument);
  if (!text) return std::nullopt;
  if (const auto time = parse_moment(*text, bound, clock)) return time;
  return std::unexpected(refused(std::string(argument) + ": " + not_a_moment(*text) + "."));
}

json::object no_answer(const Call& call, const Error& error) {
  if (call.is_cancelled()) return refused("This call was cancelled.");
  switch (error.code) {
    case ErrorCode::conflict:
    case ErrorCode::unavailable: return refused(error, "Try again.");
    case ErrorCode::corrupt:
      return refused(error, "Stored data is damaged: wot_verify {} lists what.");
    default: return refused(error);
  }
}

}  // namespace weft::mcp
