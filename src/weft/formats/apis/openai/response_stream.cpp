#include "weft/formats/apis/openai/response_stream.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/anthropic/exact_json.hpp"
#include "weft/formats/apis/openai/values.hpp"
#include "weft/formats/framing/framing.hpp"

namespace weft::formats::openai {
namespace {

constexpr std::string_view kPrefix = "response.";

// A piece of an item: the event that brings it, less "response." and ".delta" or ".done"; the
// member of the item that it is in; and, where that is an array, the event's index into it and
// the member there.
struct Piece {
  std::string_view event, member, index{}, inner{};
};
constexpr std::array<Piece, 11> kPieces = {{
    {"output_text", "content", "content_index", "text"},
    {"refusal", "content", "content_index", "refusal"},
    {"reasoning_text", "content", "content_index", "text"},
    {"reasoning_summary_text", "summary", "summary_index", "text"},
    {"function_call_arguments", "arguments"},
    {"mcp_call_arguments", "arguments"},
    {"mcp_call.arguments", "arguments"},
    {"custom_tool_call_input", "input"},
    {"code_interpreter_call_code", "code"},
    {"code_interpreter_call.code", "code"},
    {"apply_patch_call_operation_diff", "operation", "", "diff"},
}};

// Events that only report the progress of a tool: its item repeats it.
bool is_progress(std::string_view event) {
  constexpr std::array<std::string_view, 9> kTools = {
      "web_search_call.", "file_search_call.",      "code_interpreter_call.", "mcp_call.",
      "mcp_list_tools.",  "image_generation_call.", "shell_call_output",      "queued",
      "in_progress"};
  return std::ranges::any_of(kTools,
                             [&](std::string_view tool) { return event.starts_with(tool); });
}

// One that is there, or the next. Null if `index` is neither, or there are too many.
json::value* element_at(json::array& array, std::int64_t index, std::int64_t most) {
  if (index < 0 || index >= most) return nullptr;
  const auto at = static_cast<std::size_t>(index);
  if (at > array.size()) return nullptr;
  if (at == array.size()) array.push_back(nullptr);
  return &array[at];
}

std::string_view type_of_part(std::string_view event) {
  if (event == "refusal") return "refusal";
  if (event == "reasoning_text") return "reasoning_text";
  return event == "reasoning_summary_text" ? "summary_text" : "output_text";
}

}  // namespace

ResponseStream::Step ResponseStream::push(const json::object& event) {
  Step step;
  const auto type = find_string(event, "type");
  if (!type) return {.outcome = EventOutcome::malformed};
  if (*type == "error") {
    step.outcome = fail(event, step);
  } else if (!type->starts_with(kPrefix)) {
    step.outcome = *type == "keepalive" ? EventOutcome::progress : EventOutcome::unknown;
  } else {
    step.outcome = read_event(type->substr(kPrefix.size()), event, step);
  }
  return step;
}

ResponseStream::EventOutcome ResponseStream::read_event(std::string_view type,
                                                        const json::object& event, Step& step) {
  if (type == "created" || (!is_open() && (type == "in_progress" || type == "queued"))) {
    if (find_object(event, "response") == nullptr) return EventOutcome::malformed;
    begin(event, step);
    return EventOutcome::part;
  }
  const bool is_end = type == "completed" || type == "incomplete" || type == "failed" ||
                      type == "cancelled" || type == "done";
  if (is_end) {
    if (find_object(event, "response") == nullptr) return EventOutcome::malformed;
    complete(event, step);
    return EventOutcome::part;
  }
  const bool is_known = type.starts_with("output_item.") || type.starts_with("content_part.") ||
                        type.starts_with("reasoning_summary_part.") ||
                        type.starts_with("output_text.") ||
                        type.starts_with("shell_call_command.") ||
                        std::ranges::any_of(kPieces, [&](const Piece& piece) {
                          return type.starts_with(piece.event) &&
                                 (type.ends_with(".delta") || type.ends_with(".done"));
                        });
  if (!is_known) return is_progress(type) ? EventOutcome::progress : EventOutcome::unknown;
  if (!is_open()) return EventOutcome::stray;
  if (pending_ > kMaxRecordBytes) return EventOutcome::too_large;
  if (type == "output_item.added") return read_item(event, false);
  if (type == "output_item.done") return read_item(event, true);
  return read_detail(type, event);
}

void ResponseStream::begin(const json::object& event, Step& step) {
  Step rest = end();
  std::ranges::move(rest.responses, std::back_inserter(step.responses));
  json::object response = *find_object(event, "response");
  response.erase("output");
  *this = {};
  pending_ = size_of(response);
  response_ = std::move(response);
}

ResponseStream::EventOutcome ResponseStream::read_item(const json::object& event, bool is_done) {
  const json::object* item = find_object(event, "item");
  const std::int64_t at =
      find_int(event, "output_index").value_or(static_cast<std::int64_t>(items_.size()));
  if (item == nullptr) return EventOutcome::malformed;
  if (at < 0 || at >= kMostItems) return EventOutcome::too_large;
  Item& pending = items_[at];
  pending_ -= std::min(pending_, size_of(pending.item));
  pending_ += size_of(*item);
  pending = {.item = *item, .is_done = is_done};
  return EventOutcome::part;
}

ResponseStream::Item* ResponseStream::find_item(const json::object& event) {
  if (const auto at = find_int(event, "output_index")) {
    const auto found = items_.find(*at);
    return found == items_.end() ? nullptr : &found->second;
  }
  const auto id = find_string(event, "item_id");
  const auto found = std::ranges::find_if(
      items_, [&](const auto& one) { return find_string(one.second.item, "id") == id; });
  return !id || found == items_.end() ? nullptr : &found->second;
}

// A delta is appended, "done" replaces everything.
ResponseStream::EventOutcome ResponseStream::read_piece(json::object& holder, std::string_view key,
                                                        std::string_view source,
                                                        std::string_view type,
                                                        const json::object& event) {
  const bool is_delta = type.ends_with(".delta");
  const auto text = find_string(event, is_delta ? "delta" : source);
  if (!text) return is_delta ? EventOutcome::malformed : EventOutcome::part;
  json::value& value = holder[key];
  json::string& whole = value.is_string() ? value.get_string() : value.emplace_string();
  if (!is_delta) {
    pending_ -= std::min(pending_, whole.size());
    whole.clear();
  }
  whole.append(*text);
  pending_ += text->size();
  return EventOutcome::part;
}

ResponseStream::EventOutcome ResponseStream::read_detail(std::string_view type,
                                                         const json::object& event) {
  Item* found = find_item(event);
  if (found == nullptr) return EventOutcome::stray;
  // A finished item is complete.
  if (found->is_done) return EventOutcome::part;
  json::object& item = found->item;
  const bool is_summary = type.starts_with("reasoning_summary_part.");
  if (is_summary || type.starts_with("content_part.")) {
    const json::object* part = find_object(event, "part");
    const auto index = find_int(event, is_summary ? "summary_index" : "content_index");
    if (part == nullptr) return EventOutcome::malformed;
    json::array& parts = array_in(item, is_summary ? "summary" : "content");
    json::value* at = element_at(parts, index.value_or(0), kMostParts);
    if (at == nullptr) return EventOutcome::too_large;
    pending_ -= std::min(pending_, size_of(*at));
    *at = *part;
    pending_ += size_of(*at);
    return EventOutcome::part;
  }
  if (type == "output_text.annotation.added") {
    json::array& parts = array_in(item, "content");
    json::value* at = element_at(parts, find_int(event, "content_index").value_or(0), kMostParts);
    const json::object* annotation = find_object(event, "annotation");
    if (at == nullptr || annotation == nullptr) return EventOutcome::malformed;
    json::object& part = at->is_object() ? at->get_object() : at->emplace_object();
    array_in(part, "annotations").push_back(*annotation);
    pending_ += size_of(*annotation);
    return EventOutcome::part;
  }
  if (type.starts_with("shell_call_command.")) {
    json::array& commands = array_in(object_in(item, "action"), "commands");
    json::value* at =
        element_at(commands, find_int(event, "command_index").value_or(0), kMostParts);
    if (at == nullptr) return EventOutcome::too_large;
    json::object holder{{"command", std::move(*at)}};
    if (type.ends_with(".added")) holder["command"] = "";
    const EventOutcome outcome = read_piece(holder, "command", "command", type, event);
    *at = std::move(holder["command"]);
    return type.ends_with(".added") ? EventOutcome::part : outcome;
  }
  for (const Piece& piece : kPieces) {
    if (!type.starts_with(piece.event)) continue;
    if (piece.inner.empty()) return read_piece(item, piece.member, piece.member, type, event);
    if (piece.index.empty()) {
      return read_piece(object_in(item, piece.member), piece.inner, piece.inner, type, event);
    }
    json::value* at = element_at(array_in(item, piece.member),
                                 find_int(event, piece.index).value_or(0), kMostParts);
    if (at == nullptr) return EventOutcome::too_large;
    json::object& part = at->is_object() ? at->get_object() : at->emplace_object();
    if (!part.contains("type")) part["type"] = type_of_part(piece.event);
    return read_piece(part, piece.inner, piece.inner, type, event);
  }
  return EventOutcome::unknown;
}

// With the items that came, unless it has as many of its own.
json::object ResponseStream::folded(json::object response) const {
  const json::array* own = find_array(response, "output");
  if (items_.empty() || (own != nullptr && own->size() >= items_.size())) return response;
  json::array output;
  for (const auto& [at, item] : items_) output.push_back(item.item);
  response["output"] = std::move(output);
  return response;
}

void ResponseStream::complete(const json::object& event, Step& step) {
  json::object response = *find_object(event, "response");
  if (response_) {
    // What some gateways leave out at the end.
    for (const std::string_view key : {"id", "model", "created_at", "error"}) {
      const json::value* known = find_given(*response_, key);
      if (known != nullptr && find_given(response, key) == nullptr) response[key] = *known;
    }
  }
  step.responses.push_back({.response = folded(std::move(response))});
  *this = {};
}

// response.failed repeats the error, if it still comes.
ResponseStream::EventOutcome ResponseStream::fail(const json::object& event, Step& step) {
  const json::value* error = find_given(event, "error");
  json::value blocks = error == nullptr ? json::value(event) : *error;
  if (json::object* object = blocks.if_object()) {
    object->erase("type");
    object->erase("sequence_number");
  }
  if (is_open()) {
    (*response_)["error"] = std::move(blocks);
    return EventOutcome::part;
  }
  step.responses.push_back({.response = {{"error", std::move(blocks)}}});
  return EventOutcome::part;
}

ResponseStream::Step ResponseStream::end() const {
  Step step;
  if (response_) step.responses.push_back({.response = folded(*response_), .is_cut = true});
  return step;
}

namespace {

struct SavedItem {
  std::int64_t position = 0;
  bool is_done = false;
  json::object item{};
};
auto state_row(SavedItem& saved) {
  return state_cells(saved.position, saved.is_done, anthropic::ExactObject{saved.item});
}

}  // namespace

void ResponseStream::archive(StateArchive& a) {
  if (!a.is_writing()) *this = {};
  // Without a response there is no field at all.
  if (a.is_writing() ? !response_ : a.find("response") == nullptr) return;
  if (!response_) response_.emplace();
  a.field("response", anthropic::ExactObject{*response_});
  std::vector<SavedItem> items;
  for (const auto& [position, item] : items_) items.push_back({position, item.is_done, item.item});
  a.field("items", items);
  a.field("held", pending_);
  if (a.is_writing()) return;
  for (SavedItem& saved : items) {
    items_[saved.position] = {.item = std::move(saved.item), .is_done = saved.is_done};
  }
}

}  // namespace weft::formats::openai
