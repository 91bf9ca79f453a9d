#include "weft/formats/reading/request_history.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/text.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats {
namespace {

using transcript::Block;

template <class T>
bool is(const Block& block) {
  return std::holds_alternative<T>(block.body);
}

// The text that identifies a block in a repeated history; empty for blocks that clients leave out.
std::string identity_of(const Block& block) {
  std::string out = std::to_string(static_cast<int>(block.author)) + " ";
  const auto add = [&](std::string_view part) {
    out += std::to_string(part.size()) + ":";
    out += part;
  };
  if (is<transcript::Thinking>(block) || is<transcript::RedactedThinking>(block)) return {};
  if (const auto* text = std::get_if<transcript::Text>(&block.body)) {
    add("text");
    add(text->text);
  } else if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
    add("call");
    add(call->id);
    add(call->name);
    add(canonical_json(call->input));
  } else if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
    add("result");
    add(result->call_id);
    add(result->text);
  } else if (const auto* file = std::get_if<transcript::Attachment>(&block.body)) {
    add(file->kind);
    add(file->text.value_or(""));
    add(file->data.value_or(""));
    add(file->reference.value_or(""));
  } else if (const auto* compaction = std::get_if<transcript::Compaction>(&block.body)) {
    add("compaction");
    add(compaction->summary);
  } else if (const auto* unknown = std::get_if<transcript::Unknown>(&block.body)) {
    add("unknown");
    add(unknown->raw_text ? *unknown->raw_text : canonical_json(unknown->raw));
  } else {
    return {};
  }
  return out;
}

std::uint64_t named(std::string_view name) { return hash_of("named " + std::string(name)); }

}  // namespace

std::uint64_t seed_of(const Opening& opening) {
  if (opening.scope == Scope::session) return hash_of("session " + opening.name);
  return opening.lineage.empty() ? 0 : hash_of("lineage " + opening.lineage);
}

std::uint64_t beginning_of(std::uint64_t seed, const std::vector<Placed>& blocks) {
  std::uint64_t chain = seed;
  for (const Placed& one : blocks) {
    if (!one.refers.empty()) continue;
    const std::uint64_t next = chain_of(chain, one.block);
    const bool is_same = std::exchange(chain, next) == next;
    if (!is_same && one.block.author != transcript::Author::program) break;
  }
  return chain;
}

std::uint64_t chain_of(std::uint64_t before, const Block& block) {
  const std::string identity = identity_of(block);
  if (identity.empty()) return before;
  return hash_of(std::to_string(before) + " " + identity);
}

RequestHistory::RequestHistory(transcript::Heading like, std::string project,
                               std::size_t most_marks)
    : like_(std::move(like)), project_(std::move(project)), most_marks_(most_marks) {}

bool RequestHistory::restate(std::vector<Placed> prompts, std::vector<Placed> blocks,
                             const Opening& opening, transcript::Sink& sink) {
  std::size_t known = 0;
  std::uint64_t chain = seed_of(opening);
  std::optional<Point> from;
  if (!opening.after.empty()) from = find_named(opening.after);
  if (from) chain = from->chain;
  const auto has_words = [](const Placed& one) {
    return !one.refers.empty() || one.block.author != transcript::Author::program;
  };
  // Without any words of a person or model, a program's text has to identify it.
  bool is_begun = !std::ranges::any_of(blocks, has_words);
  bool is_answered = false;  // a model spoke
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::optional<Point> at;
    if (!blocks[i].refers.empty()) {
      at = find_named(blocks[i].refers);
    } else {
      const std::uint64_t next = chain_of(chain, blocks[i].block);
      const bool is_same = std::exchange(chain, next) == next;
      const auto found = is_same ? marks_.end() : marks_.find(next);
      if (found != marks_.end() && find(found->second.conversation) != nullptr) at = found->second;
    }
    is_begun = is_begun || has_words(blocks[i]);
    is_answered = is_answered || blocks[i].block.author == transcript::Author::model;
    if (!at || !is_begun) continue;
    // Many conversations begin with the same words.
    const bool is_own = opening.scope != Scope::trace || is_answered ||
                        find(at->conversation)->thread.heading().session_id == opening.name;
    if (!is_own) continue;
    chain = at->chain;
    from = std::move(at);
    known = i + 1;
  }
  if (from) {
    go_back(*from);
  } else if (const Conversation* session = find_session(opening)) {
    take_up(*session);
    at_hand().thread.branch("");
    at_hand().chain = seed_of(opening);
  } else {
    if (blocks.empty() && prompts.empty()) return false;
    begin(opening);
  }
  bool has_news = append_prompts(std::move(prompts), sink);
  for (; known < blocks.size(); ++known) {
    if (!blocks[known].refers.empty()) continue;
    emit(std::move(blocks[known]), sink);
    has_news = true;
  }
  return has_news;
}

bool RequestHistory::append_prompts(std::vector<Placed> prompts, transcript::Sink& sink) {
  bool has_news = false;
  std::deque<std::uint64_t>& content = at_hand().prompts;
  for (Placed& one : prompts) {
    const std::uint64_t hash = hash_of(identity_of(one.block));
    if (std::ranges::find(content, hash) != content.end()) continue;
    content.push_back(hash);
    if (content.size() > kMostPrompts) content.pop_front();
    enter(sink);
    at_hand().thread.emit(std::move(one.block), one.is_persons, one.counted, sink);
    has_news = true;
  }
  return has_news;
}

void RequestHistory::resume(const Opening& opening, transcript::Sink& sink) {
  if (opening.scope != Scope::none) {
    const Conversation* session = find_session(opening);
    if (session == nullptr) begin(opening);
    else take_up(*session);
  } else if (!has_begun()) {
    begin(opening);
  }
  enter(sink);
}

bool RequestHistory::has(const Opening& opening) const {
  return opening.scope == Scope::none ? has_begun() : find_session(opening) != nullptr;
}

void RequestHistory::begin(const Opening& opening) {
  transcript::Heading heading = like_;
  heading.session_id = opening.name;
  if (!opening.provider.empty()) heading.provider = opening.provider;
  conversations_.push_back(
      {.number = next_number_++,
       .thread = LinearConversation(std::move(heading), LinearConversation::People::yes),
       .chain = seed_of(opening)});
  if (conversations_.size() > kMostConversations) conversations_.pop_front();
  current_ = conversations_.size() - 1;
}

void RequestHistory::take_up(const Conversation& conversation) {
  current_ = static_cast<std::size_t>(conversation.number - conversations_.front().number);
}

RequestHistory::Point RequestHistory::point() const {
  const Conversation& conversation = conversations_[current_];
  const auto& turn = conversation.thread.turn();
  return {conversation.number, turn ? turn->source_id : std::string(), conversation.chain};
}

bool RequestHistory::go_back(const Point& point) {
  const Conversation* found = find(point.conversation);
  if (found == nullptr) return false;
  take_up(*found);
  Conversation& conversation = at_hand();
  if (conversation.chain != point.chain) conversation.thread.branch(point.turn);
  conversation.chain = point.chain;
  return true;
}

bool RequestHistory::append_otherwise(const Point& point) {
  if (!go_back(point)) return false;
  const auto& turn = at_hand().thread.turn();
  if (turn && turn->source_id != point.turn) at_hand().thread.branch(point.turn);
  return true;
}

void RequestHistory::name(std::string_view name) { mark(named(name)); }

std::optional<RequestHistory::Point> RequestHistory::find_named(std::string_view name) const {
  const auto found = marks_.find(named(name));
  if (found == marks_.end() || find(found->second.conversation) == nullptr) return std::nullopt;
  return found->second;
}

void RequestHistory::emit(Placed placed, transcript::Sink& sink) {
  enter(sink);
  Conversation& conversation = at_hand();
  const std::uint64_t chain = chain_of(conversation.chain, placed.block);
  conversation.thread.emit(std::move(placed.block), placed.is_persons, placed.counted, sink);
  if (std::exchange(conversation.chain, chain) != chain) mark(chain);
}

void RequestHistory::note(const transcript::Facts& facts, transcript::Sink& sink) {
  at_hand().thread.note(facts, sink);
}

void RequestHistory::add_usage(const transcript::Usage& usage, transcript::Sink& sink) {
  transcript::Usage& total = at_hand().usage;
  total = add_wrapping(total, usage);
  transcript::Facts facts;
  facts.usage = total;
  note(facts, sink);
}

const RequestHistory::Conversation* RequestHistory::find(std::int64_t number) const {
  const auto found = std::ranges::find(conversations_, number, &Conversation::number);
  return found == conversations_.end() ? nullptr : &*found;
}

const RequestHistory::Conversation* RequestHistory::find_session(const Opening& opening) const {
  if (opening.scope == Scope::none) return nullptr;
  const auto found = std::ranges::find_if(conversations_, [&](const Conversation& one) {
    return one.thread.heading().session_id == opening.name;
  });
  return found == conversations_.end() ? nullptr : &*found;
}

void RequestHistory::enter(transcript::Sink& sink) {
  Conversation& conversation = at_hand();
  if (entered_ == conversation.number) return;
  entered_ = conversation.number;
  conversation.thread.enter(sink);
  if (!project_.empty()) {
    transcript::Facts facts;
    facts.project = project_;
    conversation.thread.note(facts, sink);
  }
}

void RequestHistory::mark(std::uint64_t key) {
  if (!marks_.insert_or_assign(key, point()).second) return;
  order_.push_back(key);
  if (order_.size() <= most_marks_) return;
  marks_.erase(order_.front());
  order_.pop_front();
}

namespace {

struct Mark {
  std::uint64_t key = 0;
  RequestHistory::Point point{};
};
auto state_row(Mark& mark) {
  return state_cells(StateBits{mark.key}, mark.point.conversation, mark.point.turn,
                     StateBits{mark.point.chain});
}

}  // namespace

void RequestHistory::Conversation::archive(StateArchive& a) {
  a.field("thread", thread);
  a.field("chain", StateBits{chain});
  a.hashes("prompts", prompts);
  a.field("usage", usage);
}

void RequestHistory::archive(StateArchive& a) {
  a.field("conversations", conversations_, kMostConversations, [&] {
    return Conversation{.thread = LinearConversation(like_, LinearConversation::People::yes)};
  });
  a.field("current", current_);
  a.field("next", next_number_);
  std::vector<Mark> marks;
  for (const std::uint64_t key : order_) {
    if (a.is_writing()) marks.push_back({key, marks_.at(key)});
  }
  a.field("marks", marks, most_marks_);
  const auto count = static_cast<std::int64_t>(conversations_.size());
  a.check(next_number_ >= count && (count > 0 ? current_ < conversations_.size() : current_ == 0));
  if (a.is_writing() || !a.is_ok()) return;

  std::int64_t number = next_number_ - count;
  for (Conversation& one : conversations_) one.number = number++;
  marks_.clear();
  order_.clear();
  for (Mark& mark : marks) {
    order_.push_back(mark.key);
    a.check(marks_.emplace(mark.key, std::move(mark.point)).second);
  }
  entered_.reset();
}

}  // namespace weft::formats
