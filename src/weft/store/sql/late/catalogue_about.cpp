#include "weft/store/sql/late/catalogue_about.hpp"

#include <map>
#include <set>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/late/stored_thought.hpp"
#include "weft/store/sql/read/newest.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kPromptCodePoints = 200;
// The number of prompts to try; sealed and empty ones say nothing.
constexpr std::size_t kPrompts = 16;

// The members of an object in JSON; none if it is not one.
json::object parse_members(std::string_view text) {
  if (text.empty()) return {};
  Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_object()) return {};
  return std::move(parsed->value.get_object());
}

std::array<json::object, kPortions> portions_of(const LateContext& with,
                                                const thought::Thought& thought) {
  const OpenLayers layers = open_layers(thought, with.keyring);
  return {thought.content, parse_members(layers.metadata), parse_members(layers.content)};
}

std::string_view first_line(std::string_view text) {
  return slice_code_points(text.substr(0, text.find('\n')), 0, kPromptCodePoints);
}

bool put_prompt(About& about, const LateContext& with, const thought::Thought& block) {
  const auto portions = portions_of(with, block);
  for (std::size_t i = 0; i < kPortions; ++i) {
    const auto text = find_string(portions[i], "text");
    if (!text || text->empty()) continue;
    about.portions[i].prompt = first_line(*text);
    return true;
  }
  return false;
}

// The blocks of a turn by position.
Result<std::vector<Id>> contents_in_order(LateContext& with, Id from, Id contains, Id creator) {
  std::vector<Id> found;
  Rows rows = with.database.query(
      "SELECT to_id FROM connections WHERE from_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY position NULLS FIRST, id",
      from, contains, creator);
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

}  // namespace

void put_facts(About& about, const LateContext& with, const thought::Thought& facts) {
  const auto portions = portions_of(with, facts);
  for (std::size_t i = 0; i < kPortions; ++i) {
    ListedFacts more = listed(thought::parse_facts(portions[i]));
    more.prompt = std::move(about.portions[i].prompt);
    about.portions[i] = std::move(more);
  }
}

Status name_about(const LateContext& with, Id conversation, std::optional<Id> creator,
                  About& about) {
  about.creator = creator.value_or(0);
  Rows rows = with.database.query("SELECT cid FROM names WHERE id = ?", conversation);
  if (rows.next()) {
    WEFT_TRY_VALUE(about.cid, to_cid(rows.bytes(0)));
  }
  return rows.status();
}

Result<bool> is_prompt(const LateContext& with, Id thought) {
  std::optional<Id> type;
  Rows rows = with.database.query("SELECT type FROM thoughts WHERE id = ?", thought);
  if (rows.next()) type = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!type) return false;
  const Result<std::string_view> name = with.words.text(*type);
  return name && thought::kind_of(*name) == "human_input";
}

Status find_prompt(LateContext& with, Id conversation, Id creator, About& about) {
  about.erase_prompt();
  if (about.has_title()) return {};
  Places places(with, conversation);
  WEFT_TRY_VALUE(const Id contains, places.contains());
  WEFT_TRY_VALUE(const auto turns, contents_in_order(with, conversation, contains, creator));
  std::size_t tried = 0;
  for (const Id turn : turns) {
    WEFT_TRY_VALUE(const auto blocks, contents_in_order(with, turn, contains, creator));
    for (const Id block : blocks) {
      WEFT_TRY_VALUE(const bool is_persons, is_prompt(with, block));
      if (!is_persons) continue;
      WEFT_TRY_VALUE(const bool is_gone, places.is_superseded(block, creator, kAnyId));
      if (is_gone) continue;
      WEFT_TRY_VALUE(const auto stored, find_stored(with, block));
      if (stored && put_prompt(about, with, stored->thought)) return {};
      if (++tried == kPrompts) return {};
    }
  }
  return {};
}

bool find_new_prompt(const LateContext& with, const LateAddition& addition, Id contains,
                     std::optional<Id> supersedes, About& about) {
  if (about.has_title()) return true;
  std::map<Id, std::vector<const Edge*>> contents;
  std::set<Id> replaced;
  for (const Edge& edge : addition.edges) {
    if (edge.created_by != addition.creator) continue;
    if (edge.relation == contains) contents[edge.from].push_back(&edge);
    if (edge.relation == supersedes) replaced.insert(edge.to);
  }
  for (auto& [from, edges] : contents) {
    std::ranges::sort(edges, [](const Edge* a, const Edge* b) {
      return std::pair(a->position, a->id) < std::pair(b->position, b->id);
    });
  }
  std::size_t tried = 0;
  for (const Edge* turn : contents[addition.conversation]) {
    for (const Edge* edge : contents[turn->to]) {
      const LateAddition::NewThought* block = addition.find(edge->to);
      if (block == nullptr) return false;
      if (thought::kind_of(block->thought->type) != "human_input") continue;
      if (replaced.contains(edge->to)) continue;
      if (put_prompt(about, with, *block->thought) || ++tried == kPrompts) return true;
    }
  }
  return true;
}

namespace {

// The first text that a portion states.
std::optional<std::string> first_of(const About& about, const auto& text_of) {
  for (const ListedFacts& in : about.portions) {
    if (const std::optional<std::string>& text = text_of(in)) return text;
  }
  return std::nullopt;
}

// Whether there is a title, and it is not the first words.
Result<bool> has_better_title(LateContext& with, Id conversation, Id creator, const About& about) {
  const auto title = first_of(about, [](const ListedFacts& in) { return in.known.facts.title; });
  if (!title) return false;
  About untitled;
  WEFT_TRY(find_prompt(with, conversation, creator, untitled));
  const auto prompt = first_of(untitled, [](const ListedFacts& in) { return in.prompt; });
  return !prompt || (!title->starts_with(*prompt) && !prompt->starts_with(*title));
}

}  // namespace

// The summary is a block of another conversation: the newest that `summarizes` this one.
Status find_summary(LateContext& with, Id conversation, Id creator, About& about) {
  if (about.has_summary()) return {};
  WEFT_TRY_VALUE(const auto summarizes, with.words.find_id("summarizes"));
  if (!summarizes) return {};
  std::optional<Id> summary;
  Rows rows = with.database.query(
      "SELECT from_id FROM connections WHERE to_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY position DESC NULLS LAST, id DESC LIMIT 1",
      conversation, *summarizes, creator);
  if (rows.next()) summary = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!summary) return {};
  WEFT_TRY_VALUE(const auto stored, find_stored(with, *summary));
  if (!stored) return {};
  const auto portions = portions_of(with, stored->thought);
  for (std::size_t i = 0; i < kPortions; ++i) {
    const auto text = find_string(portions[i], "text");
    if (!text || text->empty()) continue;
    WEFT_TRY_VALUE(const bool is_named, has_better_title(with, conversation, creator, about));
    about.portions[i].known.facts.summary = std::string(*text);
    if (is_named) return {};
    about.erase_title();
    about.erase_prompt();
    about.portions[i].known.facts.title = std::string(first_line(*text));
    return {};
  }
  return {};
}

Result<std::optional<Id>> find_parent(LateContext& with, Id conversation, Id creator) {
  WEFT_TRY_VALUE(const auto spawns, with.words.find_id("spawns"));
  if (!spawns) return std::nullopt;
  std::optional<Id> call;
  Rows rows = with.database.query(
      "SELECT from_id FROM connections WHERE to_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY id LIMIT 1",
      conversation, *spawns, creator);
  if (rows.next()) call = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!call) return std::nullopt;
  Places places(with, conversation);
  WEFT_TRY_VALUE(const auto stood, places.places_of(*call, creator));
  return stood.empty() ? std::nullopt : std::optional(stood.front().conversation);
}

Result<About> compute_about(LateContext& with, Id conversation) {
  About about;
  WEFT_TRY_VALUE(const Newest newest, newest_of(with.database, conversation));
  WEFT_TRY(name_about(with, conversation, newest.creator, about));
  if (!newest.creator) return about;
  if (newest.facts) {
    WEFT_TRY_VALUE(const auto facts, find_stored(with, *newest.facts));
    if (facts) put_facts(about, with, facts->thought);
  }
  WEFT_TRY(find_prompt(with, conversation, *newest.creator, about));
  WEFT_TRY(find_summary(with, conversation, *newest.creator, about));
  WEFT_TRY_VALUE(about.parent, find_parent(with, conversation, *newest.creator));
  return about;
}

}  // namespace weft::store::sql
