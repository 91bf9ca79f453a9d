// Parses a message of a Gemini CLI chat into blocks, each with its place.
//
//   {"id":"m1","timestamp":"…","type":"user","content":[{"text":"Which trees are there?"}]}
//   {"id":"m2","timestamp":"…","type":"gemini","content":"Two.","thoughts":[{"subject":…,
//    "description":…,"timestamp":…}],"toolCalls":[{"id":…,"name":…,"args":{},"result":[…],
//    "status":"success","timestamp":…}],"tokens":{"input":…,"output":…},"model":"gemini-x"}
//
// A message is written again when it has grown: a call gets its result, another call comes, the
// tokens are known. So thoughts, content and calls have ranges of places of their own, and stay
// where they are whatever the others do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/formats/apis/google/parts.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::gemini {

// Where content and calls begin; the thoughts are before them. A call's result has the place
// behind it.
inline constexpr std::uint32_t kContentAt = kBehindBlocks + 1;
inline constexpr std::uint32_t kCallsAt = 2 * kContentAt;

struct Message {
  enum class From { person, model, program };
  struct Piece {
    AuthoredBlock block;
    std::uint32_t index = 0;
    std::optional<Millis> time{};  // where it is not the message's
  };
  // A call that another agent works on, and that agent.
  struct Delegation {
    std::string call_id, agent;
  };

  std::optional<std::string> id;
  From from = From::program;
  std::optional<Millis> time;
  std::optional<std::string> model;
  std::optional<transcript::Usage> usage;
  std::vector<Piece> pieces;
  std::vector<Delegation> delegations{};
  bool is_cut_short = false;  // there was more than is kept of one message

  // The person's words; empty if there are none.
  std::string words() const;
};

// Whether an object is a message: it has a type or a role, and content.
bool is_message(const json::object& object);

enum class People { no, yes };  // whether "user" may be a person: not in a subagent's chat
Message parse_message(const json::object& object, People people);

// Adds the calls of a message to it, and what came back from those that are done.
void parse_calls(const json::object& object, Message& message);

// The working directory, from the harness's text at the start of a chat.
std::optional<std::string> folder_in(std::string_view context);

}  // namespace weft::formats::gemini
