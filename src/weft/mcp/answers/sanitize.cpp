#include "weft/mcp/answers/sanitize.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <vector>

#include "weft/search/visible.hpp"

namespace weft::mcp {
namespace {

// Shorter texts are never cut: names, CIDs and signatures.
constexpr std::size_t kWhole = 400;
constexpr std::size_t kLeast = 200;  // the minimum that a cut text keeps, however many there are
constexpr std::size_t kNote = 60;    // for the note that it was cut

// At most `most` bytes, without a broken character at the end.
std::string_view begin_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

std::string cut(std::string_view text, std::size_t most) {
  const std::string_view kept = begin_of(text, most);
  return std::string(kept) + "… [" + std::to_string(text.size() - kept.size()) +
         " more bytes were cut here]";
}

void collect(json::value& value, std::vector<json::string*>& texts) {
  if (json::string* text = value.if_string()) {
    if (text->size() > kWhole) texts.push_back(text);
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

std::string cleaned(std::string_view text) { return search::without_hidden(text); }

void clean(json::value& value) {
  if (json::string* text = value.if_string()) {
    if (search::has_hidden(view(*text))) {
      const std::string visible = cleaned(view(*text));
      text->assign(visible.data(), visible.size());
    }
  } else if (json::array* array = value.if_array()) {
    for (json::value& element : *array) clean(element);
  } else if (json::object* object = value.if_object()) {
    bool is_hidden = false;
    for (auto& member : *object) {
      clean(member.value());
      is_hidden = is_hidden || search::has_hidden({member.key().data(), member.key().size()});
    }
    if (!is_hidden) return;
    json::object visible;
    for (auto& member : *object) {
      visible[cleaned({member.key().data(), member.key().size()})] = std::move(member.value());
    }
    *object = std::move(visible);
  }
}

bool fit(json::object& value, std::size_t most) {
  std::size_t size = json::serialize(value).size();
  if (size <= most) return false;
  std::vector<json::string*> texts;
  for (auto& member : value) collect(member.value(), texts);
  std::vector<std::string> whole;
  std::vector<std::size_t> sizes;
  std::size_t budget = 0;
  for (const json::string* text : texts) {
    whole.emplace_back(view(*text));
    sizes.push_back(text->size());
    budget += text->size();
  }
  bool has_cut = false;
  // Escapes make JSON longer than its texts: further rounds correct the estimate.
  for (int round = 0; round < 6 && size > most; ++round) {
    budget = budget > size - most ? budget - (size - most) : 0;
    const std::size_t keep = std::max(level(sizes, budget), kLeast);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (whole[i].size() <= keep + kNote) continue;
      const std::string shorter = cut(whole[i], keep);
      texts[i]->assign(shorter.data(), shorter.size());
      has_cut = true;
    }
    if (keep == kLeast) break;
    size = json::serialize(value).size();
  }
  return has_cut;
}

std::string fitted(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return cut(text, most > kNote ? most - kNote : 0);
}

}  // namespace weft::mcp
