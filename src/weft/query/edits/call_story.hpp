// CallStories: what is told of a tool call beside an edit: who made it in which conversation, the
// thinking before it, and the words of a person that asked for it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/library.hpp"
#include "weft/query/trace/trace.hpp"

namespace weft::query {

// One for one answer: each call and each conversation is looked up once.
class CallStories {
 public:
  // What the library points to outlives it.
  explicit CallStories(const Library& library)
      : library_(library), causes_(causes_in(library_)), foreigners_(library), names_(library) {}
  CallStories(const CallStories&) = delete;  // its parts point to its own library
  CallStories& operator=(const CallStories&) = delete;

  // Adds to an answer: request_cid, conversation_cid, session_id, title, time, model,
  // thinking_cid?, prompt_cid?, reason?. `reason` are the person's words on one line: the nearest
  // ones among the causes of the call that are no command; never a summary or a program's text.
  Status add(const Cid& conversation, const Cid& request, json::object& answer);
  // Adds what is told of the conversation alone: conversation_cid, session_id, title.
  void add_conversation(const Cid& conversation, json::object& answer);
  // The words of a person that asked for a call; empty if there are none.
  Result<std::optional<Cid>> prompt_of(const Cid& request);

 private:
  struct Prompt {
    Cid cid;
    std::string words;
  };
  struct Story {
    Millis time = 0;
    std::string model{};
    std::optional<Cid> thinking{};
    std::optional<Prompt> prompt{};
  };
  Result<const Story*> story_of(const Cid& request);
  Result<std::optional<Prompt>> find_prompt(const Cid& request, std::optional<Cid>& thinking);
  const json::object& conversation_of(const Cid& cid);

  Library library_;
  Follow causes_;
  Foreigners foreigners_;
  Names names_;
  std::unordered_map<Cid, Story> stories_;                  // by request
  std::unordered_map<Cid, std::optional<Prompt>> prompts_;  // by thoughts on the way to one
  std::unordered_map<Cid, json::object> conversations_;
};

}  // namespace weft::query
