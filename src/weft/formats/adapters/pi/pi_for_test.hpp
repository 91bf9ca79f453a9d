// The words in which tests speak of pi's sessions and OpenClaw's.
#pragma once

#include <string>
#include <string_view>

#include "weft/formats/reading_for_test.hpp"

namespace weft::formats::pi {

// One line of a session: an entry that follows `parent`, or the line before it for "".
inline std::string entry(std::string_view type, std::string_view id, std::string_view parent,
                         std::string_view members) {
  std::string line = R"({"type":")" + std::string(type) + R"(","id":")" + std::string(id) + '"';
  if (!parent.empty()) line += R"(,"parentId":")" + std::string(parent) + '"';
  if (!members.empty()) line += "," + std::string(members);
  return line + "}\n";
}
inline std::string message(std::string_view id, std::string_view parent, std::string_view members) {
  return entry("message", id, parent, R"("message":{)" + std::string(members) + "}");
}
inline std::string user(std::string_view id, std::string_view parent, std::string_view words) {
  return message(
      id, parent,
      R"("role":"user","content":[{"type":"text","text":")" + std::string(words) + R"("}])");
}
inline std::string answer(std::string_view id, std::string_view parent, std::string_view words) {
  return message(id, parent,
                 R"("role":"assistant","model":"m","content":[{"type":"text","text":")" +
                     std::string(words) + R"("}])");
}
inline const std::string kHeader =
    R"({"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00Z","cwd":"/w/p"})"
    "\n";

}  // namespace weft::formats::pi
