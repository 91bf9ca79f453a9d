#include "weft/formats/apis/anthropic/body.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/anthropic/lines.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

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

bool is_over_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with('{') || end == std::string_view::npos) return false;
  JsonValueScanner scanner;
  scanner.start();
  if (scanner.feed(text.substr(0, end)).done) return false;
  // A line that was torn has another one behind it.
  return !text.substr(end + 1).starts_with('{');
}

Body::Body(std::string_view text, std::uint64_t line) : text_(trim(text)), line_(line) {
  if (!text_.starts_with('{')) return;
  members_ = cut_json(text_, {});
  std::erase_if(members_, [](const Piece& piece) { return piece.stray || piece.member.empty(); });
}

std::string_view Body::get(std::string_view key) const {
  std::string_view found;
  for (const Piece& piece : members_) {
    if (piece.member == key) found = piece.text;
  }
  return found;
}

std::optional<std::string> Body::string(std::string_view key) const {
  const std::string_view text = get(key);
  if (!text.starts_with('"')) return std::nullopt;
  const Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_string()) return std::nullopt;
  return std::string(view(parsed->value.get_string()));
}

std::optional<std::string> Body::id(std::string_view key) const {
  const auto text = string(key);
  return text ? find_id({{"id", *text}}, "id") : std::nullopt;
}

Body Body::inner(std::string_view key) const {
  std::uint64_t line = line_;
  for (const Piece& piece : members_) {
    if (piece.member == key) line = line_ + piece.line;
  }
  return Body(get(key), line);
}

std::vector<Body> Body::elements_of(std::string_view array, std::uint64_t line) {
  std::vector<Body> bodies;
  if (!array.starts_with('[')) return bodies;
  for (const Piece& piece : cut_json(array, {})) {
    if (!piece.stray) bodies.emplace_back(piece.text, line + piece.line);
  }
  return bodies;
}

std::vector<Body> Body::elements(std::string_view key) const {
  const Body array = inner(key);
  return elements_of(array.text(), array.line());
}

Body::Shape Body::shape() const {
  const std::string type = string("type").value_or("");
  if (is_event(type)) return Shape::event;
  if (type == "message" && has("role") && has("content")) return Shape::response;
  if (has_array("messages")) return Shape::request;
  if (has("custom_id") && has_object("result")) return Shape::batch;
  if (has_object("request") || has_object("response")) return Shape::pair;
  if (has("role") && has("content")) return Shape::message;
  return Shape::other;
}

std::optional<Millis> Body::time() const {
  for (const char* key : {"timestamp", "created_at", "time", "ts"}) {
    if (const auto text = string(key)) return parse_iso8601(*text);
  }
  return std::nullopt;
}

}  // namespace weft::formats::anthropic
