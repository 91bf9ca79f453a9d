#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/ask/list_notes.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

using thought::KnownFacts;

struct Listed {
  store::ConversationRow row;
  KnownFacts known;
  Millis updated_at = 0;
};

json::object to_json(const Library& library, const Listed& listed, Foreigners& foreigners) {
  const auto& [row, known, updated_at] = listed;
  json::object shown{{"cid", row.cid.str()},
                     {"session_id", row.session_id},
                     {"format", row.format},
                     {"source", row.source},
                     {"project", text_or_null(known.facts.project)},
                     {"cwd", text_or_null(known.facts.cwd)},
                     {"git_branch", text_or_null(known.facts.git_branch)},
                     {"title", text_or_null(title_of(library, row.cid, known))},
                     {"summary", text_or_null(known.facts.summary)},
                     {"created_at", row.created_at},
                     {"updated_at", updated_at},
                     {"turn_count", row.turn_count},
                     {"thought_count", row.thought_count},
                     {"models", json::array(known.models.begin(), known.models.end())}};
  if (foreigners.is_foreign_creator(row.created_by)) shown[kForeign] = true;
  return shown;
}

Listed listed_of(const Library& library, store::ConversationRow row) {
  Listed item{std::move(row), {}, 0};
  item.known = read_facts(library, item.row).known;
  item.updated_at = item.known.facts.updated_at.value_or(item.row.created_at);
  return item;
}

}  // namespace

json::object describe(const Library& library, const store::ConversationRow& conversation) {
  Foreigners foreigners(library);
  return to_json(library, listed_of(library, conversation), foreigners);
}

Result<json::object> list(const Library& library, const ListOptions& options) {
  WEFT_TRY_VALUE(auto rows, library.web.conversations({.format = options.format}));
  std::vector<Listed> listed;
  for (store::ConversationRow& row : rows) {
    Listed item = listed_of(library, std::move(row));
    if (item.known.facts.internal && !options.internal) continue;
    if (options.project && item.known.facts.project != options.project) continue;
    if (options.since && item.updated_at < *options.since) continue;
    listed.push_back(std::move(item));
  }
  std::ranges::stable_sort(listed, [](const Listed& a, const Listed& b) {
    return std::pair(b.updated_at, a.row.cid) < std::pair(a.updated_at, b.row.cid);
  });
  json::array conversations;
  Foreigners foreigners(library);
  for (std::uint64_t i = options.offset; i < listed.size() && i - options.offset < options.limit;
       ++i) {
    conversations.push_back(to_json(library, listed[i], foreigners));
  }
  json::object answer{{"conversations", std::move(conversations)}, {"total", listed.size()}};
  if (listed.empty()) {
    WEFT_TRY_VALUE(auto notes, list_notes(library, options));
    if (!notes.empty()) answer["notes"] = std::move(notes);
  }
  return answer;
}

}  // namespace weft::query
