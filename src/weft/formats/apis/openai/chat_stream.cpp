#include "weft/formats/apis/openai/chat_stream.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "weft/formats/apis/openai/values.hpp"
#include "weft/formats/framing/framing.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Usage;

constexpr std::array kFields = {&Usage::input, &Usage::output, &Usage::cache_read,
                                &Usage::cache_write};

const json::object* find_usage(const json::object& chunk) {
  if (const json::object* usage = find_object(chunk, "usage")) return usage;
  const json::object* groq = find_object(chunk, "x_groq");
  return groq == nullptr ? nullptr : find_object(*groq, "usage");
}

// The call that a fragment continues. Calls are identified by index; if servers give none, or the
// same to all, by id.
json::object* find_call(json::array& calls, const json::object& fragment) {
  const std::string_view id = find_string(fragment, "id").value_or("");
  const auto index = find_int(fragment, "index");
  for (auto at = calls.rbegin(); at != calls.rend(); ++at) {
    json::object& call = at->get_object();
    const std::string_view its_id = find_string(call, "id").value_or("");
    const bool is_other_id = !id.empty() && !its_id.empty() && its_id != id;
    if (index) {
      if (find_int(call, "index") != index) continue;
      if (is_other_id) return nullptr;
      return &call;
    }
    if (id.empty() || its_id == id) return &call;
  }
  return nullptr;
}

bool is_choice_index(std::int64_t index) {
  return index >= 0 && index < std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

bool ChatStream::is_open() const {
  return std::ranges::any_of(choices_, [](const Choice& choice) { return !choice.is_done; });
}

void ChatStream::append(json::object& object, std::string_view key, std::string_view text) {
  json::value& value = object[key];
  json::string& whole = value.is_string() ? value.get_string() : value.emplace_string();
  whole.append(text);
  pending_ += text.size();
}

void ChatStream::begin(const json::object& chunk, std::string id) {
  ChatStream fresh;
  fresh.id_ = std::move(id);
  fresh.model_ = name_in(chunk, "model");
  if (const json::value* created = find_given(chunk, "created")) {
    if (created->is_number()) fresh.created_ = *created;
  }
  *this = std::move(fresh);
}

ChatStream::Step ChatStream::push(const json::object& chunk) {
  Step step;
  const json::array* choices = find_array(chunk, "choices");
  const json::object* usage = find_usage(chunk);
  if (choices == nullptr && usage == nullptr) return {.outcome = EventOutcome::malformed};
  const bool has_choices = choices != nullptr && !choices->empty();
  std::string id = name_in(chunk, "id");
  if (!has_choices && usage == nullptr) return {.outcome = EventOutcome::filter};

  // Without ids, what comes behind the end of one answer is another.
  const bool is_over = !choices_.empty() && !is_open();
  const bool is_new = id != id_ ? !id.empty() && (!id_.empty() || is_over || choices_.empty())
                                : has_choices && is_over && id.empty();
  if (is_new) {
    emit_rest(true, step);
    emit_usage(step);
    begin(chunk, id);
  }
  if (id_.empty() && !is_over) id_ = std::move(id);
  if (model_.empty()) model_ = name_in(chunk, "model");
  if (has_choices) {
    if (pending_ > kMaxRecordBytes) {
      step.outcome = EventOutcome::too_large;
      return step;
    }
    for (const json::value& value : *choices) {
      const json::object* choice = value.if_object();
      const EventOutcome push_outcome =
          choice == nullptr ? EventOutcome::malformed : read_choice(*choice, step);
      if (push_outcome != EventOutcome::part) step.outcome = push_outcome;
    }
  }
  read_usage(chunk);
  if (!is_open()) emit_usage(step);
  return step;
}

ChatStream::EventOutcome ChatStream::read_choice(const json::object& object, Step& step) {
  const std::int64_t index = find_int(object, "index").value_or(0);
  if (!is_choice_index(index)) return EventOutcome::malformed;
  auto found = std::ranges::find(choices_, static_cast<std::uint32_t>(index), &Choice::index);
  if (found == choices_.end()) {
    if (choices_.size() >= kMostChoices) return EventOutcome::too_large;
    choices_.push_back({.index = static_cast<std::uint32_t>(index)});
    found = choices_.end() - 1;
  }
  const json::object* delta = find_object(object, "delta");
  // Some servers send the last of it whole.
  if (delta == nullptr) delta = find_object(object, "message");
  if (found->is_done) {
    const bool says_more = delta != nullptr && std::ranges::any_of(*delta, [](const auto& member) {
                             const json::value& value = member.value();
                             const bool is_empty = value.is_null() || (value.is_string() &&
                                                                       value.get_string().empty());
                             return member.key() != "role" && !is_empty;
                           });
    return says_more ? EventOutcome::stray : EventOutcome::part;
  }
  if (delta != nullptr && !read_delta(*found, *delta)) return EventOutcome::too_large;
  const std::string reason = name_in(object, "finish_reason");
  if (reason.empty()) return EventOutcome::part;
  StreamedChoice choice = emitted(*found);
  choice.finish_reason = reason;
  step.choices.push_back(std::move(choice));
  found->is_done = true;
  pending_ -= std::min(pending_, size_of(found->message));
  found->message.clear();
  return EventOutcome::part;
}

bool ChatStream::read_delta(Choice& choice, const json::object& delta) {
  json::object& message = choice.message;
  for (const auto& member : delta) {
    const std::string_view key = member.key();
    const json::value& value = member.value();
    if (key == "content") {
      read_content(choice, value);
    } else if (key == "tool_calls") {
      if (value.is_array() && !read_calls(choice, value.get_array())) return false;
    } else if (key == "reasoning_details") {
      if (value.is_array()) read_details(choice, value.get_array());
    } else if (key == "function_call" || key == "audio") {
      const json::object* parts = value.if_object();
      if (parts == nullptr) continue;
      json::object& whole = object_in(message, key);
      for (const auto& part : *parts) {
        const json::string* text = part.value().if_string();
        const bool is_name = part.key() == "name" || part.key() == "id";
        if (text != nullptr && !(is_name && whole.contains(part.key()))) {
          append(whole, part.key(), view(*text));
        }
      }
    } else if (key == "annotations" || key == "images" || key == "thinking_blocks") {
      const json::array* more = value.if_array();
      if (more == nullptr) continue;
      json::array& all = array_in(message, key);
      if (all.size() + more->size() > kMostCalls) return false;
      all.insert(all.end(), more->begin(), more->end());
      pending_ += size_of(value);
    } else if (key != "role" && value.is_string()) {
      append(message, key, view(value.get_string()));
    }
  }
  return true;
}

// A text; or parts, of which texts and thoughts come in pieces.
void ChatStream::read_content(Choice& choice, const json::value& content) {
  if (const json::string* text = content.if_string()) {
    append(choice.message, "content", view(*text));
    return;
  }
  const json::array* parts = content.if_array();
  if (parts == nullptr) return;
  for (const json::value& part : *parts) {
    const json::object* object = part.if_object();
    if (object == nullptr) continue;
    const auto text = find_string(*object, "text");
    if (find_string(*object, "type") == "text" && text) {
      append(choice.message, "content", *text);
      continue;
    }
    for (const transcript::Body& body : parse_part(part)) {
      if (const auto* thinking = std::get_if<transcript::Thinking>(&body)) {
        append(choice.message, "reasoning_content", thinking->text);
      } else if (json::array& others = array_in(choice.message, "images");
                 others.size() < kMostCalls) {
        others.push_back(part);
        pending_ += size_of(part);
      }
    }
  }
}

void ChatStream::read_details(Choice& choice, const json::array& details) {
  json::array& all = array_in(choice.message, "reasoning_details");
  for (const json::value& value : details) {
    const json::object* detail = value.if_object();
    if (detail == nullptr) continue;
    const auto is_same = [&](const json::value& other) {
      const json::object& known = other.get_object();
      return find_string(known, "type") == find_string(*detail, "type") &&
             find_int(known, "index") == find_int(*detail, "index");
    };
    // They come in order: the continued one is among the last.
    const auto found = std::find_if(all.rbegin(), all.rend(), is_same);
    const bool goes_on = found != all.rend() && std::distance(all.rbegin(), found) < 8;
    if (!goes_on) {
      if (all.size() >= kMostCalls) continue;
      all.push_back(json::object());
    }
    json::object& whole = goes_on ? found->get_object() : all.back().get_object();
    for (const auto& member : *detail) {
      const std::string_view key = member.key();
      const json::string* text = member.value().if_string();
      const bool is_piece = key == "text" || key == "summary" || key == "data";
      if (text != nullptr && is_piece) append(whole, key, view(*text));
      else if (!member.value().is_null()) {
        whole[key] = member.value();
        pending_ += size_of(member.value());
      }
    }
  }
}

bool ChatStream::read_calls(Choice& choice, const json::array& fragments) {
  json::array& calls = array_in(choice.message, "tool_calls");
  for (const json::value& value : fragments) {
    const json::object* fragment = value.if_object();
    if (fragment == nullptr) continue;
    json::object* call = find_call(calls, *fragment);
    if (call == nullptr) {
      if (calls.size() >= kMostCalls) return false;
      calls.push_back(json::object());
      call = &calls.back().get_object();
      if (const auto index = find_int(*fragment, "index")) (*call)["index"] = *index;
    }
    for (const std::string_view key : {"id", "type"}) {
      const auto text = find_string(*fragment, key);
      if (text && !text->empty() && !call->contains(key)) append(*call, key, *text);
    }
    for (const std::string_view key : {"function", "custom"}) {
      const json::object* parts = find_object(*fragment, key);
      if (parts == nullptr) continue;
      json::object& whole = object_in(*call, key);
      const auto name = find_string(*parts, "name");
      if (name && !name->empty() && !whole.contains("name")) append(whole, "name", *name);
      for (const std::string_view piece : {"arguments", "input"}) {
        const json::value* more = find_given(*parts, piece);
        if (more == nullptr) continue;
        if (const json::string* text = more->if_string()) append(whole, piece, view(*text));
        else {
          whole[piece] = *more;
          pending_ += size_of(*more);
        }
      }
    }
  }
  return true;
}

// Where it comes with every chunk it counts from the beginning.
void ChatStream::read_usage(const json::object& chunk) {
  const json::object* usage = find_usage(chunk);
  if (usage == nullptr) return;
  const Usage counted = usage_of(*usage);
  for (const auto field : kFields) usage_.*field = std::max(usage_.*field, counted.*field);
}

void ChatStream::emit_usage(Step& step) {
  if (usage_ == emitted_usage_) return;
  Usage more = step.usage.value_or(Usage());
  for (const auto field : kFields) {
    // Counts of a broken file may be anything.
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    more.*field += std::clamp<std::int64_t>(usage_.*field, 0, kMost) -
                   std::clamp<std::int64_t>(emitted_usage_.*field, 0, kMost);
  }
  emitted_usage_ = usage_;
  step.usage = more;
}

StreamedChoice ChatStream::emitted(const Choice& choice) const {
  json::object message = choice.message;
  if (json::value* calls = message.if_contains("tool_calls"); calls && calls->is_array()) {
    for (json::value& call : calls->get_array()) call.get_object().erase("index");
  }
  message["role"] = "assistant";
  return {.id = id_,
          .model = model_,
          .created = created_,
          .index = choice.index,
          .message = std::move(message)};
}

void ChatStream::emit_rest(bool is_cut, Step& step) const {
  for (const Choice& choice : choices_) {
    if (choice.is_done) continue;
    step.choices.push_back(emitted(choice));
    step.choices.back().is_cut = is_cut;
  }
}

ChatStream::Step ChatStream::close() {
  Step step;
  emit_rest(false, step);
  emit_usage(step);
  *this = {};
  return step;
}

ChatStream::Step ChatStream::end() const {
  ChatStream copy = *this;
  Step step;
  copy.emit_rest(true, step);
  copy.emit_usage(step);
  return step;
}

}  // namespace weft::formats::openai
