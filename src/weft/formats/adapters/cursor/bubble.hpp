// Parses a conversation of Cursor's editor from its database: a composer, and a bubble for each
// message or tool call. The database's rows come as lines, the composer's first:
//
//   {"composer":{"composerId":"…","name":"…",…}}
//   {"bubbleId":"…","bubble":{"type":1,"text":"…",…}}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::cursor {

struct Composer {
  std::string id;
  transcript::Facts facts;
  std::optional<transcript::Origin> origin;
  std::optional<std::string> model;
};
Composer parse_composer(const json::object& object);

struct Bubble {
  std::vector<AuthoredBlock> blocks;
  bool is_of_model = false;
  std::optional<Millis> time;
  std::optional<std::string> model;
  std::optional<std::string> message_id;  // of the model's answer that it is of
  std::optional<transcript::Usage> usage;
  std::optional<transcript::Spawned> spawned;
};
Bubble parse_bubble(const json::object& object);

// The words of a text as the editor keeps it (Lexical's JSON); empty if it is not such JSON.
std::string plain_of_rich(std::string_view rich);

}  // namespace weft::formats::cursor
