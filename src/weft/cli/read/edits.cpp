#include "weft/cli/read/edits.hpp"

#include "weft/edits/line_diff.hpp"
#include "weft/edits/shape.hpp"

namespace weft::cli {
namespace {

// All lines of an edit are shown, because it is short compared to its file.
constexpr std::size_t kAllLines = 1u << 30;

void add_difference(Edits& shown, std::string_view before, std::string_view after) {
  if (!shown.lines.empty() && shown.lines.back().sign != '@') shown.lines.push_back({'@', "…"});
  for (const edits::Hunk& hunk : edits::diff_lines(before, after, kAllLines)) {
    for (const edits::DiffLine& line : hunk.lines) {
      shown.added += line.sign == '+' ? 1u : 0u;
      shown.removed += line.sign == '-' ? 1u : 0u;
      shown.lines.push_back({line.sign, std::string(line.text)});
    }
  }
}

std::string heading_of(const edits::Edit& edit) {
  switch (edit.kind) {
    case edits::Edit::Kind::write: return "write " + edit.path;
    case edits::Edit::Kind::remove: return "remove " + edit.path;
    case edits::Edit::Kind::move: return "move " + edit.moved_from + " to " + edit.path;
    case edits::Edit::Kind::change: break;
  }
  return "change " + edit.path;
}

}  // namespace

Edits edits_of(const json::object& content) {
  Edits shown;
  const json::value* input = find_member(content, "input");
  if (input == nullptr) return shown;
  const json::object* arguments = input->if_object();
  const bool has_path = arguments != nullptr && edits::path_of(*arguments).has_value();
  const edits::Call call{.tool = find_string(content, "tool_name").value_or(""), .input = *input};
  for (const edits::Edit& edit : edits::edits_of(call)) {
    if (!has_path) shown.lines.push_back({'@', heading_of(edit)});
    if (edit.after) add_difference(shown, "", *edit.after);
    for (const edits::Change& change : edit.changes) {
      add_difference(shown, change.before, change.after);
    }
  }
  return shown;
}

}  // namespace weft::cli
