#include "weft/query/ingest_report.hpp"

#include "weft/query/questions.hpp"

namespace weft::query {

Result<json::object> taken(const Library& library, const ingest::Report& report,
                           std::int64_t elapsed_ms) {
  json::array conversations, skipped, warnings;
  std::uint64_t thoughts = 0;
  for (const ingest::IngestedConversation& taken : report.conversations) {
    Result<store::ConversationRow> row = library.store.conversation(taken.cid);
    if (!row && row.error().code == ErrorCode::not_found) continue;  // forgotten meanwhile
    if (!row) return fail(std::move(row).error());
    thoughts += row->thought_count;
    conversations.push_back({{"conversation_cid", taken.cid.str()},
                             {"session_id", row->session_id},
                             {"format", row->format},
                             {"title", describe(library, *row).at("title")},
                             {"turn_count", row->turn_count},
                             {"thought_count", row->thought_count},
                             {"new_thoughts", taken.new_thoughts}});
  }
  for (const ingest::Skipped& entry : report.skipped) {
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

}  // namespace weft::query
