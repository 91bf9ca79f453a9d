// The sources that a message names for its text: metadata.content_references, or, in older
// exports, metadata.citations. In the text itself stand marks for them, which are kept.
#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Citation;

// Real answers lean on a few dozen.
constexpr std::size_t kMostCitations = 1000;

class Sources {
 public:
  explicit Sources(std::string_view text) : points_(count_code_points(text)) {}

  // `place` has the indices under these names.
  void add(const json::object& source, const json::object& place, std::string_view from,
           std::string_view to) {
    Citation citation;
    citation.url = find_words(source, "url");
    citation.title = find_words(source, "title");
    if (!citation.title) citation.title = find_words(source, "name");
    citation.text = find_words(source, "text");
    if (!citation.text) citation.text = find_words(source, "snippet");
    if (!citation.url && !citation.title) return;
    const auto first = find_int(place, from), last = find_int(place, to);
    const bool is_within = first && last && *first >= 0 && *first <= *last &&
                           static_cast<std::uint64_t>(*last) <= points_;
    if (is_within) {
      citation.indices = {static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*last)};
    }
    const bool is_known = std::ranges::find(found_, citation) != found_.end();
    if (!is_known && found_.size() < kMostCitations) found_.push_back(std::move(citation));
  }

  bool empty() const { return found_.empty(); }
  std::vector<Citation> take() { return std::move(found_); }

 private:
  std::size_t points_;
  std::vector<Citation> found_;
};

// {"matched_text", "start_idx", "end_idx", "type", "items": [{"title", "url", "snippet"}]}; of a
// single source the reference itself has these. The list at the foot repeats them all.
void add_references(const json::array& references, Sources& sources) {
  for (const json::value& value : references) {
    const json::object* reference = value.if_object();
    if (reference == nullptr || find_string(*reference, "type") == "sources_footnote") continue;
    const json::array* items = find_array(*reference, "items");
    if (items == nullptr || items->empty()) {
      sources.add(*reference, *reference, "start_idx", "end_idx");
      continue;
    }
    for (const json::value& item : *items) {
      const json::object* source = item.if_object();
      if (source != nullptr) sources.add(*source, *reference, "start_idx", "end_idx");
    }
  }
}

// {"start_ix", "end_ix", "metadata": {"title", "url", "text"}}.
void add_citations(const json::array& citations, Sources& sources) {
  for (const json::value& value : citations) {
    const json::object* citation = value.if_object();
    const json::object* source = citation == nullptr ? nullptr : find_object(*citation, "metadata");
    if (source != nullptr) sources.add(*source, *citation, "start_ix", "end_ix");
  }
}

}  // namespace

transcript::Text cite(std::string text, const json::object& message) {
  const json::object* metadata = find_object(message, "metadata");
  if (metadata == nullptr) return {.text = std::move(text), .citations = {}};
  const json::array* references = find_array(*metadata, "content_references");
  const json::array* citations = find_array(*metadata, "citations");
  if (references == nullptr && citations == nullptr)
    return {.text = std::move(text), .citations = {}};
  Sources sources(text);
  if (references != nullptr) add_references(*references, sources);
  if (sources.empty() && citations != nullptr) add_citations(*citations, sources);
  return {.text = std::move(text), .citations = sources.take()};
}

}  // namespace weft::formats::chatgpt_export
