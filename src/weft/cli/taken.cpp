#include "weft/cli/taken.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/cli/figures.hpp"
#include "weft/cli/gist.hpp"
#include "weft/cli/table.hpp"
#include "weft/cli/text.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

// Of more than this many the rest is counted; --json has them all.
constexpr std::size_t kShownConversations = 20;
constexpr std::size_t kShownSkipped = 20;

std::uint64_t number(const json::object& object, std::string_view key) {
  const json::value* value = find_member(object, key);
  if (value != nullptr && value->is_uint64()) return value->get_uint64();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, find_int(object, key).value_or(0)));
}

std::string conversations_table(const json::array& conversations, const Style& style) {
  Table table({{.colour = Colour::cyan},
               {.align = Align::right},
               {.align = Align::right},
               {.align = Align::right},
               {.flexible = true}});
  for (std::size_t i = 0; i < std::min(kShownConversations, conversations.size()); ++i) {
    const json::object& row = conversations[i].as_object();
    table.add(
        {"  " + brief(find_string(row, "conversation_cid").value_or("")),
         count(number(row, "turn_count"), "turn"), count(number(row, "thought_count"), "thought"),
         count(number(row, "new_thoughts")) + " new",
         first_words(
             find_string(row, "title").value_or(find_string(row, "session_id").value_or("")))});
  }
  std::string out = table.str(style);
  if (conversations.size() > kShownConversations) {
    out += fmt::format("  … and {} more\n", count(conversations.size() - kShownConversations));
  }
  return out;
}

std::string skipped_lines(const json::array& skipped, const Style& style) {
  if (skipped.empty()) return "";
  std::string out = style.paint(Colour::yellow, "skipped: " + count(skipped.size())) + "\n";
  for (std::size_t i = 0; i < std::min(kShownSkipped, skipped.size()); ++i) {
    const json::object& entry = skipped[i].as_object();
    out += "  " + on_one_line(find_string(entry, "file").value_or(""));
    if (const std::uint64_t line = number(entry, "line"); line > 0) out += fmt::format(":{}", line);
    out += ": " + on_one_line(find_string(entry, "reason").value_or("")) + "\n";
  }
  if (skipped.size() > kShownSkipped) {
    out += fmt::format("  … and {} more (--json lists them all)\n",
                       count(skipped.size() - kShownSkipped));
  }
  return out;
}

}  // namespace

Result<json::object> to_json(const ingest::Report& report, const query::Library& library,
                             std::int64_t elapsed_ms) {
  json::array conversations, skipped, warnings;
  std::uint64_t thoughts = 0;
  for (const ingest::TakenConversation& taken : report.conversations) {
    Result<store::ConversationRow> row = library.store.conversation(taken.cid);
    if (!row) return fail(std::move(row).error());
    thoughts += row->thought_count;
    conversations.push_back({{"conversation_cid", taken.cid.str()},
                             {"session_id", row->session_id},
                             {"format", row->format},
                             {"title", query::describe(library, *row).at("title")},
                             {"turn_count", row->turn_count},
                             {"thought_count", row->thought_count},
                             {"new_thoughts", taken.new_thoughts}});
  }
  for (const ingest::Skipped& entry : report.skipped) {
    skipped.push_back({{"file", entry.file}, {"line", entry.line}, {"reason", entry.reason}});
  }
  for (const std::string& warning : report.warnings) warnings.emplace_back(warning);
  return json::object{{"conversations", std::move(conversations)},
                      {"files", report.files},
                      {"bytes", report.bytes},
                      {"thought_count", thoughts},
                      {"new_thoughts", report.new_thoughts},
                      {"skipped", std::move(skipped)},
                      {"warnings", std::move(warnings)},
                      {"elapsed_ms", elapsed_ms}};
}

std::string to_summary(const json::object& answer, const Style& style) {
  const json::array& conversations = answer.at("conversations").as_array();
  const std::uint64_t added = number(answer, "new_thoughts");
  std::string out;
  if (conversations.empty()) {
    out = style.paint(Colour::red, "nothing could be taken in") + "\n";
  } else {
    out = fmt::format(
        "took in {} from {} ({}) in {}: {} new\n", count(conversations.size(), "conversation"),
        count(number(answer, "files"), "file"), byte_size(number(answer, "bytes")),
        duration(static_cast<std::int64_t>(number(answer, "elapsed_ms"))), count(added, "thought"));
    out += conversations_table(conversations, style);
  }
  for (const json::value& warning : answer.at("warnings").as_array()) {
    out += style.paint(Colour::yellow, "warning") + ": " + on_one_line(view(warning.as_string())) +
           "\n";
  }
  return out + skipped_lines(answer.at("skipped").as_array(), style);
}

}  // namespace weft::cli
