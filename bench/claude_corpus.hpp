// A generated ~/.claude/projects: sessions of 15 to 20 prompts, each with one to three rounds
// of thinking, tool call and 3 to 30 lines of output, one line of JSON for each block, in the
// envelope that Claude Code writes. Of the plain kind results have no structured copy beside them,
// and words follow Zipf's law: a thousand bytes a block, little of which comes twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "words.hpp"

namespace weft::bench {

class ClaudeCorpus : private Words {
 public:
  enum class Kind { full, plain };
  explicit ClaudeCorpus(std::uint64_t seed, Kind kind = Kind::full)
      : Words(seed, kind == Kind::full ? Law::common_and_rare : Law::zipf), kind_(kind) {}

  // Of about `bytes` in all, in some 40 projects. Returns the sessions' files.
  std::vector<std::filesystem::path> write(const std::filesystem::path& projects,
                                           std::uint64_t bytes) {
    std::vector<std::filesystem::path> files;
    for (std::uint64_t written = 0; written < bytes;) {
      const std::string name = "project" + std::to_string(number(40));
      const std::filesystem::path folder = projects / ("-home-dev-" + name);
      std::filesystem::create_directories(folder);
      begin("/home/dev/" + name);
      std::string text;
      const std::uint64_t prompts = 15 + number(6);
      for (std::uint64_t i = 0; i < prompts; ++i) round(text);
      files.push_back(folder / (session_ + ".jsonl"));
      std::ofstream(files.back(), std::ios::binary) << text;
      written += text.size();
    }
    return files;
  }

  // One session of about `bytes`.
  std::filesystem::path write_one(const std::filesystem::path& projects, std::uint64_t bytes) {
    const std::filesystem::path folder = projects / "-home-dev-long";
    std::filesystem::create_directories(folder);
    begin("/home/dev/long");
    const std::filesystem::path path = folder / (session_ + ".jsonl");
    std::ofstream out(path, std::ios::binary);
    for (std::uint64_t written = 0; written < bytes;) {
      std::string text;
      round(text);
      out << text;
      written += text.size();
    }
    return path;
  }

  // A further prompt of the session that was written last.
  std::string prompt() {
    return line("user", json::object{{"role", "user"}, {"content", prose(150)}});
  }

 private:
  void begin(std::string cwd) {
    cwd_ = std::move(cwd);
    session_ = uuid();
    parent_.clear();
  }

  void round(std::string& text) {
    text += prompt();
    const std::uint64_t rounds = 1 + number(3);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      message_ = "msg_01" + hex(22);
      request_ = "req_011" + hex(21);
      text += assistant_line(
          json::object{{"type", "thinking"}, {"thinking", prose(500)}, {"signature", base64(200)}});
      const std::string call = "toolu_01" + hex(22);
      text += assistant_line(json::object{
          {"type", "tool_use"},
          {"id", call},
          {"name", "Bash"},
          {"input", json::object{{"command", prose(120)}, {"description", prose(40)}}}});
      const std::string output = lines(3 + number(28), kind_ == Kind::full ? 40 : 55);
      json::object result{
          {"type", "tool_result"}, {"tool_use_id", call}, {"content", output}, {"is_error", false}};
      json::value copy;
      if (kind_ == Kind::full) {
        copy = {{"stdout", output}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
      }
      text +=
          line("user", json::object{{"role", "user"}, {"content", json::array{std::move(result)}}},
               std::move(copy));
    }
    message_ = "msg_01" + hex(22);
    text += assistant_line(json::object{{"type", "text"}, {"text", prose(400)}});
  }

  std::string assistant_line(json::object block) {
    json::object usage{{"input_tokens", 4 + number(20)},
                       {"cache_creation_input_tokens", number(4000)},
                       {"cache_read_input_tokens", number(90000)},
                       {"output_tokens", number(900)},
                       {"service_tier", "standard"}};
    return line("assistant", json::object{{"model", "claude-opus-4-5"},
                                          {"id", message_},
                                          {"type", "message"},
                                          {"role", "assistant"},
                                          {"content", json::array{std::move(block)}},
                                          {"stop_reason", nullptr},
                                          {"stop_sequence", nullptr},
                                          {"usage", std::move(usage)}});
  }

  std::string line(std::string_view type, json::object message, json::value result = nullptr) {
    json::object record;
    record["parentUuid"] = parent_.empty() ? json::value() : json::value(parent_);
    record["isSidechain"] = false;
    record["userType"] = "external";
    record["cwd"] = cwd_;
    record["sessionId"] = session_;
    record["version"] = "2.1.39";
    record["gitBranch"] = "main";
    record["type"] = type;
    record["message"] = std::move(message);
    if (type == "assistant") record["requestId"] = request_;
    parent_ = uuid();
    record["uuid"] = parent_;
    now_ += static_cast<Millis>(200 + number(4000));
    record["timestamp"] = to_iso8601(now_);
    if (!result.is_null()) record["toolUseResult"] = std::move(result);
    std::string text;
    append_canonical(text, record);
    return text + "\n";
  }

  std::string base64(int size) {
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[number(64)];
    }
    return text;
  }

  Kind kind_;
  std::string cwd_, session_, parent_, message_, request_;
  Millis now_ = 1'760'000'000'000;
};

}  // namespace weft::bench
