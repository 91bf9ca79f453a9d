#include "weft/query/edits/line_ledger.hpp"

#include <algorithm>
#include <ranges>

#include "weft/edits/file_changes.hpp"
#include "weft/edits/line_diff.hpp"
#include "weft/edits/written_lines.hpp"

namespace weft::query {

bool LineLedger::is_free(const Entry& entry, Millis standing) {
  return (entry.is_everywhere || !entry.is_taken) && entry.removed > standing;
}

void LineLedger::write(std::size_t number, Millis time, const edits::Edit& edit,
                       std::string_view before, std::string_view after) {
  for (const edits::Hunk& hunk : edits::diff_lines(before, after, 0)) {
    for (const edits::DiffLine& line : hunk.lines) {
      std::string text = edits::without_space(line.text);
      if (text.empty()) continue;
      std::vector<Millis>& taken = taken_away_[text];
      std::vector<Entry>& entries = entries_[std::move(text)];
      if (line.sign == '+') {
        Entry entry{.edit = number, .written = time, .is_everywhere = edit.is_everywhere};
        const auto own = std::ranges::lower_bound(taken, time);  // a line that this edit moves
        if (own != taken.begin()) entry.taken_away = *std::prev(own);
        entries.push_back(entry);
        continue;
      }
      if (taken.empty() || taken.back() != time) taken.push_back(time);
      for (Entry& entry : std::views::reverse(entries)) {
        if (entry.removed <= time) continue;
        entry.removed = time;
        if (!edit.is_everywhere) break;
      }
    }
  }
}

void LineLedger::add(std::size_t number, Millis time, const edits::Edit& edit) {
  using Kind = edits::Edit::Kind;
  if (edit.kind == Kind::remove || (edit.kind == Kind::write && !edit.before)) {
    // Nothing of what was there is left.
    for (auto& [line, entries] : entries_) {
      for (Entry& entry : entries) entry.removed = std::min(entry.removed, time);
    }
  }
  // Where the whole file is known, so are whole lines of which an edit changed a part.
  if (edit.before && !edit.is_user_modified) {
    if (const auto after = edits::applied(edit.before, edit)) {
      return write(number, time, edit, *edit.before, *after);
    }
  }
  if (edit.kind == Kind::write && edit.after) {
    write(number, time, edit, edit.before ? *edit.before : std::string_view(), *edit.after);
  }
  for (const edits::Change& change : edit.changes) {
    write(number, time, edit, change.before, change.after);
  }
}

std::optional<std::size_t> LineLedger::find(std::string_view line, const Span& span,
                                            const MayAnswer& may_answer) const {
  const auto found = entries_.find(edits::without_space(line));
  if (found == entries_.end()) return std::nullopt;
  for (const Entry& entry : std::views::reverse(found->second)) {
    if (entry.written <= span.after) break;
    if (entry.written > span.until || !is_free(entry, span.standing)) continue;
    if (entry.taken_away > span.after) continue;
    if (!may_answer || may_answer(entry.edit)) return entry.edit;
  }
  return std::nullopt;
}

bool LineLedger::take(std::size_t number, std::string_view line, Millis standing) {
  const auto found = entries_.find(edits::without_space(line));
  if (found == entries_.end()) return false;
  for (Entry& entry : found->second) {
    if (entry.edit != number || !is_free(entry, standing)) continue;
    entry.is_taken = true;
    return true;
  }
  return false;
}

}  // namespace weft::query
