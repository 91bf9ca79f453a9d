// Saves and restores a ChatStream: small JSON, apart from the unfinished answer.
#include <array>
#include <limits>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/openai/chat_stream.hpp"

namespace weft::formats::openai {
namespace {

using transcript::Usage;

constexpr std::array kFields = {&Usage::input, &Usage::output, &Usage::cache_read,
                                &Usage::cache_write};

}  // namespace

json::object ChatStream::save() const {
  json::array choices;
  for (const Choice& choice : choices_) {
    // The canonical form of the whole state would not distinguish 1.0 from 1.
    std::string message;
    anthropic::append_json(message, choice.message);
    choices.push_back(json::array{std::int64_t{choice.index}, choice.is_done, std::move(message)});
  }
  json::array usage;
  for (const Usage* one : {&usage_, &emitted_usage_}) {
    for (const auto field : kFields) usage.push_back(one->*field);
  }
  std::string created;
  anthropic::append_json(created, created_);
  return {{"id", id_},
          {"model", model_},
          {"created", std::move(created)},
          {"choices", std::move(choices)},
          {"held", static_cast<std::int64_t>(pending_)},
          {"usage", std::move(usage)}};
}

bool ChatStream::restore(const json::object& state) {
  const auto id = find_string(state, "id"), model = find_string(state, "model"),
             created = find_string(state, "created");
  const json::array* choices = find_array(state, "choices");
  const json::array* usage = find_array(state, "usage");
  const auto pending = find_int(state, "held");
  if (!id || !model || !created || choices == nullptr || usage == nullptr || !pending ||
      *pending < 0) {
    return false;
  }
  if (usage->size() != 2 * kFields.size() || choices->size() > kMostChoices) return false;
  Result<ParsedJson> when = parse_json(*created);
  if (!when) return false;
  ChatStream restored;
  restored.id_ = *id;
  restored.model_ = *model;
  restored.created_ = std::move(when->value);
  restored.pending_ = static_cast<std::size_t>(*pending);
  for (std::size_t i = 0; i < usage->size(); ++i) {
    if (!(*usage)[i].is_int64()) return false;
    Usage& one = i < kFields.size() ? restored.usage_ : restored.emitted_usage_;
    one.*kFields[i % kFields.size()] = (*usage)[i].get_int64();
  }
  for (const json::value& value : *choices) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 3) return false;
    if (!(*row)[0].is_int64() || !(*row)[1].is_bool() || !(*row)[2].is_string()) return false;
    const std::int64_t index = (*row)[0].get_int64();
    if (index < 0 || index >= std::numeric_limits<std::uint32_t>::max()) return false;
    Result<ParsedJson> message = parse_json(view((*row)[2].get_string()));
    if (!message || !message->value.is_object()) return false;
    restored.choices_.push_back({.index = static_cast<std::uint32_t>(index),
                                 .message = std::move(message->value.get_object()),
                                 .is_done = (*row)[1].get_bool()});
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::openai
