#include "weft/ingest/report_json.hpp"

namespace weft::ingest {

Result<json::object> to_json(const store::Store& store, const Report& report,
                             std::int64_t elapsed_ms, const TitleOf& title_of) {
  json::array conversations, skipped, warnings;
  std::uint64_t thoughts = 0;
  for (const IngestedConversation& conversation : report.conversations) {
    Result<store::ConversationRow> row = store.conversation(conversation.cid);
    if (!row && row.error().code == ErrorCode::not_found) continue;  // forgotten since
    if (!row) return fail(std::move(row).error());
    thoughts += row->thought_count;
    conversations.push_back({{"conversation_cid", conversation.cid.str()},
                             {"session_id", row->session_id},
                             {"format", row->format},
                             {"title", title_of(*row)},
                             {"turn_count", row->turn_count},
                             {"thought_count", row->thought_count},
                             {"new_thoughts", conversation.new_thoughts}});
  }
  for (const Skipped& entry : report.skipped) {
    json::object skip{{"file", entry.file}, {"line", entry.line}, {"reason", entry.reason}};
    if (entry.count > 1) skip["count"] = entry.count;
    skipped.push_back(std::move(skip));
  }
  for (const std::string& warning : report.warnings) warnings.emplace_back(warning);
  json::object answer{{"conversations", std::move(conversations)},
                      {"files", report.files},
                      {"bytes", report.bytes},
                      {"thought_count", thoughts},
                      {"new_thoughts", report.new_thoughts},
                      {"skipped", std::move(skipped)},
                      {"warnings", std::move(warnings)},
                      {"elapsed_ms", elapsed_ms}};
  if (report.stopped) answer["stopped"] = true;
  return answer;
}

}  // namespace weft::ingest
