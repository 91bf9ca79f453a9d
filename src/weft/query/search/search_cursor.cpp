#include "weft/query/search/search_cursor.hpp"

#include <array>
#include <charconv>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kVersion = "1.";
constexpr std::size_t kHashDigits = 16;

// Everything of a question that decides which results there are, and in which order.
std::string hash_of(const SearchOptions& question) {
  const auto texts = [](const std::vector<std::string>& all) {
    return json::array(all.begin(), all.end());
  };
  const auto time = [](const std::optional<Millis>& moment) {
    return moment ? json::value(*moment) : json::value(nullptr);
  };
  const json::array parts{
      question.query,
      texts(question.types),
      texts(question.projects),
      texts(question.roles),
      question.conversation ? json::value(question.conversation->cid.str()) : json::value(nullptr),
      time(question.since),
      time(question.until),
      question.group == SearchGroup::session};
  return to_hex(crypto::blake3(canonical_json(parts))).substr(0, kHashDigits);
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop == end || *stop != '.') return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return true;
}

// Takes all but the hash off the front of `text`.
std::optional<SearchCursor> take_cursor(std::string_view& text) {
  SearchCursor cursor;
  if (!text.starts_with(kVersion)) return std::nullopt;
  text.remove_prefix(kVersion.size());
  const bool is_cursor =
      take_number(text, cursor.offset) && take_number(text, cursor.asked_at) &&
      take_number(text, cursor.as_of.epoch) && take_number(text, cursor.as_of.documents) &&
      take_number(text, cursor.as_of.texts) && take_number(text, cursor.as_of.length);
  if (!is_cursor) return std::nullopt;
  return cursor;
}

}  // namespace

std::string to_cursor(const SearchCursor& cursor, const SearchOptions& question) {
  std::string out(kVersion.substr(0, 1));
  for (const std::string& part :
       {std::to_string(cursor.offset), std::to_string(cursor.asked_at),
        std::to_string(cursor.as_of.epoch), std::to_string(cursor.as_of.documents),
        std::to_string(cursor.as_of.texts), std::to_string(cursor.as_of.length),
        hash_of(question)}) {
    out += "." + part;
  }
  return out;
}

LocalClock clock_at(std::string_view cursor, LocalClock clock) {
  const std::optional<SearchCursor> parsed = take_cursor(cursor);
  if (parsed && parsed->asked_at > 0 && parsed->asked_at < clock.now) clock.now = parsed->asked_at;
  return clock;
}

Result<SearchCursor> parse_cursor(std::string_view text, const SearchOptions& question) {
  const std::optional<SearchCursor> cursor = take_cursor(text);
  if (!cursor) {
    return fail(ErrorCode::invalid_input,
                "not a cursor: give the next_cursor of an earlier page as it is");
  }
  if (text != hash_of(question)) {
    return fail(ErrorCode::invalid_input,
                "the cursor belongs to another question: repeat the query and its filters as they "
                "were, or leave the cursor out");
  }
  return *cursor;
}

}  // namespace weft::query
