// EditedFiles: a repository, and a session of Claude Code that writes files in it and elsewhere.
//
//   EditedFiles files(garden);
//   const std::string call = files.writes("trees.txt", "an old apple tree\n");
//   files.ingest();
//   … files.cid_of(call)
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "weft/git/repository_for_test.hpp"
#include "weft/mcp/answers/garden_for_test.hpp"

namespace weft::page {

class EditedFiles {
 public:
  explicit EditedFiles(mcp::Garden& garden)
      : garden_(garden), repository(std::filesystem::canonical(garden.dir()) / "orchard") {
    say("user", "plant trees");
  }

  std::filesystem::path path(const std::filesystem::path& name) const {
    return repository.root() / name;
  }

  // The session writes a file below the root, or at an absolute path; each returns the id of the
  // call. `tells` only says so: what stands on disk stays as it is.
  std::string writes(const std::filesystem::path& name, const std::string& text) {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return tells(name, text);
  }
  std::string tells(const std::filesystem::path& name, const std::string& text,
                    bool is_error = false) {
    return calls("Write", {{"file_path", path(name).string()}, {"content", text}}, is_error,
                 {{"type", "create"}, {"originalFile", nullptr}});
  }
  std::string runs(const std::string& command) {
    return calls("Bash", {{"command", command}}, false, nullptr);
  }

  static std::string session() { return std::string(kSession); }
  void ingest() const {
    const std::filesystem::path file = garden_.dir() / (std::string(kSession) + ".jsonl");
    std::ofstream(file, std::ios::binary) << lines_;
    garden_.ingest(file);
  }

  // The thought of a call.
  std::string cid_of(const std::string& call) const {
    const auto row = query::resolve_conversation(garden_.library(), kSession);
    EXPECT_TRUE(row);
    std::string cid;
    const Status walked = query::walk(garden_.library(), *row, {}, [&](const json::object& turn) {
      for (const json::value& value : turn.at("thoughts").as_array()) {
        const json::object& thought = value.as_object();
        const bool is_call = query::kind_of(thought) == "tool_request" &&
                             find_string(*find_object(thought, "content"), "tool_use_id") == call;
        if (is_call) cid = view(thought.at("cid").as_string());
      }
    });
    EXPECT_TRUE(walked && !cid.empty()) << call;
    return cid;
  }

 private:
  std::string calls(std::string_view tool, json::object input, bool is_error, json::value details) {
    const std::string id = "plant-" + std::to_string(calls_++);
    say("assistant",
        json::array{json::object{
            {"type", "tool_use"}, {"id", id}, {"name", tool}, {"input", std::move(input)}}});
    say("user",
        json::array{json::object{{"type", "tool_result"},
                                 {"tool_use_id", id},
                                 {"content", "done"},
                                 {"is_error", is_error}}},
        std::move(details));
    return id;
  }

  static constexpr std::string_view kSession = "66666666-6666-4666-8666-666666666666";

  void say(std::string_view role, json::value content, json::value details = nullptr) {
    json::object message{{"role", role}, {"content", std::move(content)}};
    if (role == "assistant") {
      message["id"] = "m" + std::to_string(number_);
      message["type"] = "message";
      message["model"] = "claude-x";
    }
    json::object record{{"type", role},
                        {"uuid", "u" + std::to_string(number_)},
                        {"sessionId", kSession},
                        {"cwd", repository.root().string()},
                        {"timestamp", to_iso8601(1'770'000'000'000 + 10'000 * number_)},
                        {"message", std::move(message)}};
    record["parentUuid"] =
        number_ == 0 ? json::value() : json::value("u" + std::to_string(number_ - 1));
    if (!details.is_null()) record["toolUseResult"] = std::move(details);
    ++number_;
    lines_ += canonical_json(record) + "\n";
  }

  mcp::Garden& garden_;
  std::string lines_;
  int number_ = 0, calls_ = 0;

 public:
  const test::TestRepository repository;
};

}  // namespace weft::page
