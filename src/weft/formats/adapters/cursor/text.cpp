// Transcripts as they were before they were JSON: lines, of which some say who speaks or what
// comes.
//
//   user:
//   <user_query>
//   list the files
//   </user_query>
//   assistant:
//   [Thinking] A shell will do.
//   I list them.
//   [Tool call] Shell
//     command: ls
//   [Tool result] Shell
//
// A section continues until the next mark, so the last one is pending until then. It is
// kept whole in the reader's state; these files are small, and are written no more.
#include <algorithm>
#include <optional>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/cursor/prompt_text.hpp"
#include "weft/formats/adapters/cursor/reader.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cursor {
namespace {

using transcript::Author;
using transcript::Sink;

constexpr std::uint64_t kMostEmptyLines = 1024;  // one after the other

enum class Kind { none, user, answer, thinking, call, result };
constexpr Kind last_enumerator(Kind /*one*/) { return Kind::result; }

// What is being read: its first line's number, and its text so far.
struct Piece {
  Kind kind = Kind::none;
  std::uint64_t line = 0;
  std::string name, text;  // the tool's name
};

struct Mark {
  Kind kind;
  std::string_view rest;  // of its line
};
std::optional<Mark> mark_of(std::string_view line, bool is_of_model) {
  if (line == "user:") return Mark{Kind::user, {}};
  if (line == "assistant:") return Mark{Kind::answer, {}};
  if (!is_of_model) return std::nullopt;
  constexpr std::pair<std::string_view, Kind> kMarks[] = {
      {"[Thinking]", Kind::thinking}, {"[Tool call]", Kind::call}, {"[Tool result]", Kind::result}};
  for (const auto& [name, kind] : kMarks) {
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return Mark{kind, line};
  }
  return std::nullopt;
}

// Whether a line of which the end is missing may be going to be one that says what comes.
bool may_become_mark(std::string_view line) {
  for (const std::string_view mark : {"user:", "assistant:", "[Thinking]", "[Tool call]",
                                      "[Tool result]", "<user_query>", "</user_query>"}) {
    if (line.size() < mark.size() && mark.starts_with(line)) return true;
  }
  return false;
}

// "  command: ls": a line that has no name continues the value before it.
json::object parse_arguments(std::string_view text) {
  json::object input;
  std::string name;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(':');
    const std::size_t start = line.find_first_not_of(' ');
    const bool is_named =
        start != std::string_view::npos && start > 0 && start <= 4 &&
        colon != std::string_view::npos &&
        line.substr(start, colon - start).find_first_of(" \t\"") == std::string_view::npos;
    if (is_named) {
      name = line.substr(start, colon - start);
      line.remove_prefix(colon + 1);
      if (line.starts_with(' ')) line.remove_prefix(1);
      input[name] = json::string(line);
    } else if (name.empty()) {
      if (line.find_first_not_of(kBlanks) != std::string_view::npos)
        input[name = "text"] = json::string(line);
    } else {
      json::string& value = input[name].get_string();
      value.append("\n");
      value.append(json::string_view(line.data(), line.size()));
    }
  }
  return input;
}

class TextReader final : public Reader {
 public:
  explicit TextReader(const SourceInfo& info) : info_(info) {}

  void read(const Record& record, Sink& sink) override {
    if (is_mirror()) return sink.skip({record.line, "mirror"});
    std::string storage;
    std::size_t repairs = 0;
    const std::string_view line = repair_utf8(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    if (record.cut && may_become_mark(line)) {
      return sink.skip({record.line, "malformed: cut off"});
    }
    const bool is_of_model = piece_.kind != Kind::none && piece_.kind != Kind::user;
    if (const auto mark = mark_of(line, is_of_model)) {
      emit(sink);
      if (!builder_.has_begun()) begin(record.text, sink);
      piece_ = {.kind = mark->kind, .line = record.line, .name = {}, .text = {}};
      const bool is_tool = mark->kind == Kind::call || mark->kind == Kind::result;
      (is_tool ? piece_.name : piece_.text) = mark->rest;
    } else if (piece_.kind == Kind::none) {
      sink.skip({record.line, "malformed: nobody speaks yet"});
    } else {
      // A line that is not indented ends the arguments of a call.
      const bool ends_call = piece_.kind == Kind::call && !line.starts_with(' ');
      if (ends_call) {
        emit(sink);
        piece_ = {.kind = Kind::answer, .line = record.line, .name = {}, .text = {}};
      }
      // Empty lines are no records.
      const std::uint64_t ends = record.line > last_line_ ? record.line - last_line_ : 1;
      if (!piece_.text.empty()) piece_.text.append(std::min(ends, kMostEmptyLines), '\n');
      piece_.text += line;
    }
    last_line_ = record.line;
  }

  void finish(Sink& sink) override {
    if (piece_.kind != Kind::none) emit(sink);
  }

  json::object save() const override { return save_object(*this); }
  [[nodiscard]] Status restore(const json::object& state) override {
    StateArchive a(state);
    archive(a);
    return check_restored(a, kName);
  }
  void archive(StateArchive& a) {
    a.field("kind", piece_.kind);
    a.field("line", piece_.line);
    a.field("name", piece_.name);
    a.field("text", piece_.text);
    a.field("last", last_line_);
    a.field("teller", builder_);
  }

 private:
  // The same transcript as JSON lines says more.
  bool is_mirror() {
    if (!is_mirror_) {
      const std::string id = place_of(info_).id;
      is_mirror_ = !id.empty() && info_.beside &&
                   (info_.beside(id + ".jsonl") || info_.beside(id + "/" + id + ".jsonl"));
    }
    return *is_mirror_;
  }

  void begin(std::string_view first, Sink& sink) {
    const Place place = place_of(info_);
    builder_.begin(heading_of(place, first), sink);
    if (!info_.project.empty()) {
      transcript::Facts facts;
      facts.project = info_.project;
      sink.facts(facts);
    }
    if (!place.parent.empty()) sink.origin({.session_id = place.parent, .agent = place.id});
  }

  void emit(Sink& sink) {
    std::vector<AuthoredBlock> authored = authored_by(piece_);
    if (authored.empty()) return;
    if (builder_.heading().source.starts_with("subagent:")) {
      for (AuthoredBlock& one : authored) {
        if (one.author == Author::human) one.author = Author::program;
      }
    }
    builder_.emit({.place = "#" + std::to_string(piece_.line),
                   .blocks = std::move(authored),
                   .is_prompt = true,
                   .is_answer = piece_.kind != Kind::user,
                   .model = info_.model},
                  sink);
  }

  static std::vector<AuthoredBlock> authored_by(const Piece& piece) {
    std::string_view text = piece.text;
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    std::vector<AuthoredBlock> authored;
    switch (piece.kind) {
      case Kind::none: break;
      case Kind::user: return parse_prompt(text);
      case Kind::answer:
        if (text.empty()) break;
        authored.push_back(
            {Author::model, transcript::Text{.text = std::string(text), .citations = {}}});
        break;
      case Kind::thinking: {
        transcript::Thinking thinking;
        thinking.text = text;
        authored.push_back({Author::model, std::move(thinking)});
        break;
      }
      case Kind::call:
        authored.push_back(
            {Author::model,
             transcript::ToolCall{.id = {}, .name = piece.name, .input = parse_arguments(text)}});
        break;
      case Kind::result:
        authored.push_back(
            {Author::tool,
             transcript::ToolResult{.call_id = {}, .name = piece.name, .text = std::string(text)}});
        break;
    }
    return authored;
  }

  SourceInfo info_;
  Piece piece_;
  std::uint64_t last_line_ = 0;
  TurnBuilder builder_;
  std::optional<bool> is_mirror_;  // no part of the state
};

}  // namespace

std::unique_ptr<Reader> open_text(const SourceInfo& info) {
  return std::make_unique<TextReader>(info);
}

}  // namespace weft::formats::cursor
