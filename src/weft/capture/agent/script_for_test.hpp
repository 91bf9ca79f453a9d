// Conversations to be pushed block by block, and the same as files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::capture {

struct Line {
  transcript::Role role;
  json::object block;
};
using Script = std::vector<Line>;

// When the n-th block of a script is pushed.
inline Millis moment(std::size_t n) {
  return Millis{1'770'000'000'000} + static_cast<Millis>(n) * 1'000;
}

inline transcript::Role role_called(std::string_view label) {
  if (label == "Human:") return transcript::Role::human;
  return label == "System:" ? transcript::Role::system : transcript::Role::assistant;
}

// The blocks of a transcript's text form. Its own facts are left out.
inline Script parse_script(std::string_view text) {
  Script script;
  std::optional<transcript::Role> role;
  std::string content;
  const auto end_section = [&] {
    if (role && !content.empty()) {
      const json::value blocks = parse_json(content).value().value;
      for (const json::value& block : blocks.as_array()) {
        const bool is_bare = block.is_string();
        script.push_back(
            {*role, is_bare ? json::object{{"type", "text"}, {"text", block}} : block.as_object()});
      }
    }
    role.reset();
    content.clear();
  };
  bool in_content = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("==========")) {
      end_section();
      in_content = false;
    } else if (in_content) {
      content += std::string(line) + "\n";
    } else if (line == "Human:" || line == "Assistant:" || line == "System:") {
      role = role_called(line);
    } else if (line == "Content:") {
      in_content = true;
    }
  }
  end_section();
  return script;
}

inline Script fixture(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/anthropic_transcript" / name;
  const Result<std::string> text = read_file(path.string());
  EXPECT_TRUE(text) << path;
  return parse_script(text.value_or(""));
}

// The same as a file, each block stamped as if it had been pushed at its moment.
inline std::string to_file(const Script& script, std::string_view session) {
  json::array turns;
  std::optional<transcript::Role> role;
  for (std::size_t i = 0; i < script.size(); ++i) {
    if (role != script[i].role) {
      role = script[i].role;
      turns.push_back(
          json::object{{"role", transcript::to_string(*role)}, {"content", json::array()}});
    }
    json::object block = script[i].block;
    if (!block.contains("start_timestamp") && !block.contains("stop_timestamp")) {
      block["start_timestamp"] = to_iso8601(moment(i));
    }
    turns.back().as_object()["content"].as_array().push_back(std::move(block));
  }
  return pretty_json(json::object{{"session_id", session}, {"turns", std::move(turns)}});
}

}  // namespace weft::capture
