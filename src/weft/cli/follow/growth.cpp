#include "weft/cli/follow/growth.hpp"

#include <algorithm>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

std::string member(const json::object& description, std::string_view key) {
  return std::string(find_string(description, key).value_or(""));
}

}  // namespace

Status Growth::settle() {
  const Result<std::vector<store::ConversationRow>> rows = library_.store.conversations({});
  if (!rows) return fail(rows.error());
  known_.clear();
  for (const store::ConversationRow& row : *rows) known_[row.cid] = row.thought_count;
  return {};
}

Result<std::vector<Grown>> Growth::look() {
  Result<std::vector<store::ConversationRow>> rows = library_.store.conversations({});
  if (!rows) return fail(std::move(rows).error());
  std::vector<Grown> grown;
  for (store::ConversationRow& row : *rows) {
    std::uint64_t& known = known_[row.cid];
    const std::uint64_t before = std::exchange(known, row.thought_count);
    if (row.thought_count > before) {
      const std::uint64_t added = row.thought_count - before;
      grown.push_back({.row = std::move(row), .new_thoughts = added});
    }
  }
  std::ranges::reverse(grown);
  return grown;
}

json::object to_json(const query::Library& library, const Grown& grown, Millis now) {
  const store::ConversationRow& row = grown.row;
  const json::object description = query::describe(library, row);
  return {{"event", "grew"},
          {"time", to_iso8601(now)},
          {"conversation_cid", row.cid.str()},
          {"session_id", row.session_id},
          {"format", row.format},
          {"source", row.source},
          {"project", description.at("project")},
          {"title", description.at("title")},
          {"turn_count", row.turn_count},
          {"thought_count", row.thought_count},
          {"new_thoughts", grown.new_thoughts}};
}

std::string to_line(const query::Library& library, const Grown& grown, Millis now,
                    const Style& style) {
  const json::object description = query::describe(library, grown.row);
  const std::string project = on_one_line(member(description, "project"));
  std::string title = first_words(member(description, "title"));
  if (title.empty()) title = on_one_line(grown.row.session_id);
  const std::string source =
      grown.row.source == "primary" ? "" : " (" + on_one_line(grown.row.source) + ")";
  const std::string front = local_time(now) + "  " + on_one_line(grown.row.format) + "  " +
                            (project.empty() ? "-" : project) + "  ";
  const std::string back = "  +" + count(grown.new_thoughts, "thought");
  std::string middle = title + source;
  if (style.width != Style::kUnlimited) {
    const std::size_t taken = display_width(front) + display_width(back) + 1;
    middle = fitted(middle, style.width > taken + 8 ? style.width - taken : 8);
  }
  return style.paint(Colour::faint, front) + middle + style.paint(Colour::green, back);
}

}  // namespace weft::cli
