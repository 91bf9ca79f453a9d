#include "weft/cli/follow/watch_output.hpp"

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

std::string member(const json::object& description, std::string_view key) {
  return std::string(find_string(description, key).value_or(""));
}

// {event: "grew", time, conversation_cid, session_id, format, source, project, title, turn_count,
// thought_count, new_thoughts}
json::object to_json(const query::Library& library, const query::GrownConversation& grown,
                     Millis now) {
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

// One line for people: time, format, project, title, number of new thoughts; safe for a terminal.
std::string to_line(const query::Library& library, const query::GrownConversation& grown,
                    Millis now, const Style& style) {
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
    const std::size_t used = display_width(front) + display_width(back) + 1;
    middle = fitted(middle, style.width > used + 8 ? style.width - used : 8);
  }
  return style.paint(Colour::faint, front) + middle + style.paint(Colour::green, back);
}

}  // namespace

void WatchOutput::following(const ingest::Report& report) {
  if (context_.json()) {
    return put({{"event", "following"},
                {"time", to_iso8601(now())},
                {"conversations", report.conversations.size()},
                {"files", report.files},
                {"new_thoughts", report.new_thoughts}});
  }
  const std::string used = report.new_thoughts == 0
                               ? "nothing new so far"
                               : "ingested " + count(report.conversations.size(), "conversation") +
                                     ", " + count(report.new_thoughts, "thought") + " new";
  context_.note(used + "; following changes, until Ctrl-C");
}

void WatchOutput::waiting() {
  if (context_.json()) return put({{"event", "waiting"}, {"time", to_iso8601(now())}});
  context_.note(
      "another weft process ingests these sources; this one reports what it adds, and takes over "
      "when it exits");
}

void WatchOutput::serving(const std::string& url) {
  if (context_.json()) put({{"event", "serving"}, {"time", to_iso8601(now())}, {"url", url}});
}

void WatchOutput::grew(const query::GrownConversation& grown) {
  if (context_.json()) return put(to_json(library_, grown, now()));
  together([&] { context_.print(to_line(library_, grown, now(), context_.style()) + "\n"); });
}

void WatchOutput::put(const json::object& line) {
  together([&] { context_.print_json_line(line); });
}

void WatchOutput::together(const std::function<void()>& print) {
  const std::scoped_lock lock(mutex_);
  print();
  std::fflush(context_.out());
}

}  // namespace weft::cli
