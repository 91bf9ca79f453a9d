#include "weft/cli/read/blame_text.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <unordered_map>

#include "weft/base/typed/file_lines.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kPalette = {Colour::green, Colour::cyan, Colour::magenta, Colour::yellow,
                                 Colour::blue};
// Causes of one edit that --why shows.
constexpr std::uint64_t kMostCauses = 200;
constexpr std::size_t kRowsForOne = 12;

std::string_view explained(std::string_view silence) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSentences = {{
      {"no_edit_of_path", "no conversation edited this file"},
      {"older_than_sessions", "the commit is older than every conversation"},
      {"too_short", "too short to be recognised"},
      {"not_this_line", "no known edit wrote this at that time"},
      {"not_in_git", "the known edits do not lead to this line"},
  }};
  for (const auto& [name, sentence] : kSentences) {
    if (name == silence) return sentence;
  }
  return silence;
}

std::string minute(Millis time) {
  constexpr std::size_t kUpToMinutes = 16;
  return local_date_time(time).substr(0, kUpToMinutes);
}

class BlamePrinter {
 public:
  BlamePrinter(const Context& context, const query::Library& library, bool with_why)
      : context_(context), style_(context.style()), library_(library), with_why_(with_why) {}

  Answer print(const json::object& answer) {
    digits_ = std::to_string(count_or_zero(answer, "lines")).size();
    for (const json::value& run : answer.at("runs").as_array()) {
      Answer printed = print_run(run.get_object());
      if (!printed) return printed;
    }
    print_sum(answer);
    print_notes(context_, answer);
    return Exit::done;
  }

 private:
  // A row with the bar of its run.
  void print_row(Colour bar, Colour colour, std::string_view text,
                 std::string_view call = {}) const {
    const std::string_view sign = bar == Colour::none ? " " : "▌";
    const std::size_t room = style_.width > 2 ? style_.width - 2 : style_.width;
    const std::string fit = fitted(text, room);
    context_.print(style_.paint(bar, sign) + " " +
                   style_.paint(colour, style_.link_in(fit, Screen::thought, call)) + "\n");
  }

  Colour colour_of_session(const json::object& run) {
    const auto cid = find_string(run, "conversation_cid");
    if (!cid) return Colour::none;
    const auto [found, is_new] = colours_.try_emplace(std::string(*cid), Colour::none);
    if (is_new) found->second = kPalette[(colours_.size() - 1) % kPalette.size()];
    return found->second;
  }

  static std::string commit_words(const json::object& run) {
    const json::object* commit = find_object(run, "commit");
    if (commit == nullptr) return "not committed";
    return std::string(find_string(*commit, "sha").value_or("").substr(0, 7)) + " " +
           on_one_line(find_string(*commit, "subject").value_or(""));
  }

  static std::string silent_heading(const json::object& run) {
    const std::string why(explained(find_string(run, "silence").value_or("")));
    const json::object* commit = find_object(run, "commit");
    if (commit == nullptr) return "not committed  no answer: " + why;
    return fmt::format("{}  {}  {}  no answer: {}",
                       find_string(*commit, "sha").value_or("").substr(0, 7),
                       local_date(find_int(*commit, "author_time").value_or(0)),
                       on_one_line(find_string(*commit, "author").value_or("")), why);
  }

  // What answers: a call, or the conversation that a report names; then how sure that is.
  static std::string heading(const json::object& run) {
    std::string rule = fmt::format("{} ({})", find_string(run, "rule").value_or(""),
                                   find_string(run, "sure").value_or(""));
    if (const auto by = find_string(run, "reported_by")) rule += fmt::format(" by {}", *by);
    const auto request = find_string(run, "request_cid");
    if (!request) {
      return fmt::format("{}  {}  {}", brief(find_string(run, "conversation_cid").value_or("")),
                         on_one_line(find_string(run, "title").value_or("")), rule);
    }
    return fmt::format("{}  {}  {}  {}", brief(*request), minute(find_int(run, "time").value_or(0)),
                       on_one_line(find_string(run, "model").value_or("")), rule);
  }

  Answer print_run(const json::object& run) {
    const Colour bar = colour_of_session(run);
    if (bar == Colour::none) {
      print_row(bar, Colour::faint, silent_heading(run));
    } else {
      print_row(bar, Colour::bold, heading(run),
                brief(find_string(run, "request_cid").value_or("")));
      print_row(bar, Colour::faint, commit_words(run));
      if (const auto reason = find_string(run, "reason")) {
        print_row(bar, Colour::italic, "“" + on_one_line(*reason) + "”");
      }
    }
    print_lines(run, bar);
    const auto request = Cid::parse(find_string(run, "request_cid").value_or(""));
    if (!with_why_ || !request) return Exit::done;
    return print_trace(context_, library_, *request, Traced::causes, {.limit = kMostCauses}, {},
                       kRowsForOne);
  }

  void print_lines(const json::object& run, Colour bar) const {
    auto number = static_cast<std::uint64_t>(find_int(run, "first").value_or(0));
    const json::array* text = find_array(run, "text");
    if (text == nullptr) return;
    for (const json::value& line : *text) {
      print_row(bar, Colour::none,
                fmt::format("{:>{}}  {}", number++, digits_, expanded(view(line.get_string()))));
    }
  }

  // Tabs as blanks, so that the width is known.
  static std::string expanded(std::string_view line) {
    constexpr std::size_t kTab = 4;
    std::string out;
    for (const char c : made_safe(line)) {
      if (c == '\t') out.append(kTab - out.size() % kTab, ' ');
      else out += c;
    }
    return out;
  }

  void print_sum(const json::object& answer) const {
    const std::uint64_t answered = count_or_zero(answer, "answered"),
                        weak = count_or_zero(answer, "weak");
    std::uint64_t silent = 0;
    std::string why;
    if (with_why_ && weak == 0 && answer.at("silent").as_object().empty()) return;
    for (const auto& [name, lines] : answer.at("silent").as_object()) {
      silent += lines.to_number<std::uint64_t>();
      why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", lines.to_number<std::uint64_t>(),
                         explained(name));
    }
    context_.note(fmt::format(
        "{} of {} answered{}{}", answered, count(answered + weak + silent, "line"),
        weak > 0 ? fmt::format(", {} weakly", weak) : "", why.empty() ? "" : " (" + why + ")"));
  }

  const Context& context_;
  const Style& style_;
  const query::Library& library_;
  bool with_why_;
  std::size_t digits_ = 1;
  std::unordered_map<std::string, Colour> colours_;  // by conversation
};

Status add_causes(const query::Library& library, json::object& answer) {
  for (json::value& value : answer.at("runs").as_array()) {
    json::object& run = value.get_object();
    const auto request = Cid::parse(find_string(run, "request_cid").value_or(""));
    if (!request) continue;
    Result<json::object> causes = query::why_answer(library, *request, {.limit = kMostCauses});
    if (!causes) return fail(std::move(causes).error());
    run["why"] = *std::move(causes);
  }
  return {};
}

}  // namespace

Answer print_blame(const Context& context, const query::Library& library,
                   const BlameRequest& request) {
  std::error_code failed;
  std::optional<FileLines> lines = parse_file_lines(request.subject);
  if (fs::exists(request.subject, failed)) lines = FileLines{.file = request.subject};
  if (!lines) {
    return refuse(Error{ErrorCode::invalid_input, request.subject + " names no lines"}, Exit::usage,
                  "lines are counted from 1: weft blame FILE:12 or FILE:12-20");
  }
  query::BlameOptions options{
      .revision = request.revision, .with_text = !context.json(), .now = now()};
  if (lines->first) options.range = git::LineRange{*lines->first, *lines->last};
  Result<json::object> answer = query::blame(library, lines->file, options);
  if (!answer) return refuse(std::move(answer).error());
  const bool is_known =
      count_or_zero(*answer, "answered") > 0 || count_or_zero(*answer, "weak") > 0;
  const Exit exit = request.with_why && !is_known ? Exit::no : Exit::done;
  if (!context.json()) {
    Answer printed = BlamePrinter(context, library, request.with_why).print(*answer);
    return printed ? Answer(exit) : printed;
  }
  if (request.with_why) {
    if (Status added = add_causes(library, *answer); !added) {
      return refuse(std::move(added).error());
    }
  }
  context.print_json(*answer);
  return exit;
}

}  // namespace weft::cli
