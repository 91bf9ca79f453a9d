// Writes Claude Code sessions, line by line, as small as they can be.
//
//   Session session("0b0e…");
//   session.human("why?"), session.thinks("hm"), session.calls("t1", "Bash", "ls");
//   weft.write("projects/-p/0b0e….jsonl", session.text());
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::test {

class Session {
 public:
  // `names` begins the ids of its records and messages: two sessions with the same names copy each
  // other.
  explicit Session(std::string id, std::string names = "")
      : id_(std::move(id)), names_(std::move(names)) {}

  std::vector<std::string> lines;
  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
  const std::string& id() const { return id_; }

  void human(std::string_view text) { user(json::value(text)); }
  void thinks(std::string_view text) {
    begin_message();
    assistant({{"type", "thinking"}, {"thinking", text}, {"signature", "c2ln"}});
  }
  void says(std::string_view text) { assistant({{"type", "text"}, {"text", text}}); }
  void calls(std::string_view call, std::string_view tool, std::string_view what) {
    assistant({{"type", "tool_use"},
               {"id", call},
               {"name", tool},
               {"input", json::object{{"prompt", what}}}});
  }
  void calls_with(std::string_view call, std::string_view tool, json::object input) {
    assistant({{"type", "tool_use"}, {"id", call}, {"name", tool}, {"input", std::move(input)}});
  }
  void fails(std::string_view call, std::string_view text) {
    user(json::array{json::object{
        {"type", "tool_result"}, {"tool_use_id", call}, {"content", text}, {"is_error", true}}});
  }
  void prints(std::string_view call, std::string_view text, json::value details = nullptr) {
    user(json::array{json::object{
             {"type", "tool_result"}, {"tool_use_id", call}, {"content", text}}},
         std::move(details));
  }
  // A file that the harness lays before the model.
  void attaches(std::string_view name, std::string_view text) {
    json::object record = envelope("attachment");
    record["attachment"] = json::object{
        {"type", "file"}, {"filename", name}, {"content", json::object{{"content", text}}}};
    lines.push_back(canonical_json(record));
  }
  // What came before gives way to a summary of it.
  void compacts(std::string_view summary) {
    json::object record = envelope("user");
    record["message"] = json::object{{"role", "user"}, {"content", summary}};
    record["isCompactSummary"] = true;
    lines.push_back(canonical_json(record));
  }
  // What the session is about.
  void sums_up(std::string_view summary) {
    lines.push_back(canonical_json(
        json::object{{"type", "summary"}, {"summary", summary}, {"leafUuid", parent_}}));
  }
  // The lines of another session, as a fork copies them: all but its name.
  void copy(const Session& origin) {
    for (const std::string& line : origin.lines) {
      json::value record = parse_json(line)->value;
      record.get_object()["sessionId"] = id_;
      lines.push_back(canonical_json(record));
    }
    number_ = origin.number_;
    parent_ = origin.parent_;
    time_ = origin.time_;
    names_ = origin.names_ + "f";
  }
  // Every line names the subagent's session.
  void make_subagent(std::string agent) { agent_ = std::move(agent); }

 private:
  void begin_message() { ++message_; }
  void user(json::value content, json::value details = nullptr) {
    begin_message();
    json::object record = envelope("user");
    record["message"] = json::object{{"role", "user"}, {"content", std::move(content)}};
    if (!details.is_null()) record["toolUseResult"] = std::move(details);
    lines.push_back(canonical_json(record));
  }
  void assistant(json::object block) {
    json::object record = envelope("assistant");
    record["message"] =
        json::object{{"id", names_ + "msg" + std::to_string(message_)},
                     {"type", "message"},
                     {"role", "assistant"},
                     {"model", "claude-x"},
                     {"content", json::array{std::move(block)}},
                     {"usage", json::object{{"input_tokens", 3}, {"output_tokens", 5}}}};
    lines.push_back(canonical_json(record));
  }
  json::object envelope(std::string_view type) {
    const std::string uuid = names_ + "u" + std::to_string(++number_);
    json::object record{{"type", type},
                        {"uuid", uuid},
                        {"parentUuid", parent_.empty() ? json::value() : json::value(parent_)},
                        {"sessionId", id_},
                        {"timestamp", to_iso8601(time_ += 1000)},
                        {"cwd", "/home/ada/looms"},
                        {"isSidechain", !agent_.empty()}};
    if (!agent_.empty()) record["agentId"] = agent_;
    parent_ = uuid;
    return record;
  }

  std::string id_, agent_, parent_, names_;
  Millis time_ = 1'770'000'000'000;
  int number_ = 0, message_ = 0;
};

}  // namespace weft::test
