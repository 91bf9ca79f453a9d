#include "weft/weave/conversation_weaver.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/block_content.hpp"

namespace weft::weave {
namespace {

using transcript::Author;
using transcript::Block;

// Characters of context on either side of quoted words.
constexpr std::uint64_t kAnchorContext = 32;

std::vector<thought::ContentRef> to_because(const std::vector<Ref>& refs) {
  std::vector<thought::ContentRef> because;
  because.reserve(refs.size());
  for (const Ref& ref : refs) because.push_back({.thought = ref.said.value_or(ref.cid)});
  return because;
}

// The quoted text with its context; empty if the source gives neither its position nor its text.
std::optional<thought::Anchor> anchor_of(const transcript::Citation& citation,
                                         std::string_view text) {
  if (citation.indices) {
    const auto [from, to] = *citation.indices;
    const std::string_view exact = slice_code_points(text, from, to);
    if (from < to && !exact.empty()) {
      const std::uint64_t before = from < kAnchorContext ? 0 : from - kAnchorContext;
      return thought::Anchor{std::string(exact), std::string(slice_code_points(text, before, from)),
                             std::string(slice_code_points(text, to, to + kAnchorContext))};
    }
  }
  if (citation.text && !citation.text->empty()) return thought::Anchor{*citation.text, "", ""};
  return std::nullopt;
}

bool is_aside(const Block& block) {
  const auto* summary = std::get_if<transcript::Summary>(&block.body);
  return summary != nullptr && summary->is_aside;
}

}  // namespace

ConversationWeaver::ConversationWeaver(thought::Identities& identities, const KnownWeb& known_web,
                                       Pending& pending, transcript::Heading heading)
    : identities_(identities),
      known_web_(known_web),
      pending_(pending),
      heading_(std::move(heading)) {}

Result<std::optional<thought::Thought>> ConversationWeaver::find_thought(const Cid& cid) const {
  const auto pending = in_unit_.find(cid);
  if (pending != in_unit_.end()) return unit_.thoughts[pending->second];
  return find_readable(known_web_, cid);
}

std::optional<Cid> ConversationWeaver::last_block() const {
  const std::optional<Ref> last = tracker_.end().last;
  if (!last) return std::nullopt;
  return last->cid;
}

void ConversationWeaver::facts(const transcript::Facts& facts) { facts_.merge(facts); }

Status ConversationWeaver::block(Block& block) {
  if (std::exchange(last_record_, block.source_id) != block.source_id) said_.clear();
  const bool aside = is_aside(block);
  const Millis time = aside ? time_aside(block) : time_of(block);
  if (!conversation_) WEFT_TRY(begin_conversation(time));
  if (!turn_) WEFT_TRY(begin_turn(time));
  WEFT_TRY(find_resumption(block));
  WEFT_TRY_VALUE(const auto original, find_original(block));
  if (original) {
    std::ignore = tracker_.causes(block);
    return place_original(block, *original);
  }

  const Causes causes = tracker_.causes(block);
  const thought::Voice& voice = voice_of(block, causes.tool_name);
  thought::Thought thought = make(thought_kind(block), time, voice);
  thought.because = to_because(causes.because);
  std::vector<thought::Thought> cited;
  if (const auto* text = std::get_if<transcript::Text>(&block.body))
    cited = cite(*text, thought, voice);
  set_content(thought, take_content(block, causes.tool_name), identities_.keyring());
  thought.cid = cid_of(thought);
  for (thought::Thought& citation : cited) {
    if (citation.type.ends_with("/citation") && citation.because.empty()) {
      citation.because = {{.thought = thought.cid}};  // no source to refer to
    }
    citation.cid = cid_of(citation);
  }

  const Cid said = thought.cid;
  WEFT_TRY_VALUE(const bool was_sealed, take_sealed(thought));
  const PlaceKey key = place_key("block", block.source_id, block.index);
  WEFT_TRY_VALUE(auto current, find_current(key, thought, kind_of(block)));
  if (!current) {
    WEFT_TRY_VALUE(const bool is_adopted, adopt_place(key, thought.cid));
    if (is_adopted) {
      WEFT_TRY_VALUE(current, find_current(key, thought, kind_of(block)));
    }
  }
  if (committed_before_) {
    ++met_blocks_[current && current->same ? current->ref.cid : thought.cid];
    if (current && !current->same) ++met_blocks_[current->ref.cid];
  }
  if (current && current->same) {
    WEFT_TRY(add_summary(block, current->ref, voice));  // it may have come since
    if (was_sealed) current->ref.said = said;
    record(block, current->ref);
    if (!aside) is_copying_ = false;
    return {};
  }
  // What takes the place of a sealed thought is sealed as that is.
  if (current && current->is_sealed && !is_sealed_whole(thought)) {
    seal_whole(thought, identities_.keyring());
    thought.cid = cid_of(thought);
  }
  WEFT_TRY_VALUE(const std::uint64_t index,
                 current ? position_of(current->ref.cid) : next_position());

  Ref ref{.cid = thought.cid, .kind = kind_of(block), .time = time};
  WEFT_TRY_VALUE(ref.shared, knows(ref.cid));
  if (!aside) is_copying_ = is_copying_ && ref.shared && time > 0;
  if (is_copying_ && !aside) last_copied_ = ref.cid;
  if (was_sealed) ref.said = said;
  if (current && ref.shared) {
    // An earlier version of the block, read again: it was superseded, and remains so.
    WEFT_TRY_VALUE(const bool is_contained,
                   knows(cid_of(edge("contains", turn_->ref, ref, {}, index))));
    if (is_contained) {
      record(block, ref);
      return {};
    }
  }
  use(voice);
  for (thought::Thought& source : cited) {
    const bool is_resource = source.created_by == identities_.owner().cid;
    WEFT_TRY_VALUE(const bool is_signed, take_sealed(source));
    const crypto::SigningKey* signer = is_resource ? &identities_.owner_key() : voice.key;
    add(std::move(source), is_signed ? nullptr : signer);
  }
  add(std::move(thought), ref.shared ? nullptr : voice.key);
  WEFT_TRY_VALUE(const bool is_new, connect("contains", turn_->ref, ref, {}, ref, index));
  if (is_new) {
    ++blocks_;
    head_ = thought::next_head(head_, ref.cid);
  }
  WEFT_TRY(add_edges(block, causes, ref));
  if (current) WEFT_TRY(connect("supersedes", ref, current->ref, {}, ref));
  if (was_sealed) WEFT_TRY(connect("supersedes", ref, {.cid = said, .time = ref.time}, {}, ref));
  WEFT_TRY(add_summary(block, ref, voice));
  note_place(key, ref.cid);
  if (block.author == Author::model) said_.push_back(ref.cid);
  if (block.author == Author::model && block.model) models_.insert(*block.model);
  record(block, ref);
  if (ref.kind == Kind::response && time > 0) new_responses_.push_back(ref);
  return {};
}

void ConversationWeaver::record(const Block& block, const Ref& ref) {
  if (const auto* summary = std::get_if<transcript::Summary>(&block.body)) {
    if (!summary->leaf.empty()) summaries_.push_back({place_key("block", summary->leaf, 0), ref});
  }
  if (is_aside(block)) return;
  tracker_.record(block, ref);
  note_outcome(block);
}

// Its own start; else its record's time; else the stop of the block before; else the
// latest time known so far; else 0. Never the clock.
Millis ConversationWeaver::time_of(const Block& block) {
  const Millis time = block.start      ? *block.start
                      : block.recorded ? *block.recorded
                      : stop_before_   ? *stop_before_
                                       : latest_.value_or(0);
  stop_before_ = block.stop;
  for (const std::optional<Millis>& known : {block.start, block.stop, block.recorded}) {
    if (known) latest_ = std::max(latest_.value_or(*known), *known);
  }
  return time;
}

Millis ConversationWeaver::time_aside(const Block& block) const {
  if (block.start) return *block.start;
  if (block.recorded) return *block.recorded;
  return stop_before_.value_or(latest_.value_or(0));
}

Status ConversationWeaver::begin_conversation(Millis time) {
  for (const thought::Thought& schema : identities_.schemas(heading_.family)) {
    if (used_.insert(schema.cid).second) add(schema, nullptr);
  }
  thought::Thought conversation;
  conversation.type = heading_.family + "/conversation";
  conversation.created_by = identities_.owner().cid;
  conversation.created_at = time;
  conversation.content = {{"format", heading_.format},
                          {"session_id", heading_.session_id},
                          {"source", heading_.source}};
  conversation.cid = cid_of(conversation);
  conversation_ = conversation.cid;
  conversation_time_ = time;
  add(identities_.owner(), nullptr);
  add(std::move(conversation), &identities_.owner_key());
  return join_waiting();
}

const thought::Voice& ConversationWeaver::voice_of(const Block& block,
                                                   const std::string& tool_name) {
  switch (block.author) {
    case Author::human: return identities_.human();
    case Author::tool: return identities_.tool(tool_name);
    case Author::program: return identities_.tool(heading_.program);
    case Author::model: break;
  }
  const std::string input =
      "input/" + heading_.family + (kind_of(block) == Kind::thinking ? "_thinking" : "_model");
  return identities_.model(block.model.value_or(""), heading_.provider, input);
}

thought::Thought ConversationWeaver::make(std::string_view kind, Millis time,
                                          const thought::Voice& voice) const {
  thought::Thought thought;
  thought.type = heading_.family + "/" + std::string(kind);
  thought.created_by = voice.identity.cid;
  thought.created_at = time;
  thought.source = voice.source;
  return thought;
}

std::vector<thought::Thought> ConversationWeaver::cite(const transcript::Text& text,
                                                       thought::Thought& response,
                                                       const thought::Voice& voice) {
  std::vector<thought::Thought> thoughts;
  if (thought::kind_of(response.type) != "response") return thoughts;
  for (const transcript::Citation& citation : text.citations) {
    const std::optional<thought::Anchor> anchor = anchor_of(citation, text.text);
    thought::Thought thought = make("citation", response.created_at, voice);
    if (citation.url) {
      thought::Thought resource = identities_.web_resource(*citation.url);
      thought.because.push_back({.thought = resource.cid});
      thoughts.push_back(std::move(resource));
    } else if (citation.document && *citation.document < tracker_.documents().size()) {
      thought.because.push_back({.thought = tracker_.documents()[*citation.document]});
    }
    if (!thought.because.empty()) {
      thought::ContentRef ref{.thought = thought.because.front().thought};
      // An anchor quotes the text, and `because` is never sealed.
      if (identities_.keyring().seal_mode() == crypto::SealMode::thinking) ref.anchor = anchor;
      if (std::ranges::find(response.because, ref) == response.because.end()) {
        response.because.push_back(std::move(ref));
      }
    }
    const std::string quoted = citation.text.value_or(anchor ? anchor->exact : "");
    set_content(thought, citation_content(citation, quoted), identities_.keyring());
    thoughts.push_back(std::move(thought));
  }
  return thoughts;
}

// Adds the summaries of a thinking block. If the block was known already, only new ones.
Status ConversationWeaver::add_summary(const Block& block, const Ref& thinking,
                                       const thought::Voice& voice) {
  const auto* body = std::get_if<transcript::Thinking>(&block.body);
  if (body == nullptr || body->summaries.empty()) return {};
  thought::Thought thought = make("thinking_summary", thinking.time, voice);
  thought.because = {{.thought = thinking.cid}};
  set_content(thought, {{"summaries", json::array(body->summaries.begin(), body->summaries.end())}},
              identities_.keyring());
  thought.cid = cid_of(thought);
  Ref ref{.cid = thought.cid, .time = thinking.time};
  if (thinking.shared) {
    WEFT_TRY_VALUE(ref.shared, knows(thought.cid));
  }
  if (ref.shared && turn_->ref.shared) return {};
  use(voice);
  add(std::move(thought), ref.shared ? nullptr : voice.key);
  WEFT_TRY(connect("rework", ref, thinking, {}, ref));
  return {};
}

Status ConversationWeaver::add_edges(const Block& block, const Causes& causes, const Ref& ref) {
  for (const Edge& edge : causes.edges) {
    WEFT_TRY(connect(edge.relation, edge.from, ref, edge.label, ref));
  }
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
    const thought::Voice& tool = identities_.tool(call->name);
    use(tool);
    const Ref to{.cid = tool.identity.cid, .time = tool.identity.created_at};
    WEFT_TRY(connect("request_attention", ref, to, {}, ref));
  }
  return {};
}

// Whether the web has it, or will have it with the next commit: woven into any conversation since
// the last take().
Result<bool> ConversationWeaver::knows(const Cid& cid) const {
  if (pending_.names.contains(cid)) return true;
  return known_web_.has(cid);
}

// Adds the thoughts that an author's thoughts depend on, once for each conversation and run; the
// store ignores those that it has.
void ConversationWeaver::use(const thought::Voice& voice) {
  if (!used_.insert(voice.source).second) return;
  add(voice.identity, nullptr);
  add(voice.schema, nullptr);
  if (in_unit_.emplace(voice.source, 0).second) unit_.connections.push_back(voice.uses_input);
}

void ConversationWeaver::add(thought::Thought thought, const crypto::SigningKey* key) {
  if (!in_unit_.emplace(thought.cid, unit_.thoughts.size()).second) return;
  pending_.names.insert(thought.cid);
  pending_bytes_ += 512;
  if (thought.layers.content) pending_bytes_ += thought.layers.content->sealed.size();
  for (const auto& [name, value] : thought.content) {
    if (value.is_string()) pending_bytes_ += value.get_string().size();
    else pending_bytes_ += 64;
  }
  unit_.thoughts.push_back(std::move(thought));
  unit_.signers.push_back(key);
}

thought::Connection ConversationWeaver::edge(std::string_view relation, const Ref& from,
                                             const Ref& to, std::string_view label,
                                             std::optional<std::uint64_t> index) const {
  thought::Connection connection{.relation = std::string(relation),
                                 .from = from.cid,
                                 .to = to.cid,
                                 .index = index,
                                 .created_by = identities_.owner().cid,
                                 .created_at = std::max(from.time, to.time)};
  if (!label.empty()) connection.label = std::string(label);
  return connection;
}

Result<bool> ConversationWeaver::connect(std::string_view relation, const Ref& from, const Ref& to,
                                         std::string_view label, const Ref& newer,
                                         std::optional<std::uint64_t> index) {
  thought::Connection connection = edge(relation, from, to, label, index);
  const Cid cid = cid_of(connection);
  if (in_unit_.contains(cid)) return false;
  // It is a leaf of this commit either way; only places are counted.
  bool known = false;
  if (newer.shared && relation == "contains") {
    WEFT_TRY_VALUE(known, knows(cid));
  }
  in_unit_.emplace(cid, unit_.connections.size());
  pending_.names.insert(cid);
  unit_.leaves.push_back(cid);
  unit_.connections.push_back(std::move(connection));
  pending_bytes_ += 256;
  return !known;
}

}  // namespace weft::weave
