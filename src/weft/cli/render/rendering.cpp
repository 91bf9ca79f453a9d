#include "weft/cli/render/rendering.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/tree.hpp"

namespace weft::cli {
namespace {

// The tree of a breadth-first walk: each thought hangs under the first that names it.
class WhyTree {
 public:
  explicit WhyTree(Names& names) : names_(names) {}

  void add(const json::object& thought) {
    const std::size_t node = tree_.size();
    tree_.emplace_back();
    const std::string date = local_date(find_int(thought, "created_at").value_or(0));
    if (node == 0) date_ = date;
    // The day of the first line holds for every line that does not show another.
    const bool same_day = node > 0 && date == date_;
    lines_.push_back(line_of(thought, names_, same_day ? When::time : When::date_and_time));
    const auto parent = claimed_.find(std::string(find_string(thought, "cid").value_or("")));
    // A thought that is not reached by a `because` hangs under the thought visited before it.
    if (node > 0) tree_[parent != claimed_.end() ? parent->second : node - 1].push_back(node);
    claim(thought, node);
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

 private:
  void claim(const json::object& thought, std::size_t node) {
    const json::array* because = find_array(thought, "because");
    if (because == nullptr) return;
    for (const json::value& reference : *because) {
      const json::object* object = reference.if_object();
      const auto cid = object != nullptr ? find_string(*object, "thought_cid") : std::nullopt;
      if (cid) claimed_.try_emplace(std::string(*cid), node);
    }
  }

  Names& names_;
  std::string date_;  // of the first thought
  Tree tree_;
  std::vector<ThoughtLine> lines_;
  std::unordered_map<std::string, std::size_t>
      claimed_;  // by CID: the index of the thought that named it first
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

Answer print_why(const Context& context, const query::Library& library, const Cid& cid,
                 const query::WhyOptions& options, json::object front) {
  if (context.json()) {
    ListDocument document(context.out(), context.layout(), std::move(front), "thoughts");
    const Result<bool> cut = query::why(
        library, cid, options, [&](const json::object& thought) { document.add(thought); });
    const Status outcome = cut ? Status() : fail(cut.error());
    return closed(document, outcome, {{"truncated", cut.value_or(true)}});
  }
  Names names(library);
  WhyTree tree(names);
  std::uint64_t shown = 0;
  Result<bool> cut = query::why(library, cid, options, [&](const json::object& thought) {
    tree.add(thought);
    ++shown;
  });
  tree.draw(context);
  if (!cut) return refuse(std::move(cut).error());
  if (*cut) {
    context.note("cut off after " + count(shown, "thought") +
                 "; there are more causes (--depth, --limit)");
  }
  return Exit::done;
}

std::string check_time(const std::string& text) {
  return parse_moment(text, Bound::since, machine_clock()) ? std::string() : not_a_moment(text);
}

void print_notes(const Context& context, const json::object& answer) {
  const json::array* notes = find_array(answer, "notes");
  if (notes == nullptr) return;
  for (const json::value& note : *notes) context.note(view(note.as_string()));
}

}  // namespace weft::cli
