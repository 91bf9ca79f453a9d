// LongTalk: a generated conversation of many short blocks, as a plain transcript.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "corpus.hpp"
#include "weft/base/json.hpp"

namespace weft::bench {

// Prompts, reasoning, calls, results, answers.
class LongTalk : private TalkWords {
 public:
  LongTalk() : TalkWords(7) {}

  void write(const std::filesystem::path& path, std::uint64_t blocks) {
    std::ofstream out(path, std::ios::binary);
    out << "Title: A long talk\nModel: claude-opus-4-5\nSession: long-talk\n\n";
    for (std::uint64_t written = 0; written < blocks; written += kInRound) {
      out << section("Human", {said("text", "text", prose(80))});
      const std::string id = "toolu_" + std::to_string(written);
      json::object call = timed("tool_use");
      call["id"] = id;
      call["name"] = written % 3 == 0 ? "bash" : "edit";
      call["input"] = json::object{{"command", prose(60)}};
      json::object result{{"type", "tool_result"},
                          {"tool_use_id", id},
                          {"name", call["name"]},
                          {"is_error", written % 7 == 0}};
      result["content"] = json::array{json::object{{"type", "text"}, {"text", lines(3)}}};
      json::object thinking = said("thinking", "thinking", prose(200));
      thinking["summaries"] = json::array();
      thinking["cut_off"] = false;
      out << section("Assistant", {std::move(thinking), std::move(call), std::move(result),
                                   said("text", "text", prose(150))});
    }
  }

 private:
  static constexpr std::uint64_t kInRound = 5;
};

}  // namespace weft::bench
