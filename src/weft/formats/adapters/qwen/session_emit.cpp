// How a session is told: its heading, where it comes from, its facts; and what is remembered
// between records.
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/qwen/session.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::qwen {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Origin;
using transcript::Sink;

std::string path_in(const json::object& object, std::string_view key) {
  const std::string_view path = find_string(object, key).value_or("");
  return path.size() > kMaxPathBytes ? std::string() : std::string(path);
}

}  // namespace

void SessionReader::begin(std::string_view raw, Sink& sink) {
  if (builder_.has_begun()) {
    builder_.resume(sink);
    return;
  }
  if (session_.empty()) session_ = session_from(raw);
  if (!info_.project.empty()) builder_.note({.project = info_.project}, sink);
  builder_.begin({.format = std::string(kName),
                  .family = "qwen",
                  .program = "qwen-code",
                  .provider = "qwen",
                  .session_id = session_,
                  .source = agent_.empty() ? "primary" : "subagent:" + agent_},
                 sink);
  if (!agent_.empty()) emit_origin(sink);
  if (!spawned_by_.empty()) {
    sink.origin({.kind = Origin::Kind::spawned, .session_id = spawned_by_});
  }
  if (!forked_from_.empty()) {
    sink.origin({.kind = Origin::Kind::continued, .session_id = forked_from_});
  }
}

// The sidecar names the call that spawned an agent.
void SessionReader::emit_origin(Sink& sink) {
  Origin origin{.kind = Origin::Kind::spawned, .session_id = session_, .agent = agent_};
  if (info_.beside) {
    const auto sidecar = info_.beside(std::string(stem_of(info_.name)) + ".meta.json");
    const Result<ParsedJson> parsed = parse_json(sidecar.value_or(""));
    if (const json::object* meta = parsed ? parsed->value.if_object() : nullptr) {
      origin.call_id = find_id(*meta, "toolUseId");
      builder_.set_title(TurnBuilder::Title::made, find_string(*meta, "description").value_or(""),
                         sink);
    }
  }
  sink.origin(origin);
}

// Where it was said, and when; and a title from the first words.
void SessionReader::emit_circumstances(const Entry& entry, const Reading& reading, Sink& sink) {
  Facts facts;
  const std::string cwd = path_in(entry.object, "cwd");
  const std::string branch = path_in(entry.object, "gitBranch");
  if (!cwd.empty() && cwd != cwd_) facts.cwd = cwd_ = cwd;
  if (!branch.empty() && branch != branch_) facts.git_branch = branch_ = branch;
  if (facts != Facts()) sink.facts(facts);
  for (const AuthoredBlock& block : reading.blocks) {
    if (block.author == Author::model) words_ = 0;
    const auto* text = std::get_if<transcript::Text>(&block.body);
    if (text == nullptr || block.author != Author::human) continue;
    words_ = hash_of(text->text);
    if (!text->text.starts_with('/'))
      builder_.set_title(TurnBuilder::Title::prompt, text->text, sink);
  }
}

void SessionReader::finish(Sink& sink) {
  if (!builder_.has_begun() && is_settled_) sink.skip({0, "no turns"});
}

json::object SessionReader::save_state() const {
  return {{"settled", is_settled_},
          {"session", session_},
          {"agent", agent_},
          {"forked_from", forked_from_},
          {"spawned_by", spawned_by_},
          {"cwd", cwd_},
          {"branch", branch_},
          {"words", std::to_string(words_)},
          {"teller", builder_.save()},
          {"window", window_.save()},
          {"tip", json::array{tip_.content, json::string(tip_.turn)}},
          {"told", last_emitted_},
          {"place", last_place_},
          {"index", next_index_},
          {"usage", usage_.save()},
          {"counted", counted_.save()}};
}

bool SessionReader::restore_state(const json::object& state) {
  const auto settled = find_bool(state, "settled");
  const auto content = find_int(state, "told"), index = find_int(state, "index");
  const auto words = find_string(state, "words");
  const json::array* tip = find_array(state, "tip");
  const json::array* counted = find_array(state, "counted");
  const json::object* window = find_object(state, "window");
  if (!settled || !content || !index || !words) return false;
  if (tip == nullptr || counted == nullptr || window == nullptr) return false;
  if (*content < 0 || *index < 0 || *index > UINT32_MAX) return false;
  if (tip->size() != 2 || !(*tip)[0].is_int64() || !(*tip)[1].is_string()) return false;
  for (const auto& [key, member] :
       {std::pair("session", &session_), std::pair("agent", &agent_),
        std::pair("forked_from", &forked_from_), std::pair("spawned_by", &spawned_by_),
        std::pair("cwd", &cwd_), std::pair("branch", &branch_), std::pair("place", &last_place_)}) {
    const auto text = find_string(state, key);
    if (!text) return false;
    *member = *text;
  }
  is_settled_ = *settled;
  words_ = 0;
  for (const char digit : *words) {
    if (digit < '0' || digit > '9') return false;
    words_ = words_ * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  if ((*tip)[0].get_int64() < 0) return false;
  tip_ = {static_cast<std::uint64_t>((*tip)[0].get_int64()),
          std::string(view((*tip)[1].get_string()))};
  last_emitted_ = static_cast<std::uint64_t>(*content);
  next_index_ = static_cast<std::uint32_t>(*index);
  return builder_.restore(find_object(state, "teller")) && window_.restore(*window) &&
         usage_.restore(find_array(state, "usage")) && counted_.restore(*counted);
}

}  // namespace weft::formats::qwen
