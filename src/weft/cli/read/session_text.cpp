#include "weft/cli/read/session_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "weft/base/try.hpp"
#include "weft/cli/read/call_line.hpp"
#include "weft/cli/read/edits.hpp"
#include "weft/cli/read/print_edits.hpp"
#include "weft/cli/read/spans.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/outline/numbered_blocks.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kIndent = 2;  // of what is said
constexpr std::size_t kInner = 4;   // of what belongs to a tool call
constexpr std::size_t kMaxDepth = 4;
// Of a result that went well the beginning is shown; of one that failed the end, where the reason
// is.
constexpr std::size_t kFoldedLines = 10;
constexpr std::size_t kFirstOfFailed = 3;
// A folded line without a page to fit it to.
constexpr std::size_t kFoldedColumns = 200;
constexpr std::size_t kRuleColumns = 100;

std::string text_of(const json::object& object, std::string_view member) {
  return std::string(find_string(object, member).value_or(""));
}

// The lines of a text, without blank ones at its end.
std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().find_first_not_of(" \t\r") == std::string_view::npos) {
    lines.pop_back();
  }
  return lines;
}

}  // namespace

SessionText::SessionText(const query::Library& library, const store::ConversationRow& conversation,
                         const Style& style, std::size_t columns, const ReadingOptions& options,
                         const LineSink& print, std::size_t depth)
    : library_(library),
      conversation_(conversation),
      style_(style),
      columns_(columns),
      options_(options),
      print_(print),
      depth_(depth),
      names_(library),
      directory_(query::read_facts(library, conversation).known.facts.cwd) {}

Page SessionText::page(std::size_t indent) const {
  return {style_, columns_, std::string(indent, ' ')};
}

bool SessionText::is_marked(const json::object& block) const {
  return options_.mark && find_string(block, "cid") == options_.mark->str();
}

// The time of day, with the date where it is another than that of the time before.
std::string SessionText::time_of(const json::object& block) {
  const Millis time = find_int(block, "created_at").value_or(0);
  const std::string date = local_date(time);
  if (date == date_) return local_time(time);
  date_ = date;
  return local_date_time(time);
}

// ── ada · turn 36 · 2026-02-01 18:58:09 · abbce88450b3 ───────────
void SessionText::begin_turn(const json::object& block) {
  const auto turn = find_int(block, "turn");
  if (turn == turn_) return;
  turn_ = turn;
  begins_turn_ = true;
  const std::string_view kind = kind_of(block);
  const std::string who = fitted(names_.of(text_of(block, "created_by")), 32);
  const std::string words =
      fmt::format("{} · turn {} · {} · ", who, turn.value_or(0), time_of(block));
  const std::string cid = brief(text_of(block, "cid"));
  const std::string front = is_marked(block) ? "▶─ " : "── ";
  const std::size_t used = display_width(words) + cid.size() + 4;
  const std::size_t rule = std::min(columns_, kRuleColumns);
  const bool fits = columns_ == Style::kUnlimited || used <= columns_;
  const Colour colour = kind == "human_input" ? Colour::green : Colour::cyan;
  std::string line =
      style_.paint(Colour::faint, front) +
      style_.paint(colour,
                   fits ? words + style_.link(Screen::thought, cid)
                        : fitted(words + cid, columns_ - std::min<std::size_t>(columns_, 4)));
  if (columns_ != Style::kUnlimited && rule > used) {
    std::string fill;
    for (std::size_t i = used; i < rule; ++i) fill += "─";
    line += " " + style_.paint(Colour::faint, fill);
  }
  print_("");
  print_(line);
}

// Time and CID of what is said later in a turn.
void SessionText::stamp(const json::object& block) {
  const bool marked = is_marked(block);
  if (std::exchange(begins_turn_, false)) return;
  print_("");
  const std::string line =
      time_of(block) + " · " + style_.link(Screen::thought, brief(text_of(block, "cid")));
  print_((marked ? "▶ " : "  ") + style_.paint(Colour::faint, line));
}

void SessionText::print_remark(const json::object& block, std::string_view words, Colour colour) {
  const std::string cid = brief(text_of(block, "cid"));
  const std::size_t used = kIndent + cid.size() + 2;
  const std::size_t room =
      columns_ == Style::kUnlimited ? kFoldedColumns : columns_ - std::min(columns_, used);
  print_((is_marked(block) ? "▶ " : "  ") + style_.paint(colour, fitted(words, room)) + "  " +
         style_.paint(Colour::faint, style_.link(Screen::thought, cid)));
  begins_turn_ = false;
}

Status SessionText::add(const json::object& block) {
  const std::string_view kind = kind_of(block);
  const json::object& content = query::content_of(block);
  if (kind == "tool_result" && printed_.erase(text_of(block, "cid")) > 0) return {};
  if (kind == "thinking_summary" && !options_.thinking && !is_marked(block)) return {};
  begin_turn(block);
  if (kind == "human_input" || kind == "response") {
    add_words(block, find_string(content, "text").value_or(""));
  } else if (kind == "tool_request") {
    return add_call(block);
  } else if (kind == "tool_result") {
    add_result(block);
  } else if (kind == "thinking" || kind == "redacted_thinking" || kind == "thinking_summary") {
    add_reasoning(block);
  } else {
    add_other(block);
  }
  return {};
}

void SessionText::add_words(const json::object& block, std::string_view text) {
  // Models begin some answers with line breaks and then call a tool: nobody reads those.
  const bool is_blank = !text.empty() && text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank && !is_marked(block)) return;
  stamp(block);
  const bool is_person = kind_of(block) == "human_input";
  if (text.empty()) return print_remark(block, summary_line(block), Colour::faint);
  if (is_person) render_plain(text, page(kIndent), Colour::none, print_);
  else render_markdown(text, page(kIndent), print_);
}

void SessionText::add_reasoning(const json::object& block) {
  const json::object& content = query::content_of(block);
  const auto reasoning = find_string(content, "reasoning");
  const json::array* summaries = find_array(content, "summaries");
  if (!options_.thinking && !is_marked(block)) {
    std::string words = "thought";
    if (const auto ms = find_int(content, "duration_ms")) words += " for " + duration(*ms);
    const json::object* summary = find_object(block, "summary");
    if (summary != nullptr) words += ": " + first_words(text_of(*summary, "text"));
    return print_remark(block, words, Colour::faint);
  }
  const std::string bar = "  " + style_.paint(Colour::magenta, "┆ ");
  print_remark(block, kind_of(block) == "thinking_summary" ? "summary of reasoning" : "reasoning",
               Colour::magenta);
  const Page aside{style_, columns_, bar};
  if (reasoning && !reasoning->empty()) {
    render_markdown(*reasoning, aside, print_);
  } else if (summaries != nullptr) {
    for (const json::value& one : *summaries) {
      if (one.is_string()) render_markdown(view(one.get_string()), aside, print_);
    }
  } else {
    render_plain(summary_line(block), aside, Colour::faint, print_);
  }
}

void SessionText::add_other(const json::object& block) {
  const std::string_view kind = kind_of(block);
  const json::object& content = query::content_of(block);
  const bool failed = kind == "failure";
  const std::string cid = brief(text_of(block, "cid"));
  std::string text = text_of(content, kind == "compaction" ? "summary" : "text");
  if (text.empty() && kind == "compaction") text = text_of(content, "text");
  const std::string who = on_one_line(kind) == "system_input"
                              ? fitted(names_.of(text_of(block, "created_by")), 32)
                              : on_one_line(kind);
  if (text.empty()) {
    return print_remark(block, who + ": " + summary_line(block),
                        failed ? Colour::red : Colour::faint);
  }
  print_remark(block, who, failed ? Colour::red : Colour::yellow);
  print_folded(text, failed, cid);
}

void SessionText::print_folded(std::string_view text, bool failed, const std::string& cid) {
  const std::string bar = std::string(kInner, ' ') + style_.paint(Colour::faint, "│ ");
  const Colour colour = failed ? Colour::red : Colour::faint;
  const std::string plain = without_colours(text);
  if (options_.full) {
    render_plain(plain, {style_, columns_, bar}, colour, print_);
    return;
  }
  const std::vector<std::string_view> lines = lines_in(plain);
  const std::size_t room =
      columns_ == Style::kUnlimited ? kFoldedColumns : columns_ - std::min(columns_, kInner + 2);
  const auto show = [&](std::string_view line) {
    // No line needs more of a text than a page shows, whatever a tool printed.
    const std::string words = without_tabs(made_safe(line.substr(0, 8 * kFoldedColumns)));
    print_(bar + style_.paint(colour, fitted(words, room)));
  };
  if (lines.size() <= kFoldedLines + 1) {
    for (const std::string_view line : lines) show(line);
    return;
  }
  const std::size_t first = failed ? kFirstOfFailed : kFoldedLines;
  for (std::size_t i = 0; i < first; ++i) show(lines[i]);
  print_(bar +
         style_.paint(Colour::faint, fitted(fmt::format("… {} more lines: weft get {}",
                                                        count(lines.size() - kFoldedLines), cid),
                                            room)));
  for (std::size_t i = lines.size() - (kFoldedLines - first); i < lines.size(); ++i) show(lines[i]);
}

void SessionText::print_result_text(const json::object& result) {
  const CallResult outcome = call_result(query::content_of(result));
  print_folded(outcome.text, !outcome_text(outcome).empty(), brief(text_of(result, "cid")));
}

void SessionText::add_result(const json::object& result) {
  const json::object& content = query::content_of(result);
  const std::string outcome = outcome_text(call_result(content));
  const std::string tool = first_words(find_string(content, "tool_name").value_or("tool"));
  print_remark(result, "↳ " + tool + (outcome.empty() ? "" : " " + outcome),
               outcome.empty() ? Colour::yellow : Colour::red);
  print_result_text(result);
}

// The result that has the call among its causes. Printed with the call, it is not printed again.
Status SessionText::add_result_of(const json::object& call, const std::string& cid) {
  const json::object& content = query::content_of(call);
  const Edits edits = edits_of(content);
  const CallLine line = call_line(content, edits, directory_);
  std::optional<json::object> result;
  const Result<Cid> parsed = Cid::parse(cid);
  if (parsed) {
    WEFT_TRY_VALUE(const auto effects, library_.web.effects(*parsed));
    for (const Cid& effect : effects) {
      WEFT_TRY_VALUE(auto thought, query::get(library_, effect, query::Layers::open));
      if (kind_of(thought) != "tool_result") continue;
      result = std::move(thought);
      break;
    }
  }
  const CallResult outcome = result ? call_result(query::content_of(*result)) : CallResult();
  const std::string verdict = result ? outcome_text(outcome) : "";
  const bool marked = is_marked(call) || (result && is_marked(*result));
  const std::string name = brief(cid);
  // The name of a tool of a server may be long: some of the argument stays in sight.
  constexpr std::size_t kLongestTool = 40, kLeast = 8;
  const std::size_t others =
      kIndent + 2 + display_width(line.figures) + verdict.size() + name.size() + 6;
  const std::size_t left = columns_ - std::min(columns_, others + kLeast);
  const std::string tool = fitted(line.tool, std::clamp(left, kLeast, kLongestTool));
  const std::size_t used = others + display_width(tool);
  const std::size_t room = columns_ == Style::kUnlimited ? kFoldedColumns
                           : columns_ > used + kLeast    ? columns_ - used
                                                         : kLeast;
  std::string shown = (marked ? "▶ " : "  ") + style_.paint(Colour::yellow, "● ") +
                      style_.paint(Colour::bold, tool);
  if (!line.argument.empty()) shown += " " + fitted(line.argument, room);
  if (!line.figures.empty()) {
    const std::size_t blank = line.figures.find(' ');
    shown += " " + style_.paint(Colour::green, line.figures.substr(0, blank)) + " " +
             style_.paint(Colour::red, line.figures.substr(blank + 1));
  }
  if (!verdict.empty()) shown += " " + style_.paint(Colour::red, verdict);
  print_(shown + "  " + style_.paint(Colour::faint, style_.link(Screen::thought, name)));
  begins_turn_ = false;
  print_edits(edits, {style_, columns_, std::string(kInner, ' ')}, options_.full, name, print_);
  if (!result) return {};
  printed_.insert(text_of(*result, "cid"));
  // What an edit says of itself is that it was made; its difference is shown already.
  if (edits.empty() || !verdict.empty()) print_result_text(*result);
  return {};
}

Status SessionText::add_call(const json::object& block) {
  const std::string cid = text_of(block, "cid");
  WEFT_TRY(add_result_of(block, cid));
  const Result<Cid> call = Cid::parse(cid);
  return call ? add_subagents(*call) : Status();
}

Status SessionText::add_subagents(const Cid& call) {
  WEFT_TRY_VALUE(const auto children, library_.web.neighbours_by(conversation_.created_by, call,
                                                                 "spawns", store::Direction::from));
  for (const Cid& child : children) {
    const Result<store::ConversationRow> row = library_.web.conversation(child);
    if (!row) continue;
    const query::ReadFacts facts = query::read_facts(library_, *row);
    const std::string title =
        first_words(query::title_of(library_, row->cid, facts.known).value_or("subagent"));
    const std::string front =
        "→ " + count(row->block_count, "block") + " of a subagent: weft read " + row->cid.brief();
    const std::size_t room = columns_ == Style::kUnlimited
                                 ? kFoldedColumns
                                 : columns_ - std::min(columns_, kInner + display_width(front) + 2);
    print_(std::string(kInner, ' ') + style_.paint(Colour::blue, front) +
           (room > 8 ? "  " + style_.paint(Colour::faint, fitted(title, room)) : ""));
    if (!options_.subagents || depth_ >= kMaxDepth) continue;
    const std::string bar = "  " + style_.paint(Colour::blue, "┊ ");
    const LineSink inside = [&](std::string_view line) { print_(bar + std::string(line)); };
    const std::size_t columns = columns_ == Style::kUnlimited ? columns_ : columns_ - 4;
    SessionText text(library_, *row, style_, columns, options_, inside, depth_ + 1);
    WEFT_TRY_VALUE(auto blocks, query::NumberedBlocks::open(library_, *row, {}));
    for (std::uint64_t i = 0; i < blocks.count(); ++i) {
      WEFT_TRY_VALUE(const auto block, blocks.read(i));
      WEFT_TRY(text.add(block));
    }
    print_("");
  }
  return {};
}

}  // namespace weft::cli
