// A session of Claude Code, record by record.
//
//   SessionLines lines("5e55104a-…");
//   lines.say("user", "2026-11-15T10:00:00Z", "where is the heron");
//   weft.write("talk.jsonl", lines.text());
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::test {

class SessionLines {
 public:
  explicit SessionLines(std::string session, std::string directory = "/home/ada/Looms")
      : session_(std::move(session)), directory_(std::move(directory)) {}

  // `content` is a text, or a list of content blocks.
  void say(std::string_view type, std::string_view time, json::value content) {
    const std::string id = session_ + "-" + std::to_string(number_);
    json::object record{{"type", type},
                        {"uuid", id},
                        {"parentUuid", nullptr},
                        {"sessionId", session_},
                        {"cwd", directory_},
                        {"timestamp", time},
                        {"message", {{"role", type}, {"content", std::move(content)}}}};
    if (number_ > 0) record["parentUuid"] = session_ + "-" + std::to_string(number_ - 1);
    if (type == "assistant") {
      record["message"].as_object()["model"] = "claude-x";
      record["message"].as_object()["id"] = "m" + id;
    }
    ++number_;
    text_ += canonical_json(record) + "\n";
  }
  void result(std::string_view time, std::string_view call, std::string_view text, bool failed) {
    say("user", time,
        json::array{json::object{{"type", "tool_result"},
                                 {"tool_use_id", call},
                                 {"content", text},
                                 {"is_error", failed}}});
  }
  // Any other record.
  void add(json::object record) { text_ += canonical_json(record) + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string session_, directory_, text_;
  int number_ = 0;
};

}  // namespace weft::test
