#include "weft/cli/render/rendering.hpp"

#include <fmt/format.h>

#include <vector>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/render/trace_tree.hpp"

namespace weft::cli {
Answer closed(ListDocument& document, const Status& outcome, json::object back) {
  if (outcome) {
    document.close(back);
    return Exit::done;
  }
  if (!document.has_begun()) return refuse(outcome.error());
  back["error"] =
      json::object{{"code", to_string(outcome.error().code)}, {"message", outcome.error().message}};
  document.close(back);
  return Exit::failure;
}

Answer print_trace(const Context& context, const query::Library& library, const Cid& cid,
                   Traced traced, const query::TraceOptions& options, json::object front,
                   std::size_t rows) {
  const auto trace = traced == Traced::causes ? query::why : query::effects;
  if (context.json()) {
    ListDocument document(context.out(), context.layout(), std::move(front), "thoughts");
    const Result<bool> cut =
        trace(library, cid, options, [&](const json::object& thought) { document.add(thought); });
    const Status outcome = cut ? Status() : fail(cut.error());
    return closed(document, outcome, {{"truncated", cut.value_or(true)}});
  }
  TraceTree tree(library);
  Result<bool> cut =
      trace(library, cid, options, [&](const json::object& thought) { tree.add(thought); });
  tree.draw(context, rows);
  if (!cut) return refuse(std::move(cut).error());
  if (*cut) {
    context.note("cut off after " + count(tree.size(), "thought") + "; there are more " +
                 (traced == Traced::causes ? "causes" : "effects") + " (--depth, --limit)");
  }
  return Exit::done;
}

std::size_t rows_for_trace(const Context& context) {
  constexpr std::size_t kUnknown = 40;
  // The prompt of the shell, and the lines after the tree.
  constexpr std::size_t kOthers = 4;
  if (!is_terminal(context.out())) return TraceTree::kAllRows;
  const std::size_t screen = terminal_rows(context.out()).value_or(kUnknown);
  return screen > kOthers ? screen - kOthers : screen;
}

std::string check_time(const std::string& text) {
  return parse_moment(text, Bound::since, machine_clock()) ? std::string() : not_a_moment(text);
}

void print_standing(const Context& context, const json::object& standing) {
  if (context.json()) return;
  const auto project = find_string(standing, "project");
  context.note(fmt::format(
      "turn {} of {}{}{}", count_or_zero(standing, "turn"),
      first_words(find_string(standing, "title").value_or("(untitled)")),
      project ? ", project " + std::string(*project) : "",
      ", conversation " + brief(find_string(standing, "conversation_cid").value_or(""))));
}

void print_notes(const Context& context, const json::object& answer) {
  if (const json::array* notes = find_array(answer, "notes")) {
    for (const json::value& note : *notes) context.note(view(note.as_string()));
  }
  if (const json::object* behind = find_object(answer, "behind")) {
    context.note(fmt::format(
        "this took longer because the tables have only {} of {} so far: weft ingest or weft "
        "reindex completes them",
        count(count_or_zero(*behind, "done")),
        count(count_or_zero(*behind, "all"), "conversation")));
  }
}

}  // namespace weft::cli
