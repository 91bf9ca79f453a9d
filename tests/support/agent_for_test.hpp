// Scripted agents that edit the files of a repository, and leave the sessions of Claude Code that
// say so.
//
//   Script script(weft);                          // a repository, a clock, people and agents
//   Agent agent = script.agent("1111…");
//   agent.asked("weave backwards");
//   agent.edits("loom.py", "a\n", "b\n");         // the file is changed, the session tells of it
//   script.repository.at(script.tick());
//   script.repository.commit("weave backwards");
//   agent.save();
//   weft({"ingest"});
#pragma once

#include "sources_for_test.hpp"
#include "weft/git/repository_for_test.hpp"

namespace weft::test {

inline std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first place of `before` in the file becomes `after`.
inline void replace_in(const fs::path& path, std::string_view before, std::string_view after) {
  std::string text = content_of(path);
  const std::size_t at = text.find(before);
  ASSERT_NE(at, std::string::npos) << path << " lacks " << before;
  text.replace(at, before.size(), after);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// Ten seconds pass between any two events: more than what blame takes for the same moment.
struct TestClock {
  Millis now = 1'770'000'000'000;
  Millis tick() { return now += 10'000; }
};

class Agent {
 public:
  enum class Details { told, untold };  // whether results state the file before the edit

  Agent(const Weft& weft, TestClock& clock, std::string session, fs::path root)
      : weft_(weft), clock_(clock), session_(std::move(session)), root_(std::move(root)) {}

  void asked(std::string_view words) { say("user", json::value(words)); }
  void thinks(std::string_view words) {
    say_block({{"type", "thinking"}, {"thinking", words}, {"signature", "c2ln"}});
  }

  // Each returns the time of its call, by which an answer can be recognised.
  Millis writes(const std::string& path, const std::string& text) {
    const fs::path file = root_ / path;
    json::object details{{"type", fs::exists(file) ? "update" : "create"}};
    details["originalFile"] =
        fs::exists(file) ? json::value(content_of(file)) : json::value(nullptr);
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    return call("Write", {{"file_path", file.string()}, {"content", text}}, std::move(details));
  }
  Millis edits(const std::string& path, std::string_view before, std::string_view after,
               Details told = Details::told) {
    const fs::path file = root_ / path;
    json::value details;
    if (told == Details::told) details = json::object{{"originalFile", content_of(file)}};
    replace_in(file, before, after);
    return call("Edit", input(file, before, after), std::move(details));
  }
  // The file stays as it is.
  Millis fails_to_edit(const std::string& path, std::string_view before, std::string_view after) {
    const Millis time = begin_call("Edit", input(root_ / path, before, after));
    end_call("String to replace not found in file.", nullptr, true);
    return time;
  }

  const std::string& session() const { return session_; }
  // What the session says so far, under another name: as a fork of Claude Code copies it.
  Agent fork(std::string session) const {
    Agent copy(weft_, clock_, std::move(session), root_);
    copy.number_ = number_;
    copy.parent_ = parent_;
    for (const json::object& record : records_) {
      copy.records_.push_back(record);
      copy.records_.back()["sessionId"] = copy.session_;
    }
    return copy;
  }
  void save() const {
    std::string text;
    for (const json::object& record : records_) text += canonical_json(record) + "\n";
    const std::string path = place(weft_, session_);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

 private:
  static json::object input(const fs::path& file, std::string_view before, std::string_view after) {
    return {{"file_path", file.string()}, {"old_string", before}, {"new_string", after}};
  }
  Millis call(std::string_view tool, json::object arguments, json::value details) {
    const Millis time = begin_call(tool, std::move(arguments));
    end_call("done", std::move(details), false);
    return time;
  }
  Millis begin_call(std::string_view tool, json::object arguments) {
    call_ = session_.substr(0, 8) + "-call-" + std::to_string(number_);
    say_block(
        {{"type", "tool_use"}, {"id", call_}, {"name", tool}, {"input", std::move(arguments)}});
    return clock_.now;
  }
  void end_call(std::string_view text, json::value details, bool failed) {
    say("user",
        json::array{json::object{{"type", "tool_result"},
                                 {"tool_use_id", call_},
                                 {"content", text},
                                 {"is_error", failed}}},
        std::move(details), 10);
  }
  void say_block(json::object block) { say("assistant", json::array{std::move(block)}); }
  void say(std::string_view role, json::value content, json::value details = nullptr,
           Millis later = 10'000) {
    const std::string id = session_.substr(0, 8) + "-" + std::to_string(++number_);
    json::object message{{"role", role}, {"content", std::move(content)}};
    if (role == "assistant") {
      message["id"] = "m" + id;
      message["type"] = "message";
      message["model"] = "claude-x";
    }
    json::object record{{"type", role},
                        {"uuid", id},
                        {"parentUuid", parent_.empty() ? json::value() : json::value(parent_)},
                        {"sessionId", session_},
                        {"cwd", root_.string()},
                        {"timestamp", to_iso8601(clock_.now += later)},
                        {"message", std::move(message)}};
    if (!details.is_null()) record["toolUseResult"] = std::move(details);
    parent_ = id;
    records_.push_back(std::move(record));
  }

  const Weft& weft_;
  TestClock& clock_;
  std::string session_, parent_, call_;
  fs::path root_;
  std::vector<json::object> records_;
  int number_ = 0;
};

// A repository, and the time in which people and agents work on it.
struct Script {
  explicit Script(const Weft& used, const std::string& name = "looms")
      : weft(used), repository(used.scratch() / name) {}

  Agent agent(const std::string& session) { return {weft, clock, session, repository.root()}; }
  std::string commit(std::string_view subject) {
    repository.at(clock.tick());
    return repository.commit(subject);
  }
  fs::path path(std::string_view file) const { return repository.root() / file; }
  json::object blame(std::string_view file, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"blame", (repository.root() / file).string()});
    return weft.json(more);
  }

  const Weft& weft;
  TestClock clock;
  TestRepository repository;
};

// The answer to one line: "TIME RULE", or the silence.
struct LineOf {
  Millis time = 0;  // of the call; 0 without an answer
  std::string rule{}, silence{}, session{};
};
inline LineOf line_of(const json::object& blame, std::size_t number) {
  for (const json::value& value : list(blame, "runs")) {
    const json::object& run = value.get_object();
    const auto at = static_cast<std::int64_t>(number);
    if (at < weft::test::number(run, "first") || at > weft::test::number(run, "last")) continue;
    if (run.contains("silence")) return {.silence = text(run, "silence")};
    return {.time = weft::test::number(run, "time"),
            .rule = text(run, "rule"),
            .session = text(run, "session_id")};
  }
  ADD_FAILURE() << "no run holds line " << number;
  return {};
}

}  // namespace weft::test
