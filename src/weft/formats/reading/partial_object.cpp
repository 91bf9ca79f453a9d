#include "weft/formats/reading/partial_object.hpp"

#include <utility>

#include "weft/base/json.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {

PartialObject::PartialObject(std::string_view text, std::uint64_t line)
    : text_(trim(text)), line_(line) {
  if (!text_.starts_with('{')) return;
  members_ = cut_json(text_, {});
  std::erase_if(members_,
                [](const JsonPiece& piece) { return piece.stray || piece.member.empty(); });
}

std::string_view PartialObject::get(std::string_view key) const {
  std::string_view found;
  for (const JsonPiece& piece : members_) {
    if (piece.member == key) found = piece.text;
  }
  return found;
}

std::optional<std::string> PartialObject::string(std::string_view key) const {
  const std::string_view text = get(key);
  if (!text.starts_with('"')) return std::nullopt;
  const Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_string()) return std::nullopt;
  return std::string(view(parsed->value.get_string()));
}

std::optional<std::string> PartialObject::id(std::string_view key) const {
  const auto text = string(key);
  return text ? find_id({{"id", *text}}, "id") : std::nullopt;
}

PartialObject PartialObject::inner(std::string_view key) const {
  std::uint64_t line = line_;
  for (const JsonPiece& piece : members_) {
    if (piece.member == key) line = line_ + piece.line;
  }
  return PartialObject(get(key), line);
}

std::vector<PartialObject> PartialObject::elements_of(std::string_view array, std::uint64_t line) {
  std::vector<PartialObject> bodies;
  if (!array.starts_with('[')) return bodies;
  for (const JsonPiece& piece : cut_json(array, {})) {
    if (!piece.stray) bodies.emplace_back(piece.text, line + piece.line);
  }
  return bodies;
}

std::vector<PartialObject> PartialObject::elements(std::string_view key) const {
  const PartialObject array = inner(key);
  return elements_of(array.text(), array.line());
}

}  // namespace weft::formats
