#include "weft/mcp/answers/answer_size.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <vector>

#include "weft/base/utf8.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {
namespace {

// Shorter texts are never cut: names, CIDs and signatures.
constexpr std::size_t kWhole = 400;
constexpr std::size_t kLeast = 200;  // the minimum that a cut text keeps, however many there are
constexpr std::size_t kNote = 60;    // for the note that it was cut

std::string cut(std::string_view text, std::size_t most) {
  const std::string_view kept = cut_utf8(text, most);
  return std::string(kept) + "… [" + std::to_string(text.size() - kept.size()) +
         " more bytes were cut here]";
}

// A text that may be cut.
struct Text {
  json::string* value;
  std::string whole;
  std::size_t json_size;  // of the value as it is now
};

std::size_t json_size_of(const json::string& text) { return json::serialize(text).size(); }

void collect(json::value& value, std::vector<Text>& texts) {
  if (json::string* text = value.if_string()) {
    if (text->size() > kWhole) {
      texts.push_back({text, std::string(view(*text)), json_size_of(*text)});
    }
  } else if (json::array* array = value.if_array()) {
    for (json::value& element : *array) collect(element, texts);
  } else if (json::object* object = value.if_object()) {
    for (auto& member : *object) collect(member.value(), texts);
  }
}

// The maximum length of each text so that together they have `budget`.
std::size_t level(std::vector<std::size_t> sizes, std::size_t budget) {
  std::ranges::sort(sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t share = budget / (sizes.size() - i);
    if (sizes[i] > share) return share;
    budget -= sizes[i];
  }
  return sizes.empty() ? 0 : sizes.back();
}

}  // namespace

std::size_t max_chars_of(const Call& call) {
  return static_cast<std::size_t>(find_int(call.arguments(), "max_chars").value_or(kDefaultChars));
}

std::uint64_t room_in(const Call& call) {
  const std::uint64_t most = max_chars_of(call);
  return most - most / 10;
}

std::size_t least_chars(const json::object& object) {
  std::size_t sum = 2;
  for (const auto& member : object) sum += member.key().size() + 4 + least_chars(member.value());
  return sum;
}

std::size_t least_chars(const json::value& value) {
  if (const json::object* object = value.if_object()) return least_chars(*object);
  if (const json::array* array = value.if_array()) {
    std::size_t sum = 2;
    for (const json::value& element : *array) sum += 1 + least_chars(element);
    return sum;
  }
  const json::string* text = value.if_string();
  return text != nullptr && text->size() > kWhole ? kLeast + kNote : canonical_json(value).size();
}

bool fit(json::object& value, std::size_t most) {
  std::size_t size = json::serialize(value).size();  // kept up to date as texts are cut
  if (size <= most) return false;
  std::vector<Text> texts;
  for (auto& member : value) collect(member.value(), texts);
  std::vector<std::size_t> sizes;
  std::size_t budget = 0;
  for (const Text& text : texts) {
    sizes.push_back(text.whole.size());
    budget += text.whole.size();
  }
  bool has_cut = false;
  // Escapes make JSON longer than its texts: further rounds correct the estimate.
  for (int round = 0; round < 6 && size > most; ++round) {
    budget = budget > size - most ? budget - (size - most) : 0;
    const std::size_t keep = std::max(level(sizes, budget), kLeast);
    for (Text& text : texts) {
      if (text.whole.size() <= keep + kNote) continue;
      const std::string shorter = cut(text.whole, keep);
      text.value->assign(shorter.data(), shorter.size());
      size -= text.json_size;
      text.json_size = json_size_of(*text.value);
      size += text.json_size;
      has_cut = true;
    }
    if (keep == kLeast) break;
  }
  return has_cut;
}

std::string fitted(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return cut(text, most > kNote ? most - kNote : 0);
}

}  // namespace weft::mcp
