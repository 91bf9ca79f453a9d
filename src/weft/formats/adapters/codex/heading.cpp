#include "weft/formats/adapters/codex/heading.hpp"

#include <utility>

#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Origin;
using transcript::Sink;

constexpr std::size_t kUuidLength = 36;
// A copy is written in one go, when the thread is made.
constexpr Millis kReplayMillis = 2000;

struct Subagent {
  bool is_one = false, is_internal = false;
  std::string_view parent;  // its thread, where the source names it
};

bool is_helper(std::string_view name) {
  return name == "compact" || name.starts_with("memory") || name == "guardian";
}

// "cli", {"subagent":"review"}, {"subagent":{"other":"guardian"}},
// {"subagent":{"thread_spawn":{"parent_thread_id":"…"}}}
Subagent subagent_of(const json::object& meta) {
  const json::object* source = find_object(meta, "source");
  const std::string_view thread_source = find_string(meta, "thread_source").value_or("");
  Subagent subagent{.is_one = thread_source == "subagent",
                    .is_internal = thread_source.starts_with("memory")};
  if (source != nullptr) {
    if (source->contains("internal")) subagent.is_internal = true;
    const json::value* kind = find_member(*source, "subagent");
    if (kind != nullptr) subagent.is_one = true;
    if (const json::object* detail = kind == nullptr ? nullptr : kind->if_object()) {
      subagent.is_internal |= is_helper(find_string(*detail, "other").value_or(""));
      const json::object* spawn = find_object(*detail, "thread_spawn");
      if (spawn != nullptr) subagent.parent = find_name(*spawn, "parent_thread_id").value_or("");
    }
    subagent.is_internal |= is_helper(find_string(*source, "subagent").value_or(""));
  }
  if (subagent.parent.empty()) subagent.parent = find_name(meta, "parent_thread_id").value_or("");
  return subagent;
}

std::vector<std::string> tools_of(const json::object& meta) {
  std::vector<std::string> names;
  const json::array* tools = find_array(meta, "dynamic_tools");
  if (tools == nullptr) return names;
  for (const json::value& tool : *tools) {
    const json::object* object = tool.if_object();
    const auto name = object == nullptr ? std::nullopt : find_name(*object, "name");
    if (name) names.emplace_back(*name);
  }
  return names;
}

std::string_view id_of(const json::object& meta) {
  for (const std::string_view key : {"id", "session_id", "thread_id"}) {
    if (const auto id = find_name(meta, key)) return *id;
  }
  return {};
}

}  // namespace

std::string rollout_of_file(std::string_view name) {
  name = name.substr(0, name.find(".jsonl"));
  const bool has_two = name.size() > 2 * kUuidLength &&
                       name[name.size() - kUuidLength - 1] == '_' &&
                       is_uuid(name.substr(name.size() - kUuidLength));
  return has_two ? std::string(name.substr(name.size() - kUuidLength)) : std::string();
}

std::string thread_of_file(std::string_view name) {
  name = name.substr(0, name.find(".json"));
  if (!rollout_of_file(name).empty()) name.remove_suffix(kUuidLength + 1);
  const bool has_one = name.starts_with("rollout-") && name.size() > kUuidLength &&
                       is_uuid(name.substr(name.size() - kUuidLength));
  return has_one ? std::string(name.substr(name.size() - kUuidLength)) : std::string();
}

HeadingBuilder::HeadingBuilder(const SourceInfo& info) : info_(info) {
  heading_ = {.format = std::string(kName),
              .family = "openai",
              .program = std::string(kName),
              .provider = "openai",
              .session_id = {}};
}

void HeadingBuilder::begin(const json::object& meta, const Line& line, std::string_view text,
                           Sink& sink) {
  const Subagent subagent = subagent_of(meta);
  thread_ = id_of(meta);
  heading_.session_id = thread_;
  is_internal_ = subagent.is_internal;
  start_ = line.time;
  own_from_ = find_int(meta, "subagent_history_start_ordinal");
  if (own_from_ && *own_from_ > 0) is_replay_ = true;
  if (subagent.is_one) {
    // A subagent is of its root's session; before sessions had ids, of its parent's.
    const std::string_view session = find_name(meta, "session_id").value_or(thread_);
    heading_.source = "subagent:" + (thread_.empty() ? "unknown" : thread_);
    if (session != thread_) heading_.session_id = session;
    else if (!subagent.parent.empty()) heading_.session_id = subagent.parent;
  }
  has_begun_ = true;
  if (is_internal_) return;
  settle(text, sink);
  transcript::Facts facts;
  if (const auto cwd = find_name(meta, "cwd")) facts.cwd = std::string(*cwd);
  if (const json::object* git = find_object(meta, "git")) {
    if (const auto branch = find_name(*git, "branch")) facts.git_branch = std::string(*branch);
  }
  facts.tools = tools_of(meta);
  if (facts != transcript::Facts()) sink.facts(facts);
  emit_origins(meta, sink);
}

void HeadingBuilder::begin_without_meta(std::string_view text, Sink& sink) {
  heading_.session_id = thread_ = thread_of_file(info_.name);
  has_begun_ = true;
  settle(text, sink);
}

void HeadingBuilder::settle(std::string_view text, Sink& sink) {
  if (heading_.session_id.empty()) heading_.session_id = session_from(text);
  is_emitted_ = false;
  resume(sink);
  if (!info_.project.empty()) sink.facts({.project = info_.project});
}

void HeadingBuilder::emit_origins(const json::object& meta, Sink& sink) const {
  const Subagent subagent = subagent_of(meta);
  if (subagent.is_one) {
    const bool is_known = !subagent.parent.empty() || heading_.session_id != thread_;
    if (is_known && !thread_.empty()) {
      sink.origin(
          {.kind = Origin::Kind::spawned, .session_id = heading_.session_id, .agent = thread_});
    }
    return;
  }
  const json::object* base = find_object(meta, "history_base");
  const auto forked = find_name(meta, "forked_from_id");
  const auto from = forked || base == nullptr ? forked : find_name(*base, "thread_id");
  if (from && *from != thread_) {
    sink.origin({.kind = Origin::Kind::continued, .session_id = std::string(*from)});
  }
}

void HeadingBuilder::resume(Sink& sink) {
  if (!is_emitted_) sink.heading(heading_);
  is_emitted_ = true;
}

bool HeadingBuilder::is_other(const json::object& meta) const {
  const std::string_view id = id_of(meta);
  return !id.empty() && id != thread_;
}

bool HeadingBuilder::add_ancestor(const json::object& meta) {
  if (!is_other(meta)) return false;
  if (!own_from_) is_replay_ = true;
  return true;
}

void HeadingBuilder::pass(const Line& line) {
  if (!is_replay_) return;
  if (own_from_ && line.ordinal) {
    is_replay_ = *line.ordinal < *own_from_;
    return;
  }
  // Threads and turns are named by when they began.
  const auto turn = find_name(*line.payload, "turn_id");
  const bool names_turn = line.shape == Shape::context || line.shape == Shape::event;
  if (names_turn && turn && is_uuid(*turn) && is_uuid(thread_)) {
    has_turn_ids_ = true;
    if (*turn > thread_) is_replay_ = false;
  }
  if (!has_turn_ids_ && start_ && line.time && *line.time > *start_ + kReplayMillis) {
    is_replay_ = false;
  }
}

void HeadingBuilder::archive(StateArchive& a) {
  a.field("begun", has_begun_);
  a.field("session", heading_.session_id);
  a.field("source", heading_.source);
  a.field("thread", thread_);
  a.field("internal", is_internal_);
  a.field("replay", is_replay_);
  a.field("turn_ids", has_turn_ids_);
  a.optional("own_from", own_from_);
  a.optional("start", start_);
  if (!a.is_writing()) is_emitted_ = false;
}

}  // namespace weft::formats::codex
