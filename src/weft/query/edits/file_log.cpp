#include "weft/query/edits/file_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/edits/file_changes.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/edits/call_story.hpp"
#include "weft/query/edits/known_edits.hpp"
#include "weft/query/edits/same_file.hpp"

namespace weft::query {
namespace {

json::value repaired(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return json::value(repair_utf8(text, storage, repairs));
}

Result<json::object> shown_edit(const Library& library, const KnownEdit& edit,
                                CallStories& stories) {
  json::object shown{{"kind", edits::name_of(edit.kind)}, {"path", edit.path}};
  if (!edit.moved_from.empty()) shown["moved_from"] = edit.moved_from;
  WEFT_TRY_VALUE(auto texts, read_edit(library, edit));
  edits::FileChanges changes;
  for (edits::Edit& text : texts) changes.add(std::move(text));
  std::uint64_t added = 0, removed = 0;
  for (const edits::Hunk& hunk : changes.hunks()) {
    for (const edits::DiffLine& line : hunk.lines) {
      added += line.sign == '+';
      removed += line.sign == '-';
    }
  }
  shown["added"] = added;
  shown["removed"] = removed;
  WEFT_TRY(stories.add(edit.conversation, edit.request, shown));
  if (edit.result) shown["result_cid"] = edit.result->str();
  return shown;
}

}  // namespace

Result<json::object> file_log(const Library& library, const std::filesystem::path& path,
                              const FileLogOptions& options) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, failed), failed);
  WEFT_TRY_VALUE(const auto repository, git::find_repository(real));
  const std::string name = repository ? path_in(*repository, real) : real.string();
  WEFT_TRY_VALUE(auto known, known_edits(library, file_name_of(name), options.control));
  SameFile is_same(repository, real);
  std::set<std::pair<Cid, std::string>> seen;
  std::erase_if(known.entries, [&](const KnownEdit& edit) {
    if (edit.is_copy || !seen.emplace(edit.request, edit.path).second) return true;
    const Result<store::ConversationRow> row = library.web.conversation(edit.conversation);
    const std::string directory =
        row ? read_facts(library, *row).known.facts.cwd.value_or("") : std::string();
    return !is_same(edit.path, directory, name) &&
           (edit.moved_from.empty() || !is_same(edit.moved_from, directory, name));
  });
  json::object answer{{"path", repaired(name)}};
  if (repository) answer["repository"] = repaired(repository->root.string());
  answer["total"] = known.entries.size();
  json::array shown;
  CallStories stories(library);
  for (const KnownEdit& edit : std::views::reverse(known.entries)) {
    if (shown.size() == options.limit) break;
    if (options.control.is_off()) return called_off();
    WEFT_TRY_VALUE(auto one, shown_edit(library, edit, stories));
    shown.push_back(std::move(one));
  }
  answer["edits"] = std::move(shown);
  if (known.sealed > 0) {
    answer["notes"] = json::array{json::string(
        fmt::format("{} calls are sealed: this keyring does not open them", known.sealed))};
  }
  return answer;
}

}  // namespace weft::query
