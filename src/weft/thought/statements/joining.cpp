#include "weft/thought/statements/joining.hpp"

#include <algorithm>

namespace weft::thought {

bool Joining::gives_up(const Cid& checkpoint) const {
  return std::ranges::find(given_up, checkpoint) != given_up.end();
}

Result<Joining> to_joining(const Thought& thought) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid_input, "joining: malformed content");
  };
  const json::array* given_up = find_array(thought.content, "given_up");
  const auto conversation = Cid::parse(find_string(thought.content, "conversation").value_or(""));
  const auto kept = Cid::parse(find_string(thought.content, "kept").value_or(""));
  const bool is_bare = thought.type == kJoiningType && !thought.source &&
                       thought.layers == Layers{} && thought.content.size() == 3;
  if (!is_bare || !conversation || !kept || given_up == nullptr || given_up->empty()) {
    return malformed();
  }
  Joining joining{.conversation = *conversation, .kept = *kept};
  if (thought.because != std::vector<ContentRef>{{.thought = *conversation}}) return malformed();
  for (const json::value& value : *given_up) {
    const auto cid = Cid::parse(value.is_string() ? view(value.get_string()) : "");
    if (!cid || *cid == joining.kept) return malformed();
    joining.given_up.push_back(*cid);
  }
  return joining;
}

Thought make_joining(const Joining& joining, const Cid& creator, Millis at) {
  Thought thought;
  thought.type = kJoiningType;
  json::array given_up;
  for (const Cid& cid : joining.given_up) given_up.emplace_back(cid.str());
  thought.content = {{"conversation", joining.conversation.str()},
                     {"kept", joining.kept.str()},
                     {"given_up", std::move(given_up)}};
  thought.because = {{.thought = joining.conversation}};
  thought.created_by = creator;
  thought.created_at = at;
  thought.cid = cid_of(thought);
  return thought;
}

}  // namespace weft::thought
