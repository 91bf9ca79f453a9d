#include "weft/query/edits/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/attribution.hpp"
#include "weft/query/edits/call_story.hpp"
#include "weft/query/secrets/secret_mask.hpp"

namespace weft::query {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTooShort = "too_short";

// Text of a repository as JSON takes it.
json::value valid_text(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return json::value(repair_utf8(text, storage, repairs));
}

json::object commit_of(const git::Origin& origin) {
  return {{"sha", origin.commit},
          {"subject", valid_text(origin.subject)},
          {"author", valid_text(origin.author)},
          {"author_time", origin.author_time}};
}

// Lines in a row with one answer, or one silence.
struct Run {
  std::size_t first = 0, last = 0;  // in BlamedFile::lines
  std::size_t source = 0;
  std::optional<LineAnswer> answer{};
  std::string_view silence{};
};

class BlameAnswer {
 public:
  BlameAnswer(const Library& library, const BlamedFile& file, const Attribution& attribution,
              const BlameOptions& options)
      : library_(library), file_(file), attribution_(attribution), options_(options) {}

  Result<json::object> make() {
    WEFT_TRY(find_first_session());
    mask_text();
    json::object answer{{"path", valid_text(file_.shown_path)}};
    if (file_.repository) answer["repository"] = valid_text(file_.repository->root.string());
    answer["rev"] = file_.revision.empty() ? json::value() : json::value(file_.revision);
    answer["lines"] = file_.line_count;
    json::array runs;
    CallStories stories(library_);
    for (const Run& run : runs_of_lines()) {
      WEFT_TRY_VALUE(auto shown, shown_run(run, stories));
      runs.push_back(std::move(shown));
    }
    answer["runs"] = std::move(runs);
    answer["answered"] = answered_;
    answer["weak"] = weak_;
    json::object silent;
    for (const auto& [silence, count] : silent_) silent[silence] = count;
    answer["silent"] = std::move(silent);
    add_notes(answer);
    return answer;
  }

 private:
  // The whole text at once: a private key has many lines.
  void mask_text() {
    if (!options_.with_text || library_.mask == nullptr) return;
    masked_ = library_.mask->masked_by_line(*file_.content);
    masked_lines_ = lines_of(masked_);
  }
  std::string_view shown_text(std::size_t line) const {
    return library_.mask == nullptr ? file_.lines[line].text
                                    : masked_lines_[file_.first - 1 + line];
  }

  Status find_first_session() {
    WEFT_TRY_VALUE(const auto conversations, library_.web.conversations({}));
    for (const store::ConversationRow& row : conversations) {
      if (row.created_at > 0) first_session_ = std::min(first_session_, row.created_at);
    }
    return {};
  }

  std::string_view silence_of(const FileLine& line) const {
    const LineSource& source = file_.sources[line.source];
    if (!file_.is_in_git && attribution_.has_edits[line.source]) return "not_in_git";
    if (source.commit && source.until < first_session_) return "older_than_sessions";
    if (!attribution_.has_edits[line.source]) return "no_edit_of_path";
    return edits::is_telling(line.text) ? "not_this_line"sv : kTooShort;
  }

  bool is_asked(std::size_t line) const {
    if (!options_.range) return true;
    const std::size_t number = file_.first + line;
    return number >= options_.range->first && number <= options_.range->last;
  }

  // A short line without an answer joins the silence beside it: `}` would else break up every run.
  static bool can_join(const Run& run, const Run& next) {
    if (run.source != next.source || run.answer != next.answer) return false;
    return run.answer || run.silence == next.silence || run.silence == kTooShort ||
           next.silence == kTooShort;
  }

  std::vector<Run> runs_of_lines() {
    std::vector<Run> runs;
    for (std::size_t n = 0; n < file_.lines.size(); ++n) {
      if (!is_asked(n)) continue;
      const FileLine& line = file_.lines[n];
      Run next{.first = n, .last = n, .source = line.source, .answer = attribution_.lines[n]};
      if (!next.answer) {
        next.silence = silence_of(line);
        ++silent_[next.silence];
      } else {
        ++(is_sure(*next.answer) ? answered_ : weak_);
      }
      if (!runs.empty() && can_join(runs.back(), next)) {
        Run& run = runs.back();
        run.last = n;
        if (run.silence == kTooShort) run.silence = next.silence;
      } else {
        runs.push_back(next);
      }
    }
    return runs;
  }

  Result<json::object> shown_run(const Run& run, CallStories& stories) const {
    json::object shown{{"first", file_.first + run.first}, {"last", file_.first + run.last}};
    if (const auto& commit = file_.sources[run.source].commit) shown["commit"] = commit_of(*commit);
    if (run.answer) {
      shown["rule"] = name_of(run.answer->rule);
      shown["sure"] = sureness_of(*run.answer);
      if (!run.answer->reported_by.empty()) shown["reported_by"] = run.answer->reported_by;
      if (run.answer->edit) {
        const KnownEdit& edit = attribution_.edits[*run.answer->edit];
        WEFT_TRY(stories.add(edit.conversation, edit.request, shown));
      } else {
        stories.add_conversation(*run.answer->conversation, shown);
      }
    } else {
      shown["silence"] = run.silence;
    }
    if (options_.with_text) {
      json::array text;
      for (std::size_t n = run.first; n <= run.last; ++n) {
        text.push_back(valid_text(shown_text(n)));
      }
      shown["text"] = std::move(text);
    }
    return shown;
  }

  void add_notes(json::object& answer) const {
    json::array notes;
    for (const std::string& note : file_.notes) notes.push_back(valid_text(note));
    if (attribution_.sealed > 0) {
      notes.push_back(json::value(fmt::format(
          "{} calls are sealed: this keyring does not open them", attribution_.sealed)));
    }
    if (!notes.empty()) answer["notes"] = std::move(notes);
  }

  const Library& library_;
  const BlamedFile& file_;
  const Attribution& attribution_;
  const BlameOptions& options_;
  Millis first_session_ = std::numeric_limits<Millis>::max();
  std::string masked_;                          // the text, if the library has a mask
  std::vector<std::string_view> masked_lines_;  // of that
  std::uint64_t answered_ = 0, weak_ = 0;
  std::map<std::string_view, std::uint64_t> silent_;
};

}  // namespace

Result<json::object> blame(const Library& library, const std::filesystem::path& path,
                           const BlameOptions& options) {
  WEFT_TRY_VALUE(BlamedFile file, read_blamed_file(path, {.revision = options.revision,
                                                          .range = options.range,
                                                          .now = options.now,
                                                          .stop = options.control.stop}));
  WEFT_TRY_VALUE(const Attribution attribution, attribute(library, file, options.control));
  return BlameAnswer(library, file, attribution, options).make();
}

}  // namespace weft::query
