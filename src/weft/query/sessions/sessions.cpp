#include "weft/query/sessions/sessions.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/ask/list_notes.hpp"
#include "weft/query/search/search_scope.hpp"
#include "weft/query/sessions/exchanges.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kPrimary = "primary";

Millis updated_at(const store::CatalogueEntry& entry) {
  return entry.known.facts.updated_at.value_or(entry.row.created_at);
}

json::value time_or_null(Millis time) {
  return time == 0 ? json::value(nullptr) : json::value(to_iso8601(time));
}

Result<json::object> to_json(const Library& library, const store::CatalogueEntry& entry,
                             Foreigners& foreigners) {
  WEFT_TRY_VALUE(auto exchanges, Exchanges::of(library, entry.row));
  const transcript::Facts& facts = entry.known.facts;
  json::object shown{{"session_id", session_name(entry.row)},
                     {"title", text_or_null(title_of(entry))},
                     {"slug", nullptr},
                     {"summary", text_or_null(facts.summary)},
                     {"first_timestamp", time_or_null(entry.row.created_at)},
                     {"last_timestamp", time_or_null(updated_at(entry))},
                     {"turn_count", exchanges.all().size()},
                     {"cwd", text_or_null(facts.cwd)},
                     {"git_branch", text_or_null(facts.git_branch)},
                     {"project", text_or_null(facts.project)},
                     {"conversation_cid", entry.row.cid.str()}};
  if (foreigners.is_foreign_creator(entry.row.created_by)) shown[kForeign] = true;
  return shown;
}

}  // namespace

std::string session_name(const store::ConversationRow& conversation) {
  std::string name = conversation.format + ":" + conversation.session_id;
  if (conversation.source != kPrimary) name += "/" + conversation.source;
  return name;
}

Result<store::ConversationRow> resolve_session(const Library& library, std::string_view name) {
  const std::size_t slash = name.rfind("/subagent:");
  if (slash == std::string_view::npos) return resolve_conversation(library, name);
  const std::string_view session = name.substr(0, slash);
  const std::size_t colon = session.find(':');
  if (colon != std::string_view::npos) {
    WEFT_TRY_VALUE(auto rows, library.web.conversations(
                                  {.format = std::string(session.substr(0, colon)),
                                   .session_id = std::string(session.substr(colon + 1))}));
    Foreigners(library).prefer_own(rows);
    const auto found =
        std::ranges::find(rows, name.substr(slash + 1), &store::ConversationRow::source);
    if (found != rows.end()) return *found;
  }
  return resolve_conversation(library, name);
}

Result<json::object> list_sessions(const Library& library, const SessionsOptions& options) {
  WEFT_TRY_VALUE(const auto catalogue, library.web.catalogue({}, library.keyring));
  std::vector<const store::CatalogueEntry*> sessions;
  for (const store::CatalogueEntry& entry : catalogue.entries) {
    if (entry.row.source != kPrimary) continue;
    if (options.project && !is_called_project(entry.known.facts, *options.project)) continue;
    sessions.push_back(&entry);
  }
  std::ranges::sort(sessions, [](const store::CatalogueEntry* a, const store::CatalogueEntry* b) {
    return std::pair(updated_at(*b), a->row.cid) < std::pair(updated_at(*a), b->row.cid);
  });
  const std::uint64_t begin = std::min<std::uint64_t>(options.offset, sessions.size());
  const std::uint64_t end = begin + std::min<std::uint64_t>(options.limit, sessions.size() - begin);
  Foreigners foreigners(library);
  json::array conversations;
  for (std::uint64_t i = begin; i < end; ++i) {
    if (options.control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto session, to_json(library, *sessions[i], foreigners));
    conversations.push_back(std::move(session));
    options.control.report_progress(i + 1 - begin, end - begin);
  }
  json::object answer{{"conversations", std::move(conversations)}, {"total", sessions.size()}};
  if (sessions.empty() && options.project) {
    WEFT_TRY_VALUE(auto notes, list_notes(library, {.project = options.project}));
    if (!notes.empty()) answer["notes"] = std::move(notes);
  }
  note_behind(answer, catalogue.rows);
  return answer;
}

Result<json::object> read_session_turn(const Library& library,
                                       const store::ConversationRow& conversation,
                                       std::uint64_t number) {
  WEFT_TRY_VALUE(auto exchanges, Exchanges::of(library, conversation));
  const std::size_t turns = exchanges.all().size();
  if (number >= turns) {
    return fail(
        ErrorCode::not_found,
        "there is no turn " + std::to_string(number) + " in " + session_name(conversation) +
            (turns == 0 ? ": it has none" : ": its turns are 0 to " + std::to_string(turns - 1)));
  }
  WEFT_TRY_VALUE(auto turn, read_exchange(library, exchanges.all()[number], number));
  json::object out{{"session_id", session_name(conversation)}};
  if (Foreigners(library).is_foreign_creator(conversation.created_by)) out[kForeign] = true;
  for (auto& member : turn) out[member.key()] = std::move(member.value());
  return out;
}

Result<json::object> read_session(const Library& library,
                                  const store::ConversationRow& conversation, std::uint64_t offset,
                                  std::uint64_t limit, std::uint64_t chars) {
  WEFT_TRY_VALUE(auto exchanges, Exchanges::of(library, conversation));
  const thought::KnownFacts known = read_facts(library, conversation).known;
  const std::uint64_t all = exchanges.all().size();
  std::uint64_t at = std::min(offset, all);
  const std::uint64_t end = at + std::min(limit, all - at);
  json::array turns;
  std::uint64_t used = 0;
  for (; at < end; ++at) {
    WEFT_TRY_VALUE(auto turn, read_exchange(library, exchanges.all()[at], at));
    const std::uint64_t size = canonical_json(turn).size();
    if (!turns.empty() && used + size > chars) break;
    used += size;
    turns.push_back(std::move(turn));
  }
  json::object out{{"session_id", session_name(conversation)},
                   {"title", text_or_null(title_of(library, conversation.cid, known))},
                   {"project", text_or_null(known.facts.project)},
                   {"cwd", text_or_null(known.facts.cwd)},
                   {"git_branch", text_or_null(known.facts.git_branch)},
                   {"total_turns", all},
                   {"offset", offset},
                   {"limit", limit},
                   {"turns", std::move(turns)}};
  if (Foreigners(library).is_foreign_creator(conversation.created_by)) out[kForeign] = true;
  if (at < all) out["next_offset"] = at;
  return out;
}

}  // namespace weft::query
