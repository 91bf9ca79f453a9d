#include "weft/formats/apis/openai/conversation_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/base/state_archive.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/request_counts.hpp"
#include "weft/formats/reading/json_reader.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Author;
using transcript::Block;

std::string choice_name(const std::string& id, std::uint32_t index) {
  return index == 0 ? id : id + "/" + std::to_string(index);
}

// A name for the content of a choice, the same for a stream and a whole answer.
std::string key_of(const Answer& answer, const Choice& choice) {
  std::uint64_t chain = 0;
  for (const Message& message : choice.messages) {
    for (const AuthoredBlock& block : message.blocks) {
      chain = chain_of(chain, Block{.author = block.author, .body = block.body});
    }
  }
  return choice_name(answer.id, choice.index) + " " + std::to_string(chain);
}

bool says_anything(const Choice& choice) {
  return choice.failure || std::ranges::any_of(choice.messages, [](const Message& message) {
           return !message.blocks.empty();
         });
}

}  // namespace

ConversationLog::ConversationLog(transcript::Heading like, const SourceInfo& info)
    : history_(std::move(like), info.project,
               info.most_marks == 0 ? RequestHistory::kMostMarks : info.most_marks),
      model_(info.model) {}

std::vector<Placed> ConversationLog::placed(std::vector<Message> messages, const std::string& model,
                                            Place& place) const {
  std::vector<Placed> all;
  for (Message& message : messages) {
    if (!message.refers.empty()) all.push_back({.block = {}, .refers = std::move(message.refers)});
    const auto is_human = [](const AuthoredBlock& authored) {
      return authored.author == Author::human;
    };
    const bool has_words = std::ranges::any_of(message.blocks, is_human);
    std::vector<Placed> words;
    for (AuthoredBlock& authored : message.blocks) {
      const bool is_persons =
          has_words && (authored.author == Author::human || authored.author == Author::program);
      Placed one{.block = {.author = authored.author,
                           .body = std::move(authored.body),
                           .source_id = place.record,
                           .index = place.next++,
                           .recorded = place.time,
                           .extra = std::move(authored.extra)},
                 .is_persons = is_persons,
                 .counted = true};
      if (authored.author == Author::model) {
        one.block.model = model.empty() ? model_ : std::optional(model);
      }
      // Results go to the answer that is running, before the message's own words.
      (is_persons ? words : all).push_back(std::move(one));
    }
    std::ranges::move(words, std::back_inserter(all));
  }
  return all;
}

bool ConversationLog::ask(Request request, Place& place, transcript::Sink& sink) {
  const bool is_session = !request.session.empty();
  const Opening opening{.name = is_session ? request.session : session_from(place.raw),
                        .provider = request.provider,
                        .scope = is_session ? request.scope : Scope::none,
                        .after = request.after};
  std::vector<Placed> prompts = placed(std::move(request.prompts), request.model, place);
  std::vector<Placed> blocks = placed(std::move(request.messages), request.model, place);
  const bool is_empty = prompts.empty() && blocks.empty();
  const bool has_news = history_.restate(std::move(prompts), std::move(blocks), opening, sink);
  is_asked_ = !is_empty && history_.has_begun();
  if (has_news) history_.note(request.facts, sink);
  return has_news;
}

std::uint64_t ConversationLog::beginning_of(Request request) const {
  Place place;
  return formats::beginning_of(0, placed(std::move(request.messages), request.model, place));
}

// The conversation that an answer is in.
void ConversationLog::go_to(const Answer& answer, const Opening& opening, transcript::Sink& sink) {
  if (is_asked_) {
    history_.resume({.name = opening.name}, sink);
    return;
  }
  if (!answer.after.empty()) {
    const auto before = history_.find_named(answer.after);
    if (before) history_.go_back(*before);
    else if (opening.scope == Scope::none) history_.begin(opening);
  }
  history_.resume(opening, sink);
}

ConversationLog::RecordContent ConversationLog::answer(Answer answer, Place& place,
                                                       transcript::Sink& sink) {
  std::vector<Choice> fresh;
  bool is_any = false;
  for (Choice& choice : answer.choices) {
    if (!says_anything(choice)) continue;
    is_any = true;
    const std::string key = key_of(answer, choice);
    if (!answer.id.empty() && !emitted_.add(key)) continue;
    fresh.push_back(std::move(choice));
  }
  if (is_any && fresh.empty()) return RecordContent::duplicate;
  const bool is_session = !answer.session.empty();
  const Opening opening{.name = is_session             ? answer.session
                                : !answer.id.empty()   ? answer.id
                                : !answer.name.empty() ? answer.name
                                                       : session_from(place.raw),
                        .provider = answer.provider,
                        .scope = is_session ? answer.scope : Scope::none};
  const bool is_known = is_asked_ || history_.has(opening);
  if (!is_any && answer.prompts.empty() && !is_known) return RecordContent::nothing;

  const bool is_alternative = !is_asked_ && !answer.id.empty() && answer.id == answered_ &&
                              !fresh.empty() &&
                              !ids_.has(choice_name(answer.id, fresh.front().index)) &&
                              history_.append_otherwise(answered_from_);
  if (is_alternative) {
    history_.resume({.name = answer.id}, sink);
  } else {
    go_to(answer, opening, sink);
    history_.append_prompts(placed(std::move(answer.prompts), answer.model, place), sink);
    answered_ = answer.id;
    answered_from_ = history_.point();
  }
  bool is_first = true;
  for (Choice& choice : fresh) {
    if (!std::exchange(is_first, false)) history_.append_otherwise(answered_from_);
    emit_choice(answer, std::move(choice), place, sink);
  }
  is_asked_ = false;
  if (!answer.id.empty()) history_.name(answer.id);
  transcript::Facts facts;
  facts.tools = std::move(answer.tools);
  facts.updated_at = answer.time ? answer.time : place.time;
  history_.note(facts, sink);
  if (answer.usage) {
    history_.add_usage(*answer.usage, sink);
    emit_request(*answer.usage, answer.id, answer.model, facts.updated_at, sink);
  }
  return is_any ? RecordContent::news : RecordContent::nothing;
}

void ConversationLog::emit_choice(const Answer& answer, Choice choice, Place& place,
                                  transcript::Sink& sink) {
  // Some servers give one id to all of their answers: it names only the first.
  const std::string name = choice_name(answer.id, choice.index);
  const bool is_named = !answer.id.empty() && ids_.add(name);
  const std::string source = is_named ? name : choice_name(place.record, choice.index);
  std::uint32_t named_next = 0;
  std::uint32_t& next = is_named ? named_next : place.next;
  const auto emit = [&](Author author, transcript::Body body, std::optional<json::object> extra) {
    Placed one{.block = {.author = author,
                         .body = std::move(body),
                         .source_id = source,
                         .index = next++,
                         .message_id = source,
                         .start = place.came.from,
                         .stop = place.came.to,
                         .recorded = answer.time ? answer.time : place.time,
                         .extra = std::move(extra)},
               .counted = !is_named};
    if (author == Author::model) {
      one.block.model = answer.model.empty() ? model_ : std::optional(answer.model);
    }
    if (author == Author::program) one.block.message_id.reset();
    history_.emit(std::move(one), sink);
  };
  for (Message& message : choice.messages) {
    for (AuthoredBlock& authored : message.blocks) {
      emit(authored.author, std::move(authored.body), std::move(authored.extra));
    }
    if (!message.id.empty() && !message.blocks.empty()) history_.name(message.id);
  }
  if (choice.failure) emit(Author::program, std::move(*choice.failure), {});
}

bool ConversationLog::append_text(Message message, Place& place, transcript::Sink& sink) {
  const std::string id = message.id;
  std::vector<Message> one;
  one.push_back(std::move(message));
  std::vector<Placed> blocks = placed(std::move(one), "", place);
  std::erase_if(blocks, [](const Placed& block) { return !block.refers.empty(); });
  if (blocks.empty()) return false;
  history_.resume({.name = session_from(place.raw)}, sink);
  for (Placed& block : blocks) {
    if (block.block.author == Author::model) block.block.message_id = place.record;
    history_.emit(std::move(block), sink);
  }
  if (!id.empty()) history_.name(id);
  is_asked_ = false;
  return true;
}

void ConversationLog::part(const Place& place) {
  history_.begin({.name = session_from(place.raw)});
  is_asked_ = false;
}

void ConversationLog::add_usage(const transcript::Usage& usage, const std::string& id,
                                const std::string& model, const Place& place,
                                transcript::Sink& sink) {
  if (!history_.has_begun()) return;
  history_.resume({}, sink);
  history_.add_usage(usage, sink);
  emit_request(usage, id, model, place.time, sink);
}

void ConversationLog::emit_request(const transcript::Usage& usage, const std::string& id,
                                   const std::string& model, std::optional<Millis> time,
                                   transcript::Sink& sink) {
  transcript::Request request = to_request(usage, CachedInput::included);
  request.message_id = id;
  request.model = model;
  request.time = time;
  sink.request(request);
}

void ConversationLog::keep_text(const json::value& value, std::string_view text, Place& place,
                                transcript::Sink& sink) {
  history_.resume({.name = session_from(place.raw)}, sink);
  history_.emit({.block = {.author = Author::program,
                           .body = anthropic::unknown_from_text(value, text),
                           .source_id = place.record,
                           .index = place.next++,
                           .recorded = place.time},
                 .counted = true},
                sink);
}

void ConversationLog::archive(StateArchive& a) {
  a.field("history", history_);
  emitted_.archive(a, "told");
  ids_.archive(a, "ids");
  a.field("asked", is_asked_);
  a.field("answered", answered_);
  a.field("from", state_cells(answered_from_.conversation, answered_from_.turn,
                              StateBits{answered_from_.chain}));
}

}  // namespace weft::formats::openai
