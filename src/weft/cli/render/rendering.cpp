#include "weft/cli/render/rendering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/render/tree.hpp"

namespace weft::cli {
namespace {

// The tree of a trace: each thought hangs under the one from which it was reached.
class TraceTree {
 public:
  // What the library points to outlives it.
  explicit TraceTree(const query::Library& library) : library_(library), names_(library) {}

  void add(const json::object& thought) {
    const std::size_t node = tree_.size();
    tree_.emplace_back();
    const std::string date = local_date(find_int(thought, "created_at").value_or(0));
    if (node == 0) date_ = date;
    // The day of the first line holds for every line that does not show another.
    const bool same_day = node > 0 && date == date_;
    ThoughtLine line = line_of(thought, names_, same_day ? When::time : When::date_and_time);
    line.words = subagent_sign(thought) + line.words;
    lines_.push_back(std::move(line));
    if (node > 0) tree_[nodes_[text_of(thought, "reached_from")]].push_back(node);
    nodes_.emplace(text_of(thought, "cid"), node);
  }

  void draw(const Context& context) const {
    const Style& style = context.style();
    constexpr std::size_t kRoomForWords = 90;
    TreeStyle layout{.width = style.width};
    if (style.width < Style::kUnlimited) {
      // Three columns a level, with room left for a line.
      const std::size_t room = style.width > kRoomForWords ? style.width - kRoomForWords : 0;
      layout.max_levels = std::clamp<std::size_t>(room / 3, 8, 16);
    }
    draw_tree(
        tree_, layout,
        [&](std::size_t node, std::size_t columns) { return lines_[node].str(style, columns); },
        [&](std::string_view line) { context.print(line); });
  }

  std::size_t size() const { return tree_.size(); }

 private:
  static std::string text_of(const json::object& thought, std::string_view member) {
    return std::string(find_string(thought, member).value_or(""));
  }

  // "(subagent a7d3) " where the trace enters a subagent.
  std::string subagent_sign(const json::object& thought) const {
    constexpr std::string_view kSubagent = "subagent:";
    const std::string edge = text_of(thought, "reached_by");
    const Result<Cid> cid = Cid::parse(text_of(thought, "cid"));
    if ((edge != "spawns" && edge != "returns") || !cid) return {};
    const Result<std::vector<Cid>> holders = library_.web.conversations_of(*cid);
    for (const Cid& holder : holders.value_or(std::vector<Cid>())) {
      const Result<store::ConversationRow> row = library_.web.conversation(holder);
      if (!row || !row->source.starts_with(kSubagent)) continue;
      return "(subagent " + on_one_line(row->source.substr(kSubagent.size())) + ") ";
    }
    return {};
  }

  const query::Library& library_;
  Names names_;
  std::string date_;  // of the first thought
  Tree tree_;
  std::vector<ThoughtLine> lines_;
  std::unordered_map<std::string, std::size_t> nodes_;  // by CID
};

}  // namespace

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
                   Traced traced, const query::TraceOptions& options, json::object front) {
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
  tree.draw(context);
  if (!cut) return refuse(std::move(cut).error());
  if (*cut) {
    context.note("cut off after " + count(tree.size(), "thought") + "; there are more " +
                 (traced == Traced::causes ? "causes" : "effects") + " (--depth, --limit)");
  }
  return Exit::done;
}

std::string check_time(const std::string& text) {
  return parse_moment(text, Bound::since, machine_clock()) ? std::string() : not_a_moment(text);
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
