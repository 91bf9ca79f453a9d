// weft completion: connects a shell to weft, and answers it.
#include <fmt/format.h>

#include <memory>

#include "weft/base/ascii.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/complete/candidates.hpp"
#include "weft/cli/complete/man_page.hpp"
#include "weft/cli/complete/shell_script.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  bool answers = false;
};

constexpr std::uint64_t kSessions = 50;
constexpr std::size_t kAboutColumns = 60;

std::string text_of(const json::object& row, std::string_view member) {
  return std::string(find_string(row, member).value_or(""));
}

json::array listed(const query::Library& library, const query::ListOptions& options) {
  const Result<json::object> answer = query::list(library, options);
  const json::array* rows = answer ? find_array(*answer, "conversations") : nullptr;
  return rows == nullptr ? json::array() : *rows;
}

// The most recent sessions by their CIDs, or, if one is typed, by their session ids.
std::vector<Candidate> sessions(const query::Library& library, const std::string& typed) {
  std::vector<Candidate> found;
  const auto add = [&](std::string word, const json::object& row) {
    if (!word.starts_with(typed)) return;
    found.push_back({std::move(word), fitted(first_words(text_of(row, "title")), kAboutColumns)});
  };
  std::size_t rank = 0;
  for (const json::value& value : listed(library, {.fold = true, .limit = kSessions})) {
    const json::object& row = value.as_object();
    ++rank;
    if (rank == 1) add("last", row);
    if (typed.starts_with('@')) add("@" + std::to_string(rank), row);
    add(brief(text_of(row, "cid")), row);
    if (!typed.empty()) add(on_one_line(text_of(row, "session_id")), row);
  }
  return found;
}

std::vector<Candidate> thoughts(const query::Library& library, const std::string& typed) {
  constexpr std::size_t kMost = 40;
  std::vector<Candidate> found;
  if (typed.empty() || typed.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return found;
  }
  const auto cids = library.web.find_by_prefix(typed, kMost);
  for (const Cid& cid : cids.value_or(std::vector<Cid>())) {
    // What people ask about has a family: "anthropic/response", not "connection". Most thoughts are
    // connections, whose signatures take long to put together.
    const Result<thought::Thought> bare = library.web.get_without_path(cid);
    if (!bare || bare->type.find('/') == std::string::npos) continue;
    const Result<json::object> thought = query::get(library, cid, query::Layers::open);
    if (!thought) continue;
    found.push_back(
        {cid.brief(),
         fitted(std::string(kind_of(*thought)) + " " + summary_line(*thought), kAboutColumns)});
  }
  return found;
}

std::vector<Candidate> projects(const query::Library& library, const std::string& typed) {
  std::vector<Candidate> found;
  for (const json::value& value : listed(library, {})) {
    const std::string project = on_one_line(text_of(value.as_object(), "project"));
    const auto is_same = [&](const Candidate& one) { return one.word == project; };
    if (project.empty() || !to_lower(project).starts_with(to_lower(typed)) ||
        std::ranges::any_of(found, is_same)) {
      continue;
    }
    found.push_back({project});
  }
  return found;
}

// A shell shows nothing rather than an error.
Answer answer(const Context& context, const std::vector<std::string>& words) {
  std::optional<Opened> opened;
  std::optional<query::PinnedLibrary> library;
  const auto ask = [&](const auto& question, const std::string& typed) -> std::vector<Candidate> {
    if (!opened) {
      Outcome<Opened> there = context.open_to_read();
      if (!there) return {};
      opened.emplace(*std::move(there));
      library.emplace(opened->snapshot());
    }
    return question(*library, typed);
  };
  const Candidates found = candidates_for(
      words, {.sessions = [&](const std::string& typed) { return ask(sessions, typed); },
              .thoughts = [&](const std::string& typed) { return ask(thoughts, typed); },
              .projects = [&](const std::string& typed) { return ask(projects, typed); }});
  for (const Candidate& candidate : found.found) {
    context.print(candidate.word + "\t" + on_one_line(candidate.about) + "\n");
  }
  if (found.files) context.print(":files\n");
  return Exit::done;
}

Answer completion(const Context& context, const Options& options) {
  if (options.answers) return answer(context, options.words);
  const std::string what = options.words.empty() ? "" : options.words.front();
  if (const auto script = completion_script(what)) {
    context.print(*script);
    return Exit::done;
  }
  if (what == "man") {
    const Command* command = options.words.size() > 1 ? find_command(options.words[1]) : nullptr;
    if (options.words.size() > 1 && command == nullptr) {
      return refuse({ErrorCode::invalid_input, "unknown command '" + options.words[1] + "'"},
                    Exit::usage);
    }
    context.print(command == nullptr ? man_page() : man_page(*command));
    return Exit::done;
  }
  return refuse({ErrorCode::invalid_input, "expected bash, zsh, fish or man, not '" + what + "'"},
                Exit::usage, "weft completion --help");
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("SHELL", options->words, "bash, zsh or fish; or man, and perhaps a command");
  arguments.flag("--words", options->answers,
                 "Print what may follow these words; the scripts call it");
  return [options](Context& context) { return completion(context, *options); };
}

}  // namespace

const Command& completion_command() {
  static const Command command = {
      .name = "completion",
      .group = Group::transfer,
      .summary = "print a completion script for a shell, or a man page",
      .about =
          "Prints a script that makes bash, zsh or fish complete commands, options, sessions,\n"
          "thoughts and projects; or a man page: of weft, or of one command.",
      .examples =
          "weft completion bash > ~/.local/share/bash-completion/completions/weft\n"
          "weft completion zsh > ~/.zfunc/_weft\n"
          "weft completion fish > ~/.config/fish/completions/weft.fish\n"
          "weft completion man read | man -l -",
      .see_also = "weft init, weft doctor",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
