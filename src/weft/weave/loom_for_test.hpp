// Loom is the fixture of the weaving tests: emit a conversation, weave it, inspect the result.
//
//   Loom loom;
//   loom.human("why?");
//   const Cid thinking = loom.thinks("because…");
//   const Cid answer = loom.says("so.");
//   EXPECT_EQ(loom.because(answer), …);
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "weft/thought/seal.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::weave {

// A web in memory.
class MapKnownWeb : public KnownWeb {
 public:
  std::map<Cid, thought::Thought> thoughts;
  std::map<std::pair<Cid, PlaceKey>, Cid> places;
  std::map<std::tuple<std::string, std::string, std::string>, KnownConversation> conversations;
  std::vector<Cid> order;  // of the thoughts, as they came

  // Look-ups fail with this, if it is set.
  std::optional<Error> failure;

  Result<bool> has(const Cid& cid) const override {
    if (failure) return fail(*failure);
    return thoughts.contains(cid);
  }
  Result<thought::Thought> get(const Cid& cid) const override {
    if (failure) return fail(*failure);
    const auto found = thoughts.find(cid);
    if (found == thoughts.end()) return fail(ErrorCode::not_found, "no such thought");
    return found->second;
  }
  Result<std::optional<KnownConversation>> find_conversation(const transcript::Heading& heading,
                                                             const Cid& creator) const override {
    if (failure) return fail(*failure);
    const auto found = conversations.find({heading.format, heading.session_id, heading.source});
    if (found == conversations.end()) return std::nullopt;
    if (thoughts.at(found->second.cid).created_by != creator) return std::nullopt;
    return found->second;
  }
  Result<std::optional<Cid>> find_place(const Cid& conversation,
                                        const PlaceKey& key) const override {
    if (failure) return fail(*failure);
    const auto found = places.find({conversation, key});
    if (found == places.end()) return std::nullopt;
    return found->second;
  }

  Result<std::vector<thought::Connection>> contents(const Cid& turn) const override {
    if (failure) return fail(*failure);
    std::vector<thought::Connection> edges;
    for (const Cid& cid : order) {
      const thought::Thought& thought = thoughts.at(cid);
      if (thought.type != thought::kConnectionType) continue;
      thought::Connection edge = *to_connection(thought);
      if (edge.relation == "contains" && edge.from == turn) edges.push_back(std::move(edge));
    }
    std::ranges::stable_sort(edges, {}, [](const thought::Connection& edge) { return edge.index; });
    return edges;
  }
  Result<std::vector<Cid>> usage_of(const Cid& conversation) const override {
    if (failure) return fail(*failure);
    std::vector<Cid> found;
    for (const Cid& cid : order) {
      const thought::Thought& thought = thoughts.at(cid);
      if (thought::kind_of(thought.type) != "usage") continue;
      if (thought.because.front().thought == conversation) found.push_back(cid);
    }
    return found;
  }
  Result<std::optional<Cid>> find_holder(const Cid& block, const Fits& fits) const override {
    if (failure) return fail(*failure);
    for (const auto& [key, cid] : places) {
      if (cid != block) continue;
      const Result<bool> does_fit = fits(key.first);
      if (!does_fit) return fail(does_fit.error());
      if (*does_fit) return key.first;
    }
    return std::nullopt;
  }
  Result<std::optional<Mark>> find_mark(const PlaceKey& key) const override {
    if (failure) return fail(*failure);
    const auto found = marks.find(key);
    if (found == marks.end()) return std::nullopt;
    return found->second;
  }
  Result<std::vector<Waiting>> find_waiting(const PlaceKey& key) const override {
    if (failure) return fail(*failure);
    std::vector<Waiting> out;
    const auto [from, to] = waits.equal_range(key);
    for (auto at = from; at != to; ++at)
      out.push_back({at->second, thoughts.at(at->second).created_at});
    return out;
  }
  Result<std::vector<Cid>> neighbours(const Cid& creator, const Cid& thought,
                                      std::string_view relation, End end) const override {
    if (failure) return fail(*failure);
    std::vector<Cid> found;
    for (const Cid& cid : order) {
      if (thoughts.at(cid).type != thought::kConnectionType) continue;
      const thought::Connection edge = *to_connection(thoughts.at(cid));
      if (edge.relation != relation || edge.created_by != creator) continue;
      if ((end == End::from ? edge.from : edge.to) != thought) continue;
      found.push_back(end == End::from ? edge.to : edge.from);
    }
    return found;
  }
  Result<std::optional<TimedThought>> find_response(const Cid& conversation,
                                                    Millis until) const override {
    if (failure) return fail(*failure);
    std::optional<TimedThought> best;
    for (const Cid& cid : order) {
      const thought::Thought& thought = thoughts.at(cid);
      const bool fits = thought::kind_of(thought.type) == "response" && thought.created_at > 0 &&
                        thought.created_at <= until && (!best || thought.created_at >= best->time);
      const bool is_here = std::ranges::any_of(places, [&](const auto& place) {
        return place.first.first == conversation && place.second == cid;
      });
      if (fits && is_here) best = TimedThought{cid, thought.created_at};
    }
    return best;
  }
  Result<std::optional<TimedThought>> find_conversation_at(std::string_view format,
                                                           const Cid& creator,
                                                           const PlaceKey& place) const override {
    if (failure) return fail(*failure);
    for (const Cid& cid : order) {
      const thought::Thought& thought = thoughts.at(cid);
      const bool is_it = thought::kind_of(thought.type) == "conversation" &&
                         thought.created_by == creator && text(thought, "format") == format &&
                         places.contains({cid, place});
      if (is_it) return TimedThought{cid, thought.created_at};
    }
    return std::nullopt;
  }
  Result<std::vector<Wait>> waiting_summaries() const override {
    if (failure) return fail(*failure);
    std::vector<Wait> found;
    for (const auto& [key, conversation] : waits)
      if (is_leaf(key)) found.push_back({key, conversation});
    return found;
  }
  Result<std::optional<Cid>> sealed_as(const Cid&, const Cid& clear) const override {
    return sealed.contains(clear) ? std::optional(sealed.at(clear)) : std::nullopt;
  }
  Result<bool> is_forgotten(const PlaceKey& heading) const override {
    if (failure) return fail(*failure);
    return forgotten.contains(heading);
  }

  std::map<PlaceKey, Mark> marks;
  std::multimap<PlaceKey, Cid> waits;
  std::set<PlaceKey> forgotten;
  std::map<Cid, Cid> sealed;  // by what was said in the clear

  // Takes a CommitUnit as a store would. Returns how many thoughts were new.
  std::size_t take(CommitUnit unit) {
    sign(unit);
    std::size_t added = 0;
    for (const thought::Thought& thought : unit.thoughts) added += put(unit, thought);
    for (const thought::Connection& connection : unit.connections)
      added += put(unit, to_thought(connection));
    for (const Place& place : unit.places) places[{unit.conversation, place.key}] = place.thought;
    for (const Mark& mark : unit.marks) marks.emplace(mark.key, mark);
    for (const PlaceKey& key : unit.waits) waits.emplace(key, unit.conversation);
    for (const Cid& child : unit.joined) {
      std::erase_if(waits,
                    [&](const auto& wait) { return wait.second == child && !is_leaf(wait.first); });
    }
    for (const Wait& met : unit.met) {
      std::erase_if(waits, [&](const auto& wait) {
        return wait.first == met.key && wait.second == met.conversation;
      });
    }
    return added;
  }

 private:
  static bool is_leaf(const PlaceKey& key) {
    return std::equal(kLeafTag.begin(), kLeafTag.end(), key.begin());
  }
  std::size_t put(const CommitUnit& unit, const thought::Thought& thought) {
    if (!thoughts.emplace(thought.cid, thought).second) return 0;
    order.push_back(thought.cid);
    const std::string_view kind = thought::kind_of(thought.type);
    if (kind == "conversation") {
      conversations[{text(thought, "format"), text(thought, "session_id"),
                     text(thought, "source")}] = {.cid = thought.cid,
                                                  .created_at = thought.created_at};
    }
    for (auto& [key, known] : conversations) {
      if (known.cid != unit.conversation) continue;
      if (kind == "turn") ++known.turns;
      if (kind == "checkpoint") known.checkpoint = thought.cid;
      if (kind == "conversation_facts") known.facts = thought.cid;
    }
    return 1;
  }
  static std::string text(const thought::Thought& thought, std::string_view key) {
    return std::string(find_string(thought.content, key).value_or(""));
  }
};

class Loom {
 public:
  explicit Loom(crypto::SealMode seal = crypto::SealMode::thinking)
      : keyring(*crypto::Keyring::create("Ada", 1'000, seal)), identities(keyring) {
    restart();
  }

  // With the keys of another loom, and a web of its own.
  explicit Loom(const crypto::Keyring& keys)
      : keyring(*crypto::Keyring::parse(*keys.to_text(std::nullopt), nullptr)),
        identities(keyring) {
    restart();
  }

  // A new process reads the same source from its beginning.
  void restart() {
    weaver.emplace(identities, known_web);
    heading({.session_id = "s1"});
    role.reset();
    next_index = 0;
    next_time = 2'000;
    turns = 0;
  }

  // A new process resumes from the saved state.
  void resume() {
    const json::value state = weaver->save();
    last_state = canonical_json(state);
    weaver.emplace(identities, known_web);
    if (!weaver->restore(state.get_object()).value())
      throw std::logic_error("its state is not taken");
    weaver->heading(current);
    if (last_turn) weaver->turn(*last_turn);
  }

  struct Named {
    std::string session_id, source = "primary";
  };
  void heading(const Named& named) {
    current = {.format = "anthropic-transcript",
               .family = "anthropic",
               .program = "harness",
               .provider = "anthropic",
               .session_id = named.session_id,
               .source = named.source};
    last_turn.reset();
    role.reset();
    weaver->heading(current);
  }
  // A turn with a name, which follows another one.
  void turn(transcript::Role its_role, std::string name, std::optional<std::string> parent = {}) {
    role = its_role;
    last_turn = {.role = its_role, .source_id = std::move(name), .parent = std::move(parent)};
    weaver->turn(*last_turn);
  }

  // Each emits one block and returns its thought. A change of role opens a turn.
  Cid human(std::string text) {
    return emit(transcript::Author::human, transcript::Text{std::move(text), {}});
  }
  Cid program(std::string text) {
    return emit(transcript::Author::program, transcript::Text{std::move(text), {}});
  }
  Cid thinks(std::string text, std::vector<std::string> summaries = {}) {
    return emit(transcript::Author::model,
                transcript::Thinking{std::move(text), {}, std::move(summaries)});
  }
  Cid says(std::string text, std::vector<transcript::Citation> citations = {}) {
    return emit(transcript::Author::model, transcript::Text{std::move(text), std::move(citations)});
  }
  Cid calls(std::string id, std::string tool = "Bash") {
    return emit(
        transcript::Author::model,
        transcript::ToolCall{std::move(id), std::move(tool), json::object{{"x", 1}}, {}, {}});
  }
  Cid prints(std::string call_id, std::string text, std::string tool = "Bash") {
    return emit(transcript::Author::tool,
                transcript::ToolResult{std::move(call_id), std::move(tool), std::move(text)});
  }
  Cid emit(transcript::Author author, transcript::Body body) {
    transcript::Block block{.author = author, .body = std::move(body), .source_id = "r"};
    block.index = next_index++;
    block.start = next_time;
    block.stop = next_time + 5;
    next_time += 10;
    return emit(std::move(block));
  }
  Cid emit(transcript::Block block) {
    const bool human_block = block.author == transcript::Author::human;
    const bool before_all = !role && block.author == transcript::Author::program;
    const transcript::Role wanted = human_block  ? transcript::Role::human
                                    : before_all ? transcript::Role::system
                                                 : transcript::Role::assistant;
    const bool still_system =
        role == transcript::Role::system && block.author == transcript::Author::program;
    if (role != wanted && !still_system) {
      last_turn = {.role = wanted, .source_id = "#" + std::to_string(turns++), .counted = true};
      weaver->turn(*last_turn);
      role = wanted;
    }
    if (message_id) block.message_id = message_id;
    if (!block.model && block.author == transcript::Author::model) block.model = "claude-x";
    const std::set<Cid> before = blocks_now();
    weaver->block(std::move(block));
    commit();
    for (const Cid& cid : blocks_now()) {
      if (!before.contains(cid)) return cid;
    }
    return Cid();  // nothing new
  }
  // For what is woven together before any of it is committed.
  bool hold_commits = false;
  // Every block is committed on its own here: the hardest case for an online weaver.
  std::size_t commit() {
    if (hold_commits) return 0;
    std::size_t added = 0;
    std::vector<CommitUnit> units = weaver->take(now++).value();
    all_units.insert(all_units.end(), units.begin(), units.end());
    for (CommitUnit& unit : units) added += known_web.take(std::move(unit));
    return added;
  }

  const thought::Thought& thought(const Cid& cid) const { return known_web.thoughts.at(cid); }
  json::object opened(const Cid& cid) const { return open_content(thought(cid), &keyring); }
  std::vector<Cid> because(const Cid& cid) const {
    std::vector<Cid> cids;
    for (const thought::ContentRef& ref : thought(cid).because) cids.push_back(ref.thought);
    return cids;
  }
  // Connections of one relation, as (from, to, label).
  using Triple = std::tuple<Cid, Cid, std::string>;
  std::set<Triple> edges(std::string_view relation) const {
    std::set<Triple> out;
    for (const auto& [cid, thought] : known_web.thoughts) {
      if (thought.type != thought::kConnectionType) continue;
      const thought::Connection connection = *to_connection(thought);
      if (connection.relation == relation) {
        out.insert({connection.from, connection.to, connection.label.value_or("")});
      }
    }
    return out;
  }
  // The contains edges that lead to it.
  std::vector<thought::Thought> holding(const Cid& cid) const {
    std::vector<thought::Thought> out;
    for (const auto& [name, thought] : known_web.thoughts) {
      if (find_string(thought.content, "relation") == "contains" &&
          find_string(thought.content, "to") == cid.str()) {
        out.push_back(thought);
      }
    }
    return out;
  }
  std::vector<Cid> of_type(std::string_view type) const {
    std::vector<Cid> out;
    for (const Cid& cid : known_web.order) {
      if (thought(cid).type == type) out.push_back(cid);
    }
    return out;
  }

  crypto::Keyring keyring;
  thought::Identities identities;
  MapKnownWeb known_web;
  std::optional<Weaver> weaver;
  std::vector<CommitUnit> all_units;
  std::optional<std::string> message_id;  // given to every block emitted from here on
  std::optional<transcript::Role> role;
  transcript::Heading current;
  std::optional<transcript::TurnHead> last_turn;
  std::string last_state;
  Millis next_time = 2'000;
  Millis now = 9'000;
  std::uint32_t next_index = 0;
  int turns = 0;

 private:
  std::set<Cid> blocks_now() const {  // what turns contain
    std::set<Cid> cids;
    for (const auto& [from, to, label] : edges("contains"))
      if (thought(from).type.ends_with("/turn")) cids.insert(to);
    return cids;
  }
};

}  // namespace weft::weave
