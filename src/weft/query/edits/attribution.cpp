#include "weft/query/edits/attribution.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/edits/file_changes.hpp"
#include "weft/edits/line_origins.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/claimed_lines.hpp"
#include "weft/query/edits/source_edits.hpp"

namespace weft::query {
namespace {

constexpr Millis kFirstTime = std::numeric_limits<Millis>::min();
// Bytes of texts that are replayed; beyond them, lines are looked up one by one.
constexpr std::size_t kMostReplayed = 64u << 20;

void add_squeezed_lines(std::string_view text, std::unordered_set<std::string>& lines) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.insert(edits::without_space(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

class Attributor {
 public:
  Attributor(const Library& library, BlamedFile& file, const QueryControl& control)
      : library_(library), file_(file), control_(control) {
    answer_.lines.resize(file.lines.size());
    answer_.has_edits.resize(file.sources.size());
  }

  Result<Attribution> run() && {
    WEFT_TRY_VALUE(known_, find_source_edits(library_, file_, control_));
    for (std::size_t i = 0; i < file_.sources.size(); ++i) {
      answer_.has_edits[i] = !known_.of_source(i).edits.empty();
    }
    answer_.sealed = known_.sealed;
    WEFT_TRY(replay_all());
    if (file_.is_in_git) {
      answer_telling_lines();
      answer_amended_lines();
      answer_short_lines();
      WEFT_TRY(answer_reported_lines());
      answer_earlier_lines();
    }
    answer_blank_lines();
    answer_.edits = std::move(known_.edits);
    return std::move(answer_);
  }

 private:
  std::vector<std::size_t> edits_within(std::size_t source) const {
    const Millis after = minus_slack(file_.sources[source].after);
    const Millis until = plus_slack(file_.sources[source].until);
    std::vector<std::size_t> within;
    for (const std::size_t i : known_.of_source(source).edits) {
      const Millis time = known_.edits[i].time;
      const bool is_in = (time > after || after == kFirstTime) && time <= until;
      if (is_in && !known_.texts[i].empty()) within.push_back(i);
    }
    return within;
  }

  Status replay_all() {
    std::vector<std::size_t> wanted;
    std::vector<std::vector<std::size_t>> within(file_.sources.size());
    for (std::size_t s = 0; s < file_.sources.size(); ++s) {
      within[s] = edits_within(s);
      const bool is_known = std::ranges::any_of(within[s], [&](std::size_t i) {
        return std::ranges::any_of(known_.texts[i], [](const edits::Edit& edit) {
          return edit.before.has_value() || edit.after.has_value();
        });
      });
      if (is_known) wanted.push_back(s);
    }
    WEFT_TRY(load_contents(file_, wanted, control_.stop));
    for (const std::size_t s : wanted) {
      if (control_.is_off()) return called_off();
      if (file_.sources[s].content) replay(s, within[s]);
    }
    return {};
  }

  // Replays the edits of each working tree by itself.
  void replay(std::size_t source, const std::vector<std::size_t>& within) {
    std::set<std::string_view> trees;
    for (const std::size_t i : within) trees.insert(known_.edits[i].path);
    for (const std::string_view tree : trees) {
      edits::LineOrigins lines;
      bool is_known = false;
      for (const std::size_t i : within) {
        if (known_.edits[i].path != tree) continue;
        for (const edits::Edit& edit : known_.texts[i])
          is_known = replay_edit(i, edit, lines, is_known);
      }
      if (!is_known) continue;
      lines.become(edits::with_plain_ends(*file_.sources[source].content));
      answer_replayed(source, tree, lines.origins());
    }
  }

  // Whether the text is known after the edit.
  bool replay_edit(std::size_t number, const edits::Edit& edit, edits::LineOrigins& lines,
                   bool is_known) {
    const std::size_t size = edit.before ? edit.before->size() : lines.text().size();
    if (replayed_ + size > kMostReplayed) return is_known;
    replayed_ += size;
    if (edit.before) lines.become(edits::with_plain_ends(*edit.before));
    if (edit.is_user_modified && !edit.after) return is_known;
    std::optional<std::string> before;
    if (is_known || edit.before) before = lines.text();
    edits::Edit plain = edit;
    plain.before.reset();
    const auto after = edits::applied(before, plain);
    if (!after) return is_known;
    lines.become(edits::with_plain_ends(*after), number);
    return true;
  }

  void answer_replayed(std::size_t source, std::string_view tree,
                       const std::vector<edits::LineOrigins::Origin>& origins) {
    const Millis standing = plus_slack(file_.sources[source].until);
    for (std::size_t n = 0; n < file_.lines.size(); ++n) {
      const FileLine& line = file_.lines[n];
      if (line.source != source || line.source_number > origins.size()) continue;
      const auto origin = origins[line.source_number - 1];
      if (!origin) continue;
      if (answer_.lines[n] && *answer_.lines[n]->edit >= *origin) continue;
      answer_.lines[n] = LineAnswer{.edit = *origin, .rule = BlameRule::replayed};
      known_.of_source(source).ledgers[std::string(tree)].take(*origin, line.text, standing);
    }
  }

  // The newest edit of any working tree that wrote the line.
  std::optional<std::size_t> take(FileEdits& one, std::string_view line,
                                  const LineLedger::Span& span,
                                  const LineLedger::MayAnswer& may_answer = {}) {
    std::optional<std::size_t> newest;
    LineLedger* holder = nullptr;
    for (auto& [path, ledger] : one.ledgers) {
      const auto found = ledger.find(line, span, may_answer);
      if (!found || (newest && *found < *newest)) continue;
      newest = found;
      holder = &ledger;
    }
    if (holder != nullptr) holder->take(*newest, line, span.standing);
    return newest;
  }

  void answer_telling_lines() {
    for (std::size_t n = 0; n < file_.lines.size(); ++n) {
      const FileLine& line = file_.lines[n];
      if (answer_.lines[n] || !edits::is_telling(line.text)) continue;
      const LineSource& source = file_.sources[line.source];
      const Millis until = plus_slack(source.until);
      const auto edit =
          take(known_.of_source(line.source), line.text,
               {.after = minus_slack(source.after), .until = until, .standing = until});
      if (edit) answer_.lines[n] = LineAnswer{.edit = *edit, .rule = BlameRule::written};
    }
  }

  // A commit that was amended, or into which others were squashed, keeps its author time, and holds
  // what was written up to its committer time. A rebase has such times, too, but holds nothing of
  // what came later; so a line must be new: none of these edits found it in the file.
  void answer_amended_lines() {
    for (std::size_t n = 0; n < file_.lines.size(); ++n) {
      const FileLine& line = file_.lines[n];
      const LineSource& source = file_.sources[line.source];
      if (answer_.lines[n] || !source.commit || !edits::is_telling(line.text)) continue;
      const LineLedger::Span span{.after = plus_slack(source.until),
                                  .until = plus_slack(source.commit->committer_time),
                                  .standing = plus_slack(source.commit->committer_time)};
      if (span.until <= span.after) continue;
      for (auto& [path, ledger] : known_.of_source(line.source).ledgers) {
        const auto edit = ledger.find(line.text, span);
        if (!edit || !is_new_with(*edit, line.source, line.text)) continue;
        ledger.take(*edit, line.text, span.standing);
        answer_.lines[n] = LineAnswer{.edit = *edit, .rule = BlameRule::written};
        break;
      }
    }
  }

  // Whether no edit after the author time of the source, up to this one, found the line in the
  // file.
  bool is_new_with(std::size_t edit, std::size_t source, std::string_view line) {
    const std::string text = edits::without_space(line);
    const Millis after = plus_slack(file_.sources[source].until);
    return std::ranges::none_of(known_.of_source(source).edits, [&](std::size_t i) {
      const bool is_between = known_.edits[i].time > after && i <= edit;
      return is_between && known_.edits[i].path == known_.edits[edit].path &&
             found_by(i).contains(text);
    });
  }

  // The lines that an edit found in the file, as far as it says so.
  const std::unordered_set<std::string>& found_by(std::size_t edit) {
    const auto [found, is_first] = found_.try_emplace(edit);
    if (!is_first) return found->second;
    for (const edits::Edit& text : known_.texts[edit]) {
      if (text.before) add_squeezed_lines(*text.before, found->second);
      for (const edits::Change& change : text.changes) {
        add_squeezed_lines(change.before, found->second);
      }
    }
    return found->second;
  }

  // Downwards, then upwards, so that a whole run of short lines follows its neighbour.
  void answer_short_lines() {
    const auto count = static_cast<std::ptrdiff_t>(file_.lines.size());
    for (std::ptrdiff_t n = 1; n < count; ++n) answer_beside(n, n - 1);
    for (std::ptrdiff_t n = count - 2; n >= 0; --n) answer_beside(n, n + 1);
  }
  void answer_beside(std::ptrdiff_t at, std::ptrdiff_t beside) {
    const auto n = static_cast<std::size_t>(at), next = static_cast<std::size_t>(beside);
    const FileLine& line = file_.lines[n];
    const auto& neighbour = answer_.lines[next];
    if (answer_.lines[n] || !neighbour || !neighbour->edit || is_blank(line.text) ||
        edits::is_telling(line.text) || file_.lines[next].source != line.source) {
      return;
    }
    const std::size_t edit = *neighbour->edit;
    LineLedger& ledger = known_.of_source(line.source).ledgers[known_.edits[edit].path];
    const bool is_reported = neighbour->rule == BlameRule::reported;
    const Millis standing = is_reported ? standing_in_commit(line.source)
                                        : plus_slack(file_.sources[line.source].until);
    if (!ledger.take(edit, line.text, standing)) return;
    answer_.lines[n] = *neighbour;
    if (!is_reported) answer_.lines[n]->rule = BlameRule::written;
  }

  // When a commit holds what was written, whatever its author time says.
  Millis standing_in_commit(std::size_t source) const {
    const git::Origin& commit = *file_.sources[source].commit;
    return plus_slack(std::max(commit.author_time, commit.committer_time));
  }

  // Lines of commits that name calls or sessions themselves: what these wrote, at any time before
  // the commit was made.
  Status answer_reported_lines() {
    WEFT_TRY_VALUE(ClaimedLines claimed,
                   ClaimedLines::read(library_, file_, answer_.lines, control_.stop));
    if (claimed.empty()) return {};
    const auto each_open = [&](const auto& answer) {
      for (std::size_t n = 0; n < file_.lines.size(); ++n) {
        const FileLine& line = file_.lines[n];
        if (!answer_.lines[n] && claimed.is_claimed(line)) answer_.lines[n] = answer(line);
      }
    };
    each_open([&](const FileLine& line) { return written_as_claimed(line, claimed); });
    answer_short_lines();
    each_open([&](const FileLine& line) -> std::optional<LineAnswer> {
      const auto conversation = claimed.find_conversation(line);
      if (!conversation) return std::nullopt;
      return LineAnswer{.rule = BlameRule::reported,
                        .reported_by = ClaimedLines::kByNote,
                        .conversation = conversation};
    });
    return {};
  }
  std::optional<LineAnswer> written_as_claimed(const FileLine& line, ClaimedLines& claimed) {
    if (!edits::is_telling(line.text)) return std::nullopt;
    const Millis standing = standing_in_commit(line.source);
    std::string_view reporter;
    const auto edit =
        take(known_.of_source(line.source), line.text,
             {.after = kFirstTime, .until = standing, .standing = standing}, [&](std::size_t i) {
               const auto by = claimed.find_reporter(line, known_.edits[i]);
               if (by) reporter = *by;
               return by.has_value();
             });
    if (!edit) return std::nullopt;
    return LineAnswer{.edit = edit, .rule = BlameRule::reported, .reported_by = reporter};
  }

  void answer_earlier_lines() {
    for (std::size_t n = 0; n < file_.lines.size(); ++n) {
      const FileLine& line = file_.lines[n];
      const LineSource& source = file_.sources[line.source];
      if (answer_.lines[n] || !edits::is_telling(line.text) || source.after == kFirstTime) continue;
      const auto edit = take(known_.of_source(line.source), line.text,
                             {.after = kFirstTime,
                              .until = minus_slack(source.after),
                              .standing = plus_slack(source.until)});
      if (edit) answer_.lines[n] = LineAnswer{.edit = *edit, .rule = BlameRule::earlier};
    }
  }

  // Blank lines between two lines of one edit and commit.
  void answer_blank_lines() {
    for (std::size_t n = 1; n + 1 < file_.lines.size(); ++n) {
      if (answer_.lines[n] || !is_blank(file_.lines[n].text)) continue;
      const std::size_t source = file_.lines[n].source;
      std::size_t next = n + 1;
      while (next < file_.lines.size() && is_blank(file_.lines[next].text)) ++next;
      if (next == file_.lines.size() || !answer_.lines[n - 1]) continue;
      const bool is_one = answer_.lines[n - 1] == answer_.lines[next] &&
                          file_.lines[n - 1].source == source && file_.lines[next].source == source;
      if (is_one) answer_.lines[n] = answer_.lines[n - 1];
    }
  }

  const Library& library_;
  BlamedFile& file_;
  const QueryControl& control_;
  Attribution answer_;
  SourceEdits known_;
  std::unordered_map<std::size_t, std::unordered_set<std::string>> found_;  // by edit
  std::size_t replayed_ = 0;                                                // bytes
};

}  // namespace

std::string_view name_of(BlameRule rule) {
  switch (rule) {
    case BlameRule::replayed: return "replayed";
    case BlameRule::written: return "written";
    case BlameRule::reported: return "reported";
    case BlameRule::earlier: break;
  }
  return "earlier";
}

std::string_view sureness_of(const LineAnswer& answer) {
  switch (answer.rule) {
    case BlameRule::replayed: return "certain";
    case BlameRule::written: return "likely";
    case BlameRule::reported: return answer.edit ? "likely" : "weak";
    case BlameRule::earlier: break;
  }
  return "weak";
}

bool is_sure(const LineAnswer& answer) { return sureness_of(answer) != "weak"; }

Result<Attribution> attribute(const Library& library, BlamedFile& file,
                              const QueryControl& control) {
  return Attributor(library, file, control).run();
}

}  // namespace weft::query
