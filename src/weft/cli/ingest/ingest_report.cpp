#include "weft/cli/ingest/ingest_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

// Beyond this number the rest is only counted; --json lists them all.
constexpr std::size_t kShownConversations = 20;
constexpr std::size_t kShownSkipped = 20;

std::string conversations_table(const json::array& conversations, const Style& style) {
  Table table({{.colour = Colour::cyan},
               {.align = Align::right},
               {.align = Align::right},
               {.align = Align::right},
               {.flexible = true}});
  std::size_t changed = 0;
  for (const json::value& value : conversations) {
    const json::object& row = value.as_object();
    if (count_or_zero(row, "new_thoughts") == 0 || ++changed > kShownConversations) continue;
    table.add(
        {"  " + brief(find_string(row, "conversation_cid").value_or("")),
         count(count_or_zero(row, "turn_count"), "turn"),
         count(count_or_zero(row, "thought_count"), "thought"),
         count(count_or_zero(row, "new_thoughts")) + " new",
         first_words(
             find_string(row, "title").value_or(find_string(row, "session_id").value_or("")))});
  }
  std::string out = table.str(style);
  if (changed > kShownConversations) {
    out += fmt::format("  … and {} more\n", count(changed - kShownConversations));
  }
  return out;
}

// Problems with a file or a line are listed one by one; records that a format always leaves out are
// counted.
bool is_wrong(std::string_view reason, std::uint64_t line) {
  return line == 0 || reason.starts_with("malformed") || reason.starts_with("too large") ||
         reason.starts_with("incomplete");
}

std::string skipped_lines(const json::array& skipped, const Style& style, bool verbose) {
  if (skipped.empty()) return "";
  std::map<std::string, std::uint64_t> counted;
  std::string named;
  std::uint64_t usual = 0, wrong = 0;
  for (const json::value& value : skipped) {
    const json::object& entry = value.as_object();
    const std::string reason = on_one_line(find_string(entry, "reason").value_or(""));
    const std::uint64_t line = count_or_zero(entry, "line");
    const std::uint64_t times = std::max<std::uint64_t>(1, count_or_zero(entry, "count"));
    if (!is_wrong(reason, line)) {
      usual += times;
      counted[reason] += times;
    } else if (++wrong <= kShownSkipped) {
      named += "  " + on_one_line(find_string(entry, "file").value_or(""));
      if (line > 0) named += fmt::format(":{}", line);
      named += ": " + reason + "\n";
    }
  }
  std::string out;
  if (wrong > 0) out = style.paint(Colour::yellow, "skipped: " + count(wrong)) + "\n" + named;
  if (wrong > kShownSkipped) {
    out += fmt::format("  … and {} more (--json lists them)\n", count(wrong - kShownSkipped));
  }
  // Tools write much that is no part of a conversation. It is no fault, and is said in one line.
  if (usual == 0) return out;
  out += count(usual, "bookkeeping record") + " of the tools " + (usual == 1 ? "holds" : "hold") +
         " no words" + (verbose ? ":" : " (--verbose lists them)") + "\n";
  if (!verbose) return out;
  for (const auto& [reason, times] : counted) {
    out += fmt::format("  {}: {}\n", reason, count(times, "record"));
  }
  return out;
}

}  // namespace

std::string to_summary(const json::object& answer, std::string_view when_empty, const Style& style,
                       bool verbose) {
  const json::array& conversations = answer.at("conversations").as_array();
  const std::uint64_t added = count_or_zero(answer, "new_thoughts");
  std::string out;
  if (conversations.empty()) {
    out = std::string(when_empty) + "\n";
  } else if (added == 0) {
    out = fmt::format("nothing new in {} ({}), checked in {}\n",
                      count(count_or_zero(answer, "files"), "file"),
                      count(conversations.size(), "conversation"),
                      duration(static_cast<std::int64_t>(count_or_zero(answer, "elapsed_ms"))));
  } else {
    out = fmt::format(
        "ingested {} from {} ({}) in {}: {} new\n", count(conversations.size(), "conversation"),
        count(count_or_zero(answer, "files"), "file"), byte_size(count_or_zero(answer, "bytes")),
        duration(static_cast<std::int64_t>(count_or_zero(answer, "elapsed_ms"))),
        count(added, "thought"));
    out += conversations_table(conversations, style);
  }
  for (const json::value& warning : answer.at("warnings").as_array()) {
    out += style.paint(Colour::yellow, "warning") + ": " + on_one_line(view(warning.as_string())) +
           "\n";
  }
  return out + skipped_lines(answer.at("skipped").as_array(), style, verbose);
}

}  // namespace weft::cli
