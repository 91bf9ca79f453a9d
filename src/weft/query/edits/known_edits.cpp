#include "weft/query/edits/known_edits.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/call_edits.hpp"
#include "weft/query/edits/call_reader.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

std::string_view file_name_of(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

// Reads every conversation: right, and slow in a large store.
Result<KnownEdits> known_edits(const Library& library, std::string_view file_name,
                               const QueryControl& control) {
  WEFT_TRY_VALUE(auto conversations, library.web.conversations({}));
  // The origin of a fork comes before it: both began at the same time, but it was stored first.
  std::ranges::reverse(conversations);
  std::ranges::stable_sort(conversations, {}, &store::ConversationRow::created_at);
  KnownEdits known;
  std::unordered_set<Cid> calls;
  std::unordered_set<std::string> seen;  // calls and paths
  CallReader reader(library, control, [&](MadeEdit made) {
    const edits::Edit& edit = made.edit;
    if (file_name_of(edit.path) != file_name && file_name_of(edit.moved_from) != file_name) return;
    const bool is_new =
        seen.insert(made.conversation.str() + made.request.str() + edit.path).second;
    if (!is_new) return;
    known.entries.push_back({.conversation = made.conversation,
                             .request = made.request,
                             .result = made.result,
                             .time = made.time,
                             .kind = edit.kind,
                             .path = edit.path,
                             .moved_from = edit.moved_from,
                             .is_user_modified = edit.is_user_modified,
                             .lines = edits::written_lines(edit)});
  });
  std::uint64_t done = 0;
  for (const store::ConversationRow& conversation : conversations) {
    if (control.is_off()) return called_off();
    const std::size_t first = known.entries.size();
    WEFT_TRY(reader.read(conversation));
    for (std::size_t i = first; i < known.entries.size(); ++i) {
      known.entries[i].is_copy = calls.contains(known.entries[i].request);
    }
    for (std::size_t i = first; i < known.entries.size(); ++i) {
      calls.insert(known.entries[i].request);
    }
    control.report_progress(++done, conversations.size());
  }
  known.sealed = reader.sealed();
  std::ranges::stable_sort(known.entries, {}, &KnownEdit::time);
  return known;
}

Result<std::vector<edits::Edit>> read_edit(const Library& library, const KnownEdit& known) {
  WEFT_TRY_VALUE(const auto request, library.web.get_without_path(known.request));
  const json::object asked = thought::open_content(request, library.keyring);
  std::optional<json::object> outcome;
  if (known.result) {
    WEFT_TRY_VALUE(const auto result, library.web.get_without_path(*known.result));
    outcome = thought::open_content(result, library.keyring);
  }
  std::vector<edits::Edit> edits = edits_in(asked, outcome ? &*outcome : nullptr);
  std::erase_if(edits, [&](const edits::Edit& edit) { return edit.path != known.path; });
  return edits;
}

}  // namespace weft::query
