#include "weft/mcp/answers/argument_lookup.hpp"

#include <string>

#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/search/query.hpp"

namespace weft::mcp {
namespace {

constexpr std::string_view kFindThoughts =
    "wot_thought_search finds thoughts and tells their CIDs, as in wot_thought_search {\"query\": "
    "\"the loom is stuck\"}.";
constexpr std::string_view kFindConversations =
    "wot_conversation_list {} tells which conversations there are, with their CIDs.";
constexpr std::string_view kFindSessions =
    "list_conversations {} tells which sessions there are; search_conversations finds turns in "
    "them.";

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
  return named(argument, text, query::resolve_thought(call.context().library(), text),
               kFindThoughts);
}

Named<store::ConversationRow> conversation_named(const Call& call, std::string_view argument) {
  const std::string text = text_in(call.arguments(), argument);
  return named(argument, text, query::resolve_conversation(call.context().library(), text),
               kFindConversations);
}

Named<store::ConversationRow> session_named(const Call& call, std::string_view argument) {
  const std::string text = text_in(call.arguments(), argument);
  return named(argument, text, query::resolve_session(call.context().library(), text),
               kFindSessions);
}

Named<std::optional<Millis>> moment_named(const Call& call, std::string_view argument, Edge edge) {
  const auto text = find_text_in(call.arguments(), argument);
  if (!text) return std::nullopt;
  const auto time = search::parse_moment(
      *text, edge == Edge::from ? search::DayEdge::first : search::DayEdge::last);
  if (time) return time;
  return std::unexpected(refused(std::string(argument) + ": '" + *text + "' is no time",
                                 "Give a day or a moment: 2026-10-01 or 2026-10-01T14:30:00Z."));
}

json::object no_answer(const Call& call, const Error& error) {
  if (call.is_cancelled()) return refused("This call was cancelled.");
  switch (error.code) {
    case ErrorCode::conflict:
    case ErrorCode::unavailable: return refused(error, "It may work if you try again.");
    case ErrorCode::corrupt:
      return refused(error, "Something stored is damaged: wot_verify {} tells what.");
    default: return refused(error);
  }
}

}  // namespace weft::mcp
