// Transcripts to measure on: generated from a seed, in the proportions of real sessions
// (half of the bytes are tool output, a quarter thinking, the rest words and calls).
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

// Writes the parts of a text-form transcript, each block later than the one before.
class TalkWords : protected Words {
 protected:
  using Words::Words;

  json::object timed(std::string_view type) {
    json::object block;
    block["start_timestamp"] = to_iso8601(now_);
    now_ += static_cast<Millis>(200 + number(4000));
    block["stop_timestamp"] = to_iso8601(now_);
    block["type"] = type;
    return block;
  }
  json::object said(std::string_view type, std::string_view member, std::string text) {
    json::object block = timed(type);
    block[member] = std::move(text);
    return block;
  }
  static std::string section(std::string_view role, const std::vector<json::object>& blocks) {
    std::string text = std::string(role) + ":\nContent:\n[";
    for (const json::object& block : blocks)
      text += (text.back() == '[' ? "" : ",\n") + canonical_json(block);
    return text + "]\n\n" + std::string(80, '=') + "\n";
  }

  Millis now_ = 1'760'000'000'000;
};

class Corpus : private TalkWords {
 public:
  explicit Corpus(std::uint64_t seed) : TalkWords(seed) {}

  // Text-form transcripts of about `bytes` in all, each of a few hundred kilobytes.
  std::vector<std::filesystem::path> write(const std::filesystem::path& dir, std::uint64_t bytes) {
    std::vector<std::filesystem::path> files;
    for (std::uint64_t written = 0; written < bytes;) {
      const std::string text = transcript(15 + number(6));
      files.push_back(dir / ("talk-" + std::to_string(files.size()) + ".txt"));
      std::ofstream(files.back(), std::ios::binary) << text;
      written += text.size();
    }
    return files;
  }

  std::string transcript(std::uint64_t prompts) {
    std::string text = "Title: " + prose(40) + "\nModel: claude-opus-4-5\n\n";
    for (std::uint64_t i = 0; i < prompts; ++i) {
      text += section("Human", {said("text", "text", prose(200))});
      std::vector<json::object> blocks;
      for (std::uint64_t round = 0; round < 1 + number(3); ++round) {
        json::object thinking = said("thinking", "thinking", prose(1800));
        thinking["summaries"] = json::array{json::object{{"summary", prose(120)}}};
        thinking["cut_off"] = false;
        blocks.push_back(std::move(thinking));
        const std::string id = "toolu_" + std::to_string(number(UINT64_MAX));
        json::object call = timed("tool_use");
        call["id"] = id;
        call["name"] = "bash";
        call["input"] = json::object{{"command", prose(160)}, {"description", prose(40)}};
        blocks.push_back(std::move(call));
        json::object result{
            {"type", "tool_result"}, {"tool_use_id", id}, {"name", "bash"}, {"is_error", false}};
        result["content"] =
            json::array{json::object{{"type", "text"}, {"text", lines(3 + number(28))}}};
        blocks.push_back(std::move(result));
      }
      blocks.push_back(said("text", "text", prose(700)));
      text += section("Assistant", blocks);
    }
    return text;
  }
};

}  // namespace weft::bench
