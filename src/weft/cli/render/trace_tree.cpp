#include "weft/cli/render/trace_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kLeastRows = 8;
// What a row needs besides its place in the tree: kind, CID and a few words.
constexpr std::size_t kRoomForRow = 46;

std::string text_in(const json::object& thought, std::string_view member) {
  return std::string(find_string(thought, member).value_or(""));
}

bool is_tool(const std::string& kind) { return kind.starts_with("tool_"); }
bool is_prompt(const std::string& kind) { return kind == "human_input"; }
bool is_reasoning(const std::string& kind) { return kind.find("thinking") != std::string::npos; }

}  // namespace

void TraceTree::add(const json::object& thought) {
  const bool is_first = nodes_.empty();
  const std::string date = local_date(find_int(thought, "created_at").value_or(0));
  if (is_first) date_ = date;
  // The day of the first line holds for every line that does not show another.
  const bool same_day = !is_first && date == date_;
  Node node{.line = line_of(thought, names_, same_day ? When::time : When::date_and_time)};
  node.line.words = subagent_sign(thought) + node.line.words;
  if (!is_first) node.parent = by_cid_[text_in(thought, "reached_from")];
  node.depth = is_first ? 0 : nodes_[node.parent].depth + 1;
  by_cid_.emplace(text_in(thought, "cid"), nodes_.size());
  nodes_.push_back(std::move(node));
}

// "(subagent a7d3) " where the trace enters a subagent.
std::string TraceTree::subagent_sign(const json::object& thought) const {
  constexpr std::string_view kSubagent = "subagent:";
  const std::string edge = text_in(thought, "reached_by");
  const Result<Cid> cid = Cid::parse(text_in(thought, "cid"));
  if ((edge != "spawns" && edge != "returns") || !cid) return {};
  const Result<std::vector<Cid>> holders = library_.web.conversations_of(*cid);
  for (const Cid& holder : holders.value_or(std::vector<Cid>())) {
    const Result<store::ConversationRow> row = library_.web.conversation(holder);
    if (!row || !row->source.starts_with(kSubagent)) continue;
    return "(subagent " + on_one_line(row->source.substr(kSubagent.size())) + ") ";
  }
  return {};
}

// Parents come before their children in nodes_. A thought that is not shown joins the row of its
// parent's other thoughts that are not shown, or that of its parent if that is not shown either.
TraceTree::Drawing TraceTree::fold(const std::vector<bool>& shown) const {
  Drawing drawing;
  std::vector<std::size_t> row_of(nodes_.size());
  std::unordered_map<std::size_t, std::size_t> fold_below;  // by the row that it hangs under
  std::vector<bool> is_fold;
  const auto add_row = [&](std::size_t node, bool folds, std::optional<std::size_t> parent) {
    drawing.rows.push_back({.node = node});
    drawing.tree.emplace_back();
    is_fold.push_back(folds);
    if (parent) drawing.tree[*parent].push_back(drawing.rows.size() - 1);
    return drawing.rows.size() - 1;
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i == 0) {
      row_of[i] = add_row(i, false, std::nullopt);
      continue;
    }
    const std::size_t above = row_of[nodes_[i].parent];
    if (shown[i]) {
      row_of[i] = add_row(i, false, above);
      continue;
    }
    if (is_fold[above]) {
      row_of[i] = above;
    } else if (const auto found = fold_below.find(above); found != fold_below.end()) {
      row_of[i] = found->second;
    } else {
      row_of[i] = add_row(i, true, above);
      fold_below[above] = row_of[i];
    }
    drawing.rows[row_of[i]].folded.push_back(i);
  }
  return drawing;
}

// Which thoughts have a row of their own: as many as fit. First runs of tool calls are folded, then
// reasoning, then answers on the way; at last only the nearest thoughts are shown.
std::vector<bool> TraceTree::chosen(std::size_t rows) const {
  constexpr std::size_t kNear = 2;  // direct causes, and theirs
  std::optional<std::size_t> nearest, first;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (!is_prompt(nodes_[i].line.kind)) continue;
    if (!nearest) nearest = i;
    first = i;
  }
  const auto select = [&](const std::function<bool(std::size_t)>& wanted) {
    std::vector<bool> shown(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      shown[i] = i == 0 || i == nearest || i == first || wanted(i);
    }
    return shown;
  };
  const std::vector<std::function<bool(std::size_t)>> steps = {
      [](std::size_t) { return true; },
      [&](std::size_t i) { return nodes_[i].depth <= kNear || !is_tool(nodes_[i].line.kind); },
      [&](std::size_t i) {
        const std::string& kind = nodes_[i].line.kind;
        return nodes_[i].depth <= kNear || (!is_tool(kind) && !is_reasoning(kind));
      },
      [&](std::size_t i) { return nodes_[i].depth <= 1 || is_prompt(nodes_[i].line.kind); },
  };
  for (const auto& step : steps) {
    std::vector<bool> shown = select(step);
    if (fold(shown).rows.size() <= rows) return shown;
  }
  // The nearest, as many as there are rows; the others hang below them in at most as many folds.
  return select([&](std::size_t i) { return i + 2 < rows / 2; });
}

std::string TraceTree::counted(const std::vector<std::size_t>& nodes) const {
  std::uint64_t calls = 0, reasoning = 0, others = 0;
  for (const std::size_t node : nodes) {
    const std::string& kind = nodes_[node].line.kind;
    if (kind == "tool_request") ++calls;
    else if (is_reasoning(kind)) ++reasoning;
    else if (!is_tool(kind)) ++others;
  }
  std::string out;
  const auto add = [&](std::uint64_t number, std::string_view one, std::string_view many) {
    if (number == 0) return;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count(number), number == 1 ? one : many);
  };
  add(calls, "tool call", "tool calls");
  add(reasoning, "piece of reasoning", "pieces of reasoning");
  add(others, "other thought", "other thoughts");
  if (out.empty()) add(nodes.size(), "tool result", "tool results");
  return "… " + out;
}

void TraceTree::draw(const Context& context, std::size_t rows) const {
  if (nodes_.empty()) return;
  const Style& style = context.style();
  TreeStyle layout{.width = style.width};
  if (style.width < Style::kUnlimited) {
    // Three columns a level, with room left for a line.
    const std::size_t room = style.width > kRoomForRow ? style.width - kRoomForRow : 0;
    layout.max_levels = std::clamp<std::size_t>(room / 3, 3, 16);
    layout.is_narrow = style.width < 100;
  }
  const std::size_t limit = std::max(rows, kLeastRows);
  const Drawing drawing =
      fold(rows == kAllRows ? std::vector<bool>(nodes_.size(), true) : chosen(limit));
  draw_tree(
      drawing.tree, layout,
      [&](std::size_t row, std::size_t columns) {
        const Row& shown = drawing.rows[row];
        if (shown.folded.size() > 1) {
          return style.paint(Colour::faint, fitted(counted(shown.folded), columns));
        }
        return nodes_[shown.node].line.str(style, columns);
      },
      [&](std::string_view line) { context.print(line); });
  if (drawing.rows.size() < nodes_.size()) {
    context.note(count(nodes_.size(), "thought") + ", folded; --all prints each");
  }
}

}  // namespace weft::cli
