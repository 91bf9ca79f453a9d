// Saves and restores a MessageStream: small JSON, apart from the unfinished message.
#include <bit>
#include <limits>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/anthropic/stream.hpp"

namespace weft::formats::anthropic {
namespace {

std::string text_of(const json::value& value) {
  // The canonical form of the whole state would not distinguish 1.0 from 1.
  std::string text;
  append_json(text, value);
  return text;
}

}  // namespace

json::object MessageStream::save() const {
  json::array ids, open;
  for (const std::uint64_t id : ids_) ids.push_back(std::bit_cast<std::int64_t>(id));
  for (const Open& one : open_) {
    json::object block{{"index", std::int64_t{one.index}},
                       {"start", one.start},
                       {"half", std::int64_t{one.half}},
                       {"done", one.is_done},
                       {"text", one.text},
                       {"input", one.input},
                       {"citations", one.citations},
                       {"compaction", one.compaction},
                       {"encrypted", one.encrypted}};
    if (one.signature) block["signature"] = *one.signature;
    open.push_back(std::move(block));
  }
  json::object state{{"ids", std::move(ids)}, {"repeat", is_repeat_}, {"open", std::move(open)}};
  if (message_) {
    json::object message{{"id", message_->id},
                         {"model", message_->model},
                         {"usage", text_of(message_->usage)},
                         {"details", text_of(message_->stop_details)},
                         {"next", std::int64_t{message_->next_index}}};
    if (message_->stop_reason) message["reason"] = *message_->stop_reason;
    state["message"] = std::move(message);
  }
  return state;
}

bool MessageStream::restore(const json::object& state) {
  const json::array* ids = find_array(state, "ids");
  const json::array* open = find_array(state, "open");
  const auto repeat = find_bool(state, "repeat");
  if (ids == nullptr || open == nullptr || !repeat || ids->size() > kMostIds) return false;
  MessageStream restored;
  restored.is_repeat_ = *repeat;
  for (const json::value& id : *ids) {
    if (!id.is_int64()) return false;
    restored.ids_.push_back(std::bit_cast<std::uint64_t>(id.get_int64()));
  }
  if (const json::object* message = find_object(state, "message")) {
    const auto id = find_string(*message, "id"), model = find_string(*message, "model"),
               details = find_string(*message, "details"), usage = find_string(*message, "usage");
    const auto next = find_int(*message, "next");
    if (!id || !model || !details || !usage || !next) return false;
    const Result<ParsedJson> parsed = parse_json(*details), counts = parse_json(*usage);
    if (!parsed || !counts || !counts->value.is_object()) return false;
    if (*next < 0 || *next > std::numeric_limits<std::uint32_t>::max()) return false;
    restored.message_ = Message{.id = std::string(*id),
                                .model = std::string(*model),
                                .usage = counts->value.get_object(),
                                .stop_details = parsed->value,
                                .next_index = static_cast<std::uint32_t>(*next)};
    if (const auto reason = find_string(*message, "reason")) {
      restored.message_->stop_reason = *reason;
    }
  }
  for (const json::value& value : *open) {
    const json::object* block = value.if_object();
    if (block == nullptr || !restored.message_) return false;
    const auto index = find_int(*block, "index"), half = find_int(*block, "half");
    const auto done = find_bool(*block, "done");
    if (!index || *index < 0 || *index >= std::numeric_limits<std::uint32_t>::max()) return false;
    if (!half || !done || (*half != 0 && (*half < 0xD800 || *half >= 0xDC00))) return false;
    const auto text = [&](std::string_view key) {
      return std::string(find_string(*block, key).value_or(""));
    };
    Open one{.index = static_cast<std::uint32_t>(*index),
             .start = text("start"),
             .text = text("text"),
             .input = text("input"),
             .citations = text("citations"),
             .compaction = text("compaction"),
             .encrypted = text("encrypted"),
             .half = static_cast<std::uint32_t>(*half),
             .is_done = *done};
    if (const auto signature = find_string(*block, "signature")) one.signature = *signature;
    restored.pending_ += size_of(one);
    restored.open_.push_back(std::move(one));
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::anthropic
