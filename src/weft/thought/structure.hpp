// Structure: the statements that decide what a conversation contains and how it is shown. Each is
// about a conversation, a turn or a block, and counts only if the creator of the conversation made
// it (docs/design.md, "Whose structure counts"). Anybody may sign such a statement; this file says
// what each is about, so that every reader can compare creators.
#pragma once

#include <string_view>
#include <vector>

#include "weft/thought/connection.hpp"

namespace weft::thought {

struct Subject {
  enum class Kind {
    conversation,  // counts by the creator of this conversation
    container,     // counts by the creator of this conversation or turn
    block,         // counts in conversations of the statement's creator that place this block
  };
  Kind kind;
  Cid cid;
  friend bool operator==(const Subject&, const Subject&) = default;
};

// What a statement is about; each subject must agree. Empty for a thought that is no structure: a
// block, an identity, a schema, a conversation itself, and connections that only comment
// (`causes`, `sequence`, `request_attention`, `uses_input`). Empty also if the member that names
// the subject is missing or malformed: then the statement names no conversation.
std::vector<Subject> subjects_of(const Thought& statement);
std::vector<Subject> subjects_of(const Connection& statement);

// Whether edges of this relation lead from one conversation to another or to a block of it.
bool joins_conversations(std::string_view relation);

// Whether the thought that a connection leads to may be absent: the result to which a subagent
// returned stands in the conversation of its caller, which need not be in the same store or file.
// The caller's own checkpoints show whether it is missing there.
bool may_end_elsewhere(const Connection& statement);

// Whether a `contains` edge may lead from one thought to the other, by their types and by the
// conversation that a turn names: from a conversation to a turn of its own, from a turn to a block.
// So no chain of `contains` is longer than two, and none leads back.
bool may_contain(const Thought& from, const Thought& to);

}  // namespace weft::thought
