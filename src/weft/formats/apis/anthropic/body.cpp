#include "weft/formats/apis/anthropic/body.hpp"

#include <algorithm>
#include <array>

namespace weft::formats::anthropic {

bool is_event(std::string_view type) {
  constexpr std::array<std::string_view, 8> kEvents = {"message_start",
                                                       "content_block_start",
                                                       "content_block_delta",
                                                       "content_block_stop",
                                                       "message_delta",
                                                       "message_stop",
                                                       "ping",
                                                       "error"};
  return std::ranges::find(kEvents, type) != kEvents.end();
}

bool begins_as_event(std::string_view text) {
  constexpr std::string_view kOpening = "{\"type\":";
  if (!text.starts_with(kOpening)) return false;
  text.remove_prefix(kOpening.size());
  const std::size_t quote = text.find('"');
  if (text.find_first_not_of(' ') != quote || quote == std::string_view::npos) return false;
  text.remove_prefix(quote + 1);
  return is_event(text.substr(0, text.find('"')));
}

Shape shape_of(const LoggedBody& body) {
  const std::string type = body.string("type").value_or("");
  if (is_event(type)) return Shape::event;
  if (type == "message" && body.has("role") && body.has("content")) return Shape::response;
  if (body.has_array("messages")) return Shape::request;
  if (body.has("custom_id") && body.has_object("result")) return Shape::batch;
  if (body.has_object("request") || body.has_object("response")) return Shape::pair;
  if (body.has("role") && body.has("content")) return Shape::message;
  return Shape::other;
}

std::optional<Millis> time_of(const LoggedBody& body) {
  for (const char* key : {"timestamp", "created_at", "time", "ts"}) {
    if (const auto text = body.string(key)) return parse_iso8601(*text);
  }
  return std::nullopt;
}

}  // namespace weft::formats::anthropic
