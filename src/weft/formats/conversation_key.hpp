// Which conversation a request of an API belongs to, before it is read: whoever keeps one reader
// for each conversation finds the right one by it. It agrees with how readers of logs tell
// conversations apart (request_history.hpp).
#pragma once

#include <string>
#include <string_view>

namespace weft::formats {

struct ConversationKey {
  // The same for all requests of one conversation, and for those that begin with the same words.
  std::string key;
  // The answer that it goes on from, where it names one instead of restating all before it: then
  // it belongs to that answer's conversation.
  std::string after{};
};

// `format` is "anthropic-messages" or "openai", `request` a body. What cannot be read is kin to
// all that cannot.
ConversationKey conversation_key(std::string_view format, std::string_view request);

// The name by which a request would go on from this answer, a body or the text of a stream; empty
// where it has none.
std::string answer_name(std::string_view format, std::string_view response);

}  // namespace weft::formats
