// Vocabulary for tests of readers: reads texts and real files, and summarises what was emitted.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats {

namespace fs = std::filesystem;
using transcript::Author;
using transcript::Block;
using transcript::Collector;
using transcript::Conversation;
using transcript::Origin;
using transcript::Spawned;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Usage;
using Counts = std::map<std::string, int>;

inline transcript::Collector read_with(std::string_view adapter, std::string_view bytes,
                                       const SourceInfo& info = {}) {
  transcript::Collector collector;
  read_all(*find_adapter(adapter), info, bytes, collector);
  return collector;
}

inline std::string_view kind_name(const transcript::Body& body) {
  constexpr std::array<std::string_view, 10> kNames = {
      "text",       "thinking",   "redacted", "call",    "result",
      "attachment", "compaction", "summary",  "failure", "unknown"};
  return kNames.at(body.index());
}

// "human u1: Hi. | assistant a1<t0: thinking call result": `<` names a turn's parent, `*` marks a
// program's block; short texts are shown as they are.
inline std::string outline(const transcript::Conversation& conversation) {
  std::string out;
  for (const transcript::Turn& turn : conversation.turns) {
    if (!out.empty()) out += " | ";
    out += std::string(to_string(turn.head.role)) + " " + turn.head.source_id;
    if (turn.head.parent) out += "<" + *turn.head.parent;
    out += ":";
    for (const transcript::Block& block : turn.blocks) {
      const auto* blocks = std::get_if<transcript::Text>(&block.body);
      out += " ";
      if (block.author == transcript::Author::program) out += "*";
      out += blocks != nullptr && blocks->text.size() < 24 ? blocks->text
                                                           : std::string(kind_name(block.body));
    }
  }
  return out;
}

// How many blocks there are of each kind.
inline std::map<std::string, int> kinds_of(const transcript::Conversation& conversation) {
  std::map<std::string, int> kinds;
  for (const transcript::Turn& turn : conversation.turns) {
    for (const transcript::Block& block : turn.blocks) {
      ++kinds[std::string(kind_name(block.body))];
    }
  }
  return kinds;
}

inline std::map<std::string, int> reasons_of(const std::vector<transcript::Skipped>& skipped) {
  std::map<std::string, int> reasons;
  for (const transcript::Skipped& one : skipped) ++reasons[one.reason];
  return reasons;
}

inline std::vector<transcript::Block> blocks_of(const transcript::Conversation& conversation) {
  std::vector<transcript::Block> blocks;
  for (const transcript::Turn& turn : conversation.turns) {
    blocks.insert(blocks.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return blocks;
}

inline std::filesystem::path real_fixtures() {
  return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/fixtures";
}

// Tests on the real files in a folder beside the project: skipped where it is not there.
class RealFiles : public testing::Test {
 protected:
  // Paths are below `folder`, and read by the adapter of that name.
  RealFiles(std::string_view adapter, std::string_view folder)
      : root_(real_fixtures() / folder), adapter_(adapter) {}

  void SetUp() override {
    if (!std::filesystem::exists(root_)) GTEST_SKIP() << "the shared fixtures are not here";
  }

  transcript::Collector read(std::string_view path, const SourceInfo& info = {}) const {
    return read_with(adapter_, read_file(root_ / path).value(), info);
  }
  // Reads a file with the files beside it.
  transcript::Collector read_there(std::string_view path) const {
    return read(path, info_of(root_ / path));
  }
  static SourceInfo info_of(const std::filesystem::path& path) {
    SourceInfo info{.name = path.filename().string(), .directory = path.parent_path().string()};
    info.beside = [folder = path.parent_path()](std::string_view relative) {
      const auto text = read_file(folder / relative);
      return text ? std::optional(*text) : std::nullopt;
    };
    return info;
  }

  std::filesystem::path root_;

 private:
  std::string_view adapter_;
};

}  // namespace weft::formats
