#include "weft/cli/read/changes_text.hpp"

#include <fmt/format.h>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kShortSha = 7, kUpToMinutes = 16;

// A text of a repository on one line; empty if there is none.
std::string member_text(const json::object& object, std::string_view name) {
  return on_one_line(find_string(object, name).value_or(""));
}

void print_rows(const Context& context, const std::string& heading,
                const std::vector<std::string>& rows) {
  const Style& style = context.style();
  context.print(style.paint(Colour::bold, heading) + "\n");
  for (const std::string& row : rows) {
    context.print(fitted("  " + row, style.width) + "\n");
  }
}

std::string edit_row(const json::object& edit) {
  std::string row = fmt::format(
      "{}  {}  {:<6}  {}", brief(member_text(edit, "request_cid")),
      local_date_time(find_int(edit, "time").value_or(0)).substr(0, kUpToMinutes),
      member_text(edit, "kind"), member_text(edit, edit.contains("file") ? "file" : "path"));
  if (!edit.contains("file")) row += edit.contains("repository") ? "  (removed since)" : "";
  const json::array* commits = find_array(edit, "commits");
  if (commits == nullptr) return row;
  row += "  in";
  for (const json::value& sha : *commits) {
    row += " " + std::string(view(sha.get_string()).substr(0, kShortSha));
  }
  return row;
}

std::string commit_row(const json::object& commit) {
  return fmt::format("{}  {}  {}  {}", member_text(commit, "sha").substr(0, kShortSha),
                     local_date(find_int(commit, "author_time").value_or(0)),
                     member_text(commit, "author"), member_text(commit, "subject"));
}

std::string line_row(const json::object& line) {
  const auto first = count_or_zero(line, "first"), last = count_or_zero(line, "last");
  const std::string commit = member_text(line, "commit").substr(0, kShortSha);
  return fmt::format("{}:{}{}  {}  by {}  {} ({})", member_text(line, "path"), first,
                     first == last ? "" : fmt::format("-{}", last),
                     commit.empty() ? "not committed" : fmt::format("in {}", commit),
                     brief(member_text(line, "request_cid")), member_text(line, "rule"),
                     member_text(line, "sure"));
}

template <class Row>
std::vector<std::string> rows_of(const json::object& changes, std::string_view list, Row row) {
  std::vector<std::string> rows;
  for (const json::value& one : changes.at(list).as_array()) rows.push_back(row(one.get_object()));
  return rows;
}

}  // namespace

void print_changes(const Context& context, const json::object& changes) {
  const std::vector<std::string> edits = rows_of(changes, "edits", edit_row);
  if (edits.empty()) {
    context.print("no tool call here changed a file\n");
    return;
  }
  print_rows(context, "edits", edits);
  const std::vector<std::string> commits = rows_of(changes, "commits", commit_row);
  if (!commits.empty()) print_rows(context, "commits", commits);
  const std::uint64_t alive = count_or_zero(changes, "alive"),
                      weak = count_or_zero(changes, "weak");
  std::string heading = fmt::format("lines that stand today: {}", alive);
  if (weak > 0) heading += fmt::format(", and {} perhaps", weak);
  print_rows(context, heading, rows_of(changes, "lines", line_row));
  print_notes(context, changes);
}

}  // namespace weft::cli
