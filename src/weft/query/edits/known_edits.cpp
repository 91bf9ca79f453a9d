#include "weft/query/edits/known_edits.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/query/edits/call_edits.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

std::string_view file_name_of(std::string_view path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

Result<KnownEdits> known_edits(const Library& library, std::string_view file_name,
                               const QueryControl& control) {
  const auto go_on = [&](std::uint64_t done, std::uint64_t all) {
    control.report_progress(done, all);
    return !control.is_off();
  };
  auto found = library.web.edits(
      {.file_name = std::string(file_name), .keyring = library.keyring, .go_on = go_on});
  if (control.is_off()) return called_off();
  if (!found) return fail(std::move(found).error());
  KnownEdits known{.sealed = found->sealed};
  // A call may change a file more than once.
  std::map<std::tuple<Cid, Cid, std::string>, std::size_t> calls;
  for (KnownEdit& edit : found->entries) {
    const auto [call, is_new] =
        calls.try_emplace({edit.conversation, edit.request, edit.path}, known.entries.size());
    if (is_new) {
      known.entries.push_back(std::move(edit));
      continue;
    }
    std::vector<std::uint32_t>& lines = known.entries[call->second].lines;
    lines.insert(lines.end(), edit.lines.begin(), edit.lines.end());
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
  }
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
