// wot_blame: which edits wrote the lines of a file, and who asked for them.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "weft/base/typed/moment.hpp"
#include "weft/git/repository.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/blame_schema.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/edits/blame.hpp"

namespace weft::mcp {
namespace {

namespace fs = std::filesystem;

// A file outside a repository must be the user's own. A repository is checked where it is read.
Status check_file(const fs::path& path) {
  if (!path.is_absolute()) {
    return fail(ErrorCode::invalid_input, "path: it must be absolute");
  }
  const Result<std::optional<git::Repository>> repository = git::find_repository(path);
  if (!repository) return fail(Error(repository.error()));
  if (*repository) return {};
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid()) return {};
  return fail(ErrorCode::denied,
              "path: not a file of this user, and in no git repository of theirs");
}

void append_run(std::string& out, const json::object& run) {
  const auto first = count_or_zero(run, "first"), last = count_or_zero(run, "last");
  out += first == last ? fmt::format("{}: ", first) : fmt::format("{}-{}: ", first, last);
  if (const json::object* commit = find_object(run, "commit")) {
    out += fmt::format("commit {} \"{}\"; ", text_or(*commit, "sha", "?").substr(0, 10),
                       text_or(*commit, "subject", ""));
  } else {
    out += "not committed; ";
  }
  if (const auto silence = find_string(run, "silence")) {
    out += fmt::format("no answer: {}\n", *silence);
    return;
  }
  out += fmt::format("{} ({})", text_or(run, "rule", "?"), text_or(run, "sure", "?"));
  if (const auto request = find_string(run, "request_cid")) {
    out += fmt::format(" by {} in {}", text_or(run, "model", "?"), *request);
  } else {
    out += fmt::format(" in the conversation {}", text_or(run, "conversation_cid", "?"));
  }
  if (const auto reason = find_string(run, "reason")) out += fmt::format("; asked: {}", *reason);
  out += "\n";
}

std::string render(const json::object& answer) {
  std::string out;
  for (const json::value& run : list_in(answer, "runs")) append_run(out, run.as_object());
  out += "Reasoning behind a call: wot_walk_because {\"cid\": request_cid}";
  return out;
}

Served<> blame(Call& call) {
  const json::object& arguments = call.arguments();
  const fs::path path = text_in(arguments, "path");
  if (const Status allowed = check_file(path); !allowed) return refused(allowed.error());
  query::BlameOptions options{.revision = find_text_in(arguments, "rev"),
                              .now = machine_clock().now,
                              .control = {.stop = call.stop()}};
  const auto first = find_whole_in(arguments, "line"), last = find_whole_in(arguments, "last_line");
  if (last && (!first || *last < *first)) return refused("last_line: it must not be before line");
  if (first) {
    options.range = git::LineRange{*first, last.value_or(*first)};
  }
  Result<json::object> answer = query::blame(call.library(), path, options);
  if (!answer) return refused(answer.error());
  leave_out(*answer, "runs", room_in(call));
  return tool_result(call, *std::move(answer), render);
}

}  // namespace

const Tool& wot_blame_tool() {
  static const std::string schema =
      R"({"type": "object", "properties": {)" + std::string(kBlameShape) +
      R"("runs": {"type": "array", "items": {"type": "object", "properties": {)" +
      std::string(kBlameRunShape) + R"(}, "required": ["first", "last"]}}},
  "required": ["path", "rev", "lines", "runs", "answered", "weak", "silent"]})";
  static const Tool tool = {
      .name = "wot_blame",
      .title = "Why a line is so",
      .description =
          "Which tool call wrote lines of a file, and who asked for it. Use it before you change "
          "them.",
      .parameters =
          {{.name = "path", .description = "Absolute.", .is_required = true, .longest = 4096},
           {.name = "line", .kind = Parameter::Kind::whole, .least = 1},
           {.name = "last_line", .kind = Parameter::Kind::whole, .least = 1},
           {.name = "rev", .description = "A commit.", .longest = 1'000}},
      .example = R"({"path": "/home/ada/looms/src/loom.py", "line": 42})",
      .output_schema = schema,
      .pace = Tool::Pace::slow,
      .call = blame,
  };
  return tool;
}

}  // namespace weft::mcp
