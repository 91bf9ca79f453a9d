// Emits the heading, the origin and the facts of a session; and its saved fields.
#include <charconv>
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

bool parse_number(std::string_view digits, std::uint64_t& number) {
  return std::from_chars(digits.begin(), digits.end(), number).ptr == digits.end();
}

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

// The folder, the git branch, and a title from the first words.
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

void SessionReader::archive(StateArchive& a) {
  a.field("settled", is_settled_);
  a.field("session", session_);
  a.field("agent", agent_);
  a.field("forked_from", forked_from_);
  a.field("spawned_by", spawned_by_);
  a.field("cwd", cwd_);
  a.field("branch", branch_);
  std::string words = std::to_string(words_);  // in decimal digits
  a.field("words", words);
  a.check(parse_number(words, words_));
  a.field("teller", builder_);
  a.field("window", window_);
  a.field("tip", state_cells(tip_.content, tip_.turn));
  a.field("told", last_emitted_);
  a.field("place", last_place_);
  a.field("index", next_index_);
  usage_.archive(a, "usage");
  counted_.archive(a, "counted");
}

}  // namespace weft::formats::qwen
