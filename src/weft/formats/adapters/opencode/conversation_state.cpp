// The saved fields of a Conversation.
#include <utility>

#include "weft/formats/adapters/opencode/conversation.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats::opencode {
namespace {

// As UsageSum saves it.
void archive_usage(StateArchive& a, std::string_view key, transcript::Usage& usage) {
  a.field(key, usage);
  if (a.is_writing()) return;
  UsageSum sum;
  sum.add(usage);
  usage = sum.sum();
}

}  // namespace

void Conversation::Message::archive(StateArchive& a) {
  a.lenient("id", id);
  a.lenient("role", role);
  a.lenient("known", is_known);
  a.lenient("summary", is_summary);
  a.lenient("parts", has_parts);
  a.lenient("words", has_words);
  a.lenient("stepped", has_steps);
  a.lenient("ended", is_ended);
  a.lenient("failed", has_failed);
  a.lenient("step", step);
  archive_usage(a, "steps", steps);
  archive_usage(a, "own", own);
  a.optional("model", model);
  a.optional("time", time);
  a.optional("answered", answered);
  a.optional("error", error);
  a.sparse("title", title);
}

void Conversation::PendingEvent::archive(StateArchive& a) {
  a.lenient("id", id);
  a.lenient("message", message);
  a.field("part", part);
  a.lenient("done", is_done);
  a.lenient("inexact", inexact);
  a.lenient("bytes", bytes);
  a.optional("time", time);
}

void Conversation::archive(StateArchive& a) {
  a.lenient("id", id_);
  a.field("teller", builder_);
  a.lenient("root", root_);
  a.lenient("parent", parent_);
  a.lenient("fork", fork_);
  a.lenient("title", title_);
  a.lenient("directory", directory_);
  a.optional("updated", updated_);
  std::deque<Message> messages = messages_;
  for (Message& one : messages) {  // only the last may still need its title
    if (one.has_parts || &one != &messages.back()) one.title.clear();
  }
  a.field("messages", messages);
  if (!a.is_writing()) messages_ = std::move(messages);
  a.field("held", pending_);
  emitted_.archive(a, "told");
  archive_usage(a, "usage", usage_);
}

}  // namespace weft::formats::opencode
