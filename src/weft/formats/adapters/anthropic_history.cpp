#include "weft/formats/adapters/anthropic_history.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapters/claude_code_entry.hpp"

namespace weft::formats::anthropic {
namespace {

using claude_code::hash_of;
using transcript::Author;
using transcript::Block;
using transcript::Role;

constexpr std::size_t kSessionHashBytes = 8;

template <class T>
bool is(const Block& block) {
  return std::holds_alternative<T>(block.body);
}

Author author_of(Role role, const Block& block) {
  if (is<transcript::ToolResult>(block)) return Author::tool;
  if (role == Role::assistant || is<transcript::Thinking>(block) ||
      is<transcript::RedactedThinking>(block) || is<transcript::ToolCall>(block) ||
      is<transcript::Compaction>(block)) {
    return Author::model;
  }
  if (role != Role::human) return Author::program;
  if (is<transcript::Attachment>(block)) return Author::human;
  const auto* text = std::get_if<transcript::Text>(&block.body);
  // What harnesses put between a person's words is marked so.
  return text != nullptr && !text->text.starts_with("<system-reminder>") ? Author::human
                                                                         : Author::program;
}

// What tells a block from another in a restated history; empty for those that clients leave out.
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

std::uint64_t chain_of(std::uint64_t before, const Block& block) {
  const std::string identity = identity_of(block);
  if (identity.empty()) return before;
  return hash_of(std::to_string(before) + " " + identity);
}

}  // namespace

std::vector<Placed> placed_blocks(Section section, std::string_view source_id, bool counted,
                                  std::uint32_t first_index) {
  std::vector<Placed> placed;
  for (Section::Item& item : section.items) {
    const auto* text = std::get_if<transcript::Text>(&item.block.body);
    if (text != nullptr && text->text.empty() && text->citations.empty()) continue;
    Block block{.body = std::move(item.block.body),
                .source_id = std::string(source_id),
                .index = first_index + item.index,
                .start = item.block.start,
                .stop = item.block.stop};
    block.author = author_of(section.role, block);
    if (!block.start) block.recorded = section.recorded;
    if (section.role == Role::assistant) block.message_id = section.message_id;
    if (block.author == Author::model) {
      block.model = item.block.model ? item.block.model : section.model;
    }
    placed.push_back({.block = std::move(block), .counted = counted});
  }
  const auto is_human = [](const Placed& one) { return one.block.author == Author::human; };
  if (std::ranges::any_of(placed, is_human)) {
    std::vector<Placed> results, words;
    for (Placed& one : placed) {
      one.is_persons = is_human(one) || one.block.author == Author::program;
      (one.is_persons ? words : results).push_back(std::move(one));
    }
    placed = std::move(results);
    std::ranges::move(words, std::back_inserter(placed));
  }
  return placed;
}

History::History(const SourceInfo& info)
    : like_{.format = "anthropic-messages",
            .family = "anthropic",
            .program = "anthropic-api",
            .provider = "anthropic"},
      project_(info.project) {}

std::string History::name_of(std::string_view record) {
  const Digest digest = crypto::blake3(record);
  return "b3:" + to_hex(std::span(digest).first(kSessionHashBytes));
}

bool History::restate(std::vector<Placed> prompts, std::vector<Placed> blocks,
                      std::string_view record, transcript::Sink& sink) {
  std::size_t known = 0;
  std::uint64_t chain = 0, known_chain = 0;
  const Mark* from = nullptr;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint64_t next = chain_of(chain, blocks[i].block);
    const bool is_same = std::exchange(chain, next) == next;
    const auto found = is_same ? marks_.end() : marks_.find(next);
    if (found == marks_.end() || find(found->second.conversation) == nullptr) continue;
    from = &found->second;
    known = i + 1;
    known_chain = next;
  }
  if (from == nullptr) {
    if (blocks.empty() && prompts.empty()) return false;
    begin(name_of(record));
  } else {
    Conversation* conversation = find(from->conversation);
    current_ = static_cast<std::size_t>(conversation->number - conversations_.front().number);
    if (conversation->chain != known_chain) conversation->thread.branch(from->turn);
    conversation->chain = known_chain;
  }
  const bool has_news = say_prompts(std::move(prompts), sink) || known < blocks.size();
  for (; known < blocks.size(); ++known) tell(std::move(blocks[known]), sink);
  return has_news;
}

bool History::say_prompts(std::vector<Placed> prompts, transcript::Sink& sink) {
  bool has_news = false;
  std::deque<std::uint64_t>& told = at_hand().prompts;
  for (Placed& one : prompts) {
    const std::uint64_t hash = hash_of(identity_of(one.block));
    if (std::ranges::find(told, hash) != told.end()) continue;
    told.push_back(hash);
    if (told.size() > kMostPrompts) told.pop_front();
    enter(sink);
    at_hand().thread.tell(std::move(one.block), one.is_persons, one.counted, sink);
    has_news = true;
  }
  return has_news;
}

void History::go_on(std::string_view name, transcript::Sink& sink) {
  if (!has_begun()) begin(name);
  enter(sink);
}

void History::begin(std::string_view name) {
  transcript::Heading heading = like_;
  heading.session_id = name;
  conversations_.push_back(
      {.number = next_number_++, .thread = Thread(std::move(heading), Thread::People::yes)});
  if (conversations_.size() > kMostConversations) conversations_.pop_front();
  current_ = conversations_.size() - 1;
}

void History::tell(Placed placed, transcript::Sink& sink) {
  enter(sink);
  Conversation& conversation = at_hand();
  const std::uint64_t chain = chain_of(conversation.chain, placed.block);
  conversation.thread.tell(std::move(placed.block), placed.is_persons, placed.counted, sink);
  if (std::exchange(conversation.chain, chain) != chain) mark(chain);
}

void History::note(const transcript::Facts& facts, transcript::Sink& sink) {
  at_hand().thread.note(facts, sink);
}

void History::add_usage(const transcript::Usage& usage, transcript::Sink& sink) {
  transcript::Usage& total = at_hand().usage;
  // Counts of a broken file may be anything: sums wrap, they do not overflow.
  const auto add = [](std::int64_t& sum, std::int64_t count) {
    sum = std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum) +
                                      std::bit_cast<std::uint64_t>(count));
  };
  add(total.input, usage.input);
  add(total.output, usage.output);
  add(total.cache_read, usage.cache_read);
  add(total.cache_write, usage.cache_write);
  transcript::Facts facts;
  facts.usage = total;
  note(facts, sink);
}

History::Conversation* History::find(std::int64_t number) {
  const auto found = std::ranges::find(conversations_, number, &Conversation::number);
  return found == conversations_.end() ? nullptr : &*found;
}

void History::enter(transcript::Sink& sink) {
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

void History::mark(std::uint64_t chain) {
  const Conversation& conversation = at_hand();
  Mark mark{.conversation = conversation.number, .turn = conversation.thread.turn()->source_id};
  if (!marks_.insert_or_assign(chain, std::move(mark)).second) return;
  order_.push_back(chain);
  if (order_.size() <= kMostMarks) return;
  marks_.erase(order_.front());
  order_.pop_front();
}

json::object History::save() const {
  json::array conversations, marks;
  for (const Conversation& one : conversations_) {
    json::array prompts;
    for (const std::uint64_t hash : one.prompts)
      prompts.push_back(std::bit_cast<std::int64_t>(hash));
    conversations.push_back(
        json::object{{"thread", one.thread.save()},
                     {"chain", std::bit_cast<std::int64_t>(one.chain)},
                     {"prompts", std::move(prompts)},
                     {"usage", json::array{one.usage.input, one.usage.output, one.usage.cache_read,
                                           one.usage.cache_write}}});
  }
  for (const std::uint64_t chain : order_) {
    const Mark& mark = marks_.at(chain);
    marks.push_back(json::array{std::bit_cast<std::int64_t>(chain), mark.conversation, mark.turn});
  }
  return {{"conversations", std::move(conversations)},
          {"current", static_cast<std::int64_t>(current_)},
          {"next", next_number_},
          {"marks", std::move(marks)}};
}

bool History::restore(const json::object& state) {
  const json::array* conversations = find_array(state, "conversations");
  const json::array* marks = find_array(state, "marks");
  const auto current = find_int(state, "current"), next = find_int(state, "next");
  if (conversations == nullptr || marks == nullptr || !current || !next) return false;
  const auto count = static_cast<std::int64_t>(conversations->size());
  if (conversations->size() > kMostConversations || marks->size() > kMostMarks) return false;
  if (*current < 0 || *next < count || (count > 0 ? *current >= count : *current != 0)) {
    return false;
  }
  std::deque<Conversation> restored;
  for (const json::value& value : *conversations) {
    const json::object* one = value.if_object();
    const json::object* thread = one == nullptr ? nullptr : find_object(*one, "thread");
    const json::array* prompts = one == nullptr ? nullptr : find_array(*one, "prompts");
    const json::array* usage = one == nullptr ? nullptr : find_array(*one, "usage");
    const auto chain = one == nullptr ? std::nullopt : find_int(*one, "chain");
    if (thread == nullptr || prompts == nullptr || usage == nullptr || !chain) return false;
    const auto is_int = [](const json::value& number) { return number.is_int64(); };
    if (!std::ranges::all_of(*prompts, is_int) || !std::ranges::all_of(*usage, is_int))
      return false;
    if (usage->size() != 4) return false;
    Conversation conversation{.number = *next - count + static_cast<std::int64_t>(restored.size()),
                              .thread = {},
                              .chain = std::bit_cast<std::uint64_t>(*chain),
                              .usage = {(*usage)[0].get_int64(), (*usage)[1].get_int64(),
                                        (*usage)[2].get_int64(), (*usage)[3].get_int64()}};
    for (const json::value& hash : *prompts) {
      conversation.prompts.push_back(std::bit_cast<std::uint64_t>(hash.get_int64()));
    }
    if (!conversation.thread.restore(*thread, like_)) return false;
    restored.push_back(std::move(conversation));
  }
  std::unordered_map<std::uint64_t, Mark> known;
  std::deque<std::uint64_t> order;
  for (const json::value& value : *marks) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 3) return false;
    if (!(*row)[0].is_int64() || !(*row)[1].is_int64() || !(*row)[2].is_string()) return false;
    const auto chain = std::bit_cast<std::uint64_t>((*row)[0].get_int64());
    Mark mark{.conversation = (*row)[1].get_int64(),
              .turn = std::string(view((*row)[2].get_string()))};
    if (!known.emplace(chain, std::move(mark)).second) return false;
    order.push_back(chain);
  }
  conversations_ = std::move(restored);
  marks_ = std::move(known);
  order_ = std::move(order);
  current_ = static_cast<std::size_t>(*current);
  next_number_ = *next;
  entered_.reset();
  return true;
}

}  // namespace weft::formats::anthropic
