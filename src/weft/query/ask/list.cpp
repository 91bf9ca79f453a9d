#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/ask/list_notes.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

using store::CatalogueEntry;

constexpr std::size_t kCidDigits = 64;
constexpr std::size_t kListBytes = 64 << 10;

Millis updated_at(const CatalogueEntry& entry) {
  return entry.known.facts.updated_at.value_or(entry.row.created_at);
}

json::object to_json(const CatalogueEntry& entry, Foreigners& foreigners,
                     const json::storage_ptr& memory = {}) {
  const auto& [row, known, is_internal, prompt, parent, has_sealed_facts] = entry;
  const auto text = [&](const std::optional<std::string>& of) {
    return of ? json::value(*of, memory) : json::value(memory);
  };
  json::object shown({{"cid", row.cid.str()},
                      {"session_id", row.session_id},
                      {"format", row.format},
                      {"source", row.source},
                      {"project", text(known.facts.project)},
                      {"cwd", text(known.facts.cwd)},
                      {"git_branch", text(known.facts.git_branch)},
                      {"title", text(known.facts.title ? known.facts.title : prompt)},
                      {"summary", text(known.facts.summary)},
                      {"created_at", row.created_at},
                      {"updated_at", updated_at(entry)},
                      {"turn_count", row.turn_count},
                      {"thought_count", row.thought_count},
                      {"models", json::array(known.models.begin(), known.models.end(), memory)}},
                     memory);
  if (parent) shown["parent"] = parent->str();
  if (is_internal) shown["internal"] = true;
  if (foreigners.is_foreign_creator(row.created_by)) shown[kForeign] = true;
  return shown;
}

// Whether `text` contains `part`, in any case of ASCII letters.
bool contains_words(std::string_view text, std::string_view part) {
  const auto found =
      std::ranges::search(text, part, [](char a, char b) { return to_lower(a) == to_lower(b); });
  return part.empty() || !found.empty();
}

// Whether `path` is `directory`, or lies below it.
bool is_below(std::string_view path, std::string_view directory) {
  while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
  if (!path.starts_with(directory)) return false;
  const std::string_view rest = path.substr(directory.size());
  return rest.empty() || rest.starts_with('/') || directory.ends_with('/');
}

bool is_wanted(const CatalogueEntry& entry, const ListOptions& options, bool by_part) {
  if (entry.is_internal && !options.internal) return false;
  const transcript::Facts& facts = entry.known.facts;
  if (options.project && facts.project != options.project &&
      !(by_part && contains_words(facts.project.value_or(""), *options.project))) {
    return false;
  }
  if (options.directory && !is_below(facts.cwd.value_or(""), *options.directory)) return false;
  if (options.since && updated_at(entry) < *options.since) return false;
  return !options.title || contains_words(title_of(entry).value_or(""), *options.title);
}

// The place of a conversation in a list: the most recently changed first, then by CID.
struct Place {
  Millis updated_at = 0;
  Cid cid;
  friend bool operator<(const Place& a, const Place& b) {
    return std::pair(b.updated_at, a.cid) < std::pair(a.updated_at, b.cid);
  }
};
Place place_of(const CatalogueEntry& entry) { return {updated_at(entry), entry.row.cid}; }

std::string to_cursor(const Place& place) {
  return std::to_string(place.updated_at) + "-" + place.cid.brief(kCidDigits);
}

Result<Place> parse_cursor(std::string_view text) {
  Place place;
  const auto dash = text.rfind('-');
  const std::string_view time = text.substr(0, dash == std::string_view::npos ? 0 : dash);
  const auto [end, error] =
      std::from_chars(time.data(), time.data() + time.size(), place.updated_at);
  const Result<Cid> cid = dash == std::string_view::npos
                              ? fail(ErrorCode::invalid_input, "")
                              : Cid::parse("cid:blake3:" + std::string(text.substr(dash + 1)));
  if (time.empty() || error != std::errc() || end != time.data() + time.size() || !cid) {
    return fail(ErrorCode::invalid_input, "the cursor " + std::string(text) +
                                              " is not one that a list returned as next_cursor");
  }
  place.cid = *cid;
  return place;
}

// Puts conversations that were spawned by another one of the list under that one.
class Folding {
 public:
  explicit Folding(const std::vector<CatalogueEntry*>& entries) {
    for (const CatalogueEntry* entry : entries) {
      by_cid_[entry->row.cid] = entry;
      if (entry->row.source == "primary") {
        main_[{entry->row.format, entry->row.session_id}] = entry;
      }
    }
  }

  // Takes those out that have a parent in the list, and counts them there.
  void fold(std::vector<CatalogueEntry*>& entries) {
    std::erase_if(entries, [&](const CatalogueEntry* entry) {
      const CatalogueEntry* root = root_of(entry);
      if (root == entry) return false;
      ++counts_[root->row.cid];
      return true;
    });
  }
  std::uint64_t subagents_of(const Cid& cid) const {
    const auto found = counts_.find(cid);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  const CatalogueEntry* parent_of(const CatalogueEntry* entry) const {
    if (entry->parent) {
      const auto found = by_cid_.find(*entry->parent);
      return found == by_cid_.end() ? nullptr : found->second;
    }
    // One whose call is not known has its parent's session id.
    if (entry->row.source == "primary") return nullptr;
    const auto found = main_.find({entry->row.format, entry->row.session_id});
    return found == main_.end() ? nullptr : found->second;
  }
  const CatalogueEntry* root_of(const CatalogueEntry* entry) const {
    std::set<const CatalogueEntry*> seen;  // a cycle in a foreign web ends the walk
    while (seen.insert(entry).second) {
      const CatalogueEntry* parent = parent_of(entry);
      if (parent == nullptr) return entry;
      entry = parent;
    }
    return *seen.begin();
  }

  std::map<Cid, const CatalogueEntry*> by_cid_;
  std::map<std::pair<std::string, std::string>, const CatalogueEntry*> main_;
  std::map<Cid, std::uint64_t> counts_;
};

}  // namespace

json::object describe(const Library& library, const store::ConversationRow& conversation) {
  Foreigners foreigners(library);
  const ReadFacts facts = read_facts(library, conversation);
  CatalogueEntry entry{.row = conversation, .known = facts.known};
  if (!facts.known.facts.title) entry.prompt = title_of(library, conversation.cid, facts.known);
  return to_json(entry, foreigners);
}

Result<json::object> list(const Library& library, const ListOptions& options) {
  WEFT_TRY_VALUE(auto catalogue, library.web.catalogue(options.format, library.keyring));
  const bool by_part = std::ranges::none_of(catalogue.entries, [&](const CatalogueEntry& entry) {
    return options.project && entry.known.facts.project == options.project;
  });
  std::vector<CatalogueEntry*> listed;
  for (CatalogueEntry& entry : catalogue.entries) {
    if (is_wanted(entry, options, by_part)) listed.push_back(&entry);
  }
  std::optional<Folding> folding;
  if (options.fold) folding.emplace(listed).fold(listed);
  std::ranges::sort(listed, [](const CatalogueEntry* a, const CatalogueEntry* b) {
    return place_of(*a) < place_of(*b);
  });
  std::uint64_t at = options.offset;
  if (options.cursor) {
    WEFT_TRY_VALUE(const Place last, parse_cursor(*options.cursor));
    const auto next = std::ranges::find_if(
        listed, [&](const CatalogueEntry* entry) { return last < place_of(*entry); });
    at += static_cast<std::uint64_t>(next - listed.begin());
  }
  // A list of everything is long: it is allocated and released at once.
  const json::storage_ptr memory = memory_for_json(kListBytes);
  json::array conversations(memory);
  Foreigners foreigners(library);
  for (; at < listed.size() && conversations.size() < options.limit; ++at) {
    json::object shown = to_json(*listed[at], foreigners, memory);
    if (folding) shown["subagents"] = folding->subagents_of(listed[at]->row.cid);
    conversations.push_back(std::move(shown));
  }
  const bool has_more = at < listed.size() && !conversations.empty();
  json::object answer({{"conversations", std::move(conversations)}, {"total", listed.size()}},
                      memory);
  if (has_more) answer["next_cursor"] = to_cursor(place_of(*listed[at - 1]));
  if (listed.empty()) {
    WEFT_TRY_VALUE(auto notes, list_notes(library, options));
    if (!notes.empty()) answer["notes"] = std::move(notes);
  }
  note_behind(answer, catalogue.rows);
  return answer;
}

}  // namespace weft::query
