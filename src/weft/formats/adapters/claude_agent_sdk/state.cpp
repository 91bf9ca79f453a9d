// The saved fields of a Stream.
#include "weft/transcript/state.hpp"
#include "weft/formats/adapters/claude_agent_sdk/claude_agent_sdk.hpp"

namespace weft::formats::claude_agent_sdk {

void Stream::Conversation::archive(StateArchive& a) {
  a.field("session", session);
  a.field("call", call);
  a.field("thread", thread);
  a.field("settled", settled);
  a.field("running", running);
}

void Stream::archive(StateArchive& a) {
  a.field("session", session_);
  a.field("continued", continued_from_);
  a.field("waiting", waiting_session_);
  a.optional("cwd", waiting_.cwd);
  a.field("tools", waiting_.tools, kMostTools);
  const transcript::Heading like{.format = std::string(kName),
                                 .family = "anthropic",
                                 .program = std::string(kName),
                                 .provider = "anthropic",
                                 .session_id = {}};
  a.field("conversations", conversations_, kMostThreads, [&] {
    return Conversation{.session = {},
                        .call = {},
                        .thread = LinearConversation(like, LinearConversation::People::yes)};
  });
  records_.archive(a, "records");
  usage_.archive(a, "usage");
  a.field("calls", calls_);
  if (!a.is_writing()) entered_.reset();
}

}  // namespace weft::formats::claude_agent_sdk
