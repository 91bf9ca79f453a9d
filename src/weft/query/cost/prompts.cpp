#include "weft/query/cost/prompts.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/try.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

// The main conversation of a session; the row itself if there is none.
Result<store::ConversationRow> main_of(const Library& library, const store::ConversationRow& row) {
  if (row.source == "primary") return row;
  WEFT_TRY_VALUE(const auto rows,
                 library.web.conversations({.format = row.format, .session_id = row.session_id}));
  const auto found = std::ranges::find_if(rows, [&](const store::ConversationRow& other) {
    return other.source == "primary" && other.created_by == row.created_by;
  });
  return found == rows.end() ? row : *found;
}

}  // namespace

const Prompt* Prompts::before(std::optional<Millis> time) const {
  if (!time) return nullptr;
  const auto after = std::ranges::upper_bound(prompts, *time, {}, &Prompt::time);
  return after == prompts.begin() ? nullptr : &*std::prev(after);
}

Result<Prompts> find_prompts(const Library& library, const store::ConversationRow& row) {
  WEFT_TRY_VALUE(const auto main, main_of(library, row));
  Prompts found{.conversation = main.cid};
  WEFT_TRY_VALUE(
      const auto cids,
      library.web.find_blocks(main.cid, "human_input", std::numeric_limits<std::uint32_t>::max()));
  for (const Cid& cid : cids) {
    WEFT_TRY_VALUE(const auto thought, library.web.get_without_path(cid));
    const json::object content = open_content(library, thought);
    found.prompts.push_back({.cid = cid,
                             .time = thought.created_at,
                             .text = first_words(find_string(content, "text").value_or(""))});
  }
  std::ranges::stable_sort(found.prompts, {}, &Prompt::time);
  return found;
}

}  // namespace weft::query
