// The words in which tests speak of Gemini's chats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats::gemini {

inline const std::string kHeader =
    R"({"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00Z","kind":"main"})";

inline std::string log_of(const std::vector<std::string>& lines) {
  std::string all = kHeader + "\n";
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

inline std::string authored(std::string_view id, std::string_view type, std::string_view text,
                            std::string_view more = "") {
  return std::string("{\"id\":\"")
      .append(id)
      .append("\",\"timestamp\":\"2026-01-01T00:00:01Z\",\"type\":\"")
      .append(type)
      .append("\",\"content\":\"")
      .append(text)
      .append("\"")
      .append(more)
      .append("}");
}

inline transcript::Collector read(const std::vector<std::string>& lines,
                                  const SourceInfo& info = {}) {
  return read_with("gemini", log_of(lines), info);
}

inline std::string outline_of(const std::vector<std::string>& lines) {
  const transcript::Collector collector = read(lines);
  return collector.conversations.empty() ? "" : outline(collector.conversations[0]);
}

inline std::string call(std::string_view id, std::string_view status, std::string_view more = "") {
  return std::string("{\"id\":\"")
      .append(id)
      .append(R"(","name":"ls","args":{"path":"."},"status":")")
      .append(status)
      .append("\"")
      .append(more)
      .append("}");
}

inline std::string response(std::string_view id, std::string_view output) {
  return std::string(R"({"functionResponse":{"id":")")
      .append(id)
      .append(R"(","name":"ls","response":{"output":")")
      .append(output)
      .append("\"}}}");
}

}  // namespace weft::formats::gemini
