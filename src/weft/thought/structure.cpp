#include "weft/thought/structure.hpp"

#include <algorithm>
#include <array>

#include "weft/thought/attestation.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/resumption.hpp"
#include "weft/thought/schema.hpp"
#include "weft/thought/statements/joining.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::thought {
namespace {

// The kinds that stand in no turn. Everything else is a block, or hangs on one.
constexpr std::array<std::string_view, 5> kNeverPlaced = {
    "conversation", "turn", "conversation_facts", kUsageKind, "identity"};

bool is_placeable(const Thought& thought) {
  const std::string_view kind = kind_of(thought.type);
  return thought.type != kConnectionType && thought.type != kCheckpointType &&
         thought.type != kTombstoneType && thought.type != kSchemaType &&
         thought.type != kResumptionType && thought.type != kAttestationType &&
         thought.type != kJoiningType &&
         std::ranges::find(kNeverPlaced, kind) == kNeverPlaced.end();
}

std::vector<Subject> conversation_named(const json::object& content) {
  const Result<Cid> cid = Cid::parse(find_string(content, "conversation").value_or(""));
  if (!cid) return {};
  return {{Subject::Kind::conversation, *cid}};
}

}  // namespace

std::vector<Subject> subjects_of(const Connection& statement) {
  using enum Subject::Kind;
  const std::string_view relation = statement.relation;
  if (relation == "contains") return {{container, statement.from}};
  if (relation == "supersedes" || relation == "rework") return {{block, statement.to}};
  if (relation == "spawns") return {{block, statement.from}, {conversation, statement.to}};
  if (relation == "returns") return {{block, statement.from}, {block, statement.to}};
  if (relation == "summarizes") return {{block, statement.from}, {conversation, statement.to}};
  if (relation == "continues") return {{conversation, statement.from}};
  return {};
}

std::vector<Subject> subjects_of(const Thought& statement) {
  if (statement.type == kConnectionType) {
    const Result<Connection> connection = to_connection(statement);
    return connection ? subjects_of(*connection) : std::vector<Subject>();
  }
  if (statement.type == kCheckpointType) return conversation_named(statement.content);
  const std::string_view kind = kind_of(statement.type);
  if (kind == "turn") return conversation_named(statement.content);
  const bool is_about_one =
      kind == "conversation_facts" || kind == kUsageKind || statement.type == kJoiningType;
  if (is_about_one && !statement.because.empty()) {
    return {{Subject::Kind::conversation, statement.because.front().thought}};
  }
  return {};
}

bool joins_conversations(std::string_view relation) {
  return relation == "spawns" || relation == "continues" || relation == "returns" ||
         relation == "summarizes";
}

bool may_end_elsewhere(const Connection& statement) { return statement.relation == "returns"; }

bool may_contain(const Thought& from, const Thought& to) {
  const std::string_view kind = kind_of(from.type);
  if (kind == "turn") return is_placeable(to);
  if (kind != "conversation" || kind_of(to.type) != "turn") return false;
  return conversation_named(to.content) ==
         std::vector<Subject>{{Subject::Kind::conversation, from.cid}};
}

}  // namespace weft::thought
