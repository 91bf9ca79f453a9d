// Conversation: emits one session of OpenCode: its messages, their parts, and their usage.
//
// Messages and parts come in order from tables and files. On the bus, a part comes again and again
// while it grows; it is emitted once, when it is complete, behind those that began before it, so
// that both ways emit the same.
//
// Messages after the point that `session.revert` names are undone but still stored: they are
// emitted like all others. OpenCode deletes them when it continues from that point.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/opencode/parts.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::opencode {

// The place of a message or part.
struct Place {
  std::string name{};            // where it has no id of its own
  std::optional<Millis> time{};  // where its message has none
  std::string_view message{};    // that it belongs to, if it does not name it
  std::string_view inexact{};    // its text, where its JSON holds more than a value
};

class Conversation {
 public:
  // `info` outlives it.
  Conversation(const SourceInfo& info, std::string id) : info_(&info), id_(std::move(id)) {}

  const std::string& id() const { return id_; }
  // The sink is in another conversation now.
  void leave() { builder_.leave(); }

  // All return false if nothing new was emitted.
  bool add_session(const json::object& session, transcript::Sink& sink);
  bool add_message(const json::object& message, const Place& place, transcript::Sink& sink);
  // Empty, or why nothing was emitted.
  std::string add_part(const json::object& part, const Place& place, transcript::Sink& sink);
  std::string add_row(const json::object& row, const Place& place, transcript::Sink& sink);
  // The same of a part that may still grow. `message` may be unknown.
  std::string add_growing(const json::object& part, const Place& place, transcript::Sink& sink);
  void add_delta(const json::object& delta);
  // False if a running message will have the same error.
  bool add_error(const json::value& error, const Place& place, transcript::Sink& sink);

  // Emits all that is pending: parts that still grow, and the end of the last message.
  void flush(transcript::Sink& sink);

  void archive(StateArchive& a);

 private:
  // Messages whose parts may still come. A part of an older message is emitted as part of an
  // answer.
  static constexpr std::size_t kMostMessages = 16;
  // Parts that were emitted. An older part that is repeated is emitted twice.
  static constexpr std::size_t kEmittedParts = 256;
  // Parts that wait, and their bytes. Beyond it, those that are done do not wait for others.
  static constexpr std::size_t kMaxPending = 64, kMaxPendingBytes = 256u << 10;
  // Limit of a pending error or title.
  static constexpr std::size_t kMostErrorBytes = 64u << 10;

  struct Message {
    std::string id;
    transcript::Role role = transcript::Role::assistant;
    bool is_known = false;    // its own record came, not only its parts
    bool is_summary = false;  // what was compacted
    bool has_parts = false, has_words = false;
    std::optional<std::string> model{};
    std::optional<Millis> time{};
    std::string step{};  // where it is not the first: of the parts that come
    bool has_steps = false;
    std::optional<Millis> answered{};  // when the last result came; 0 if nobody knows
    transcript::Usage steps{}, own{};
    std::string title{};  // of a prompt without words
    std::optional<json::value> error{};
    bool is_ended = false, has_failed = false;
    void archive(StateArchive& a);
  };
  struct PendingEvent {
    std::string id, message;
    json::object part;
    bool is_done = false;
    std::optional<Millis> time{};
    std::string inexact{};
    std::size_t bytes = 0;
    void archive(StateArchive& a);
  };

  void begin(transcript::Sink& sink);
  Message& message_of(std::string_view id, const json::object& part);
  void settle(Message& message, transcript::Sink& sink);
  void emit_pending(bool all, std::string_view message, transcript::Sink& sink);
  std::string emit_part(const json::object& part, Message& message, const Place& place,
                        transcript::Sink& sink);
  void emit(RecordContent content, Message& message, transcript::Sink& sink);
  void mark_step(const json::object& part, std::string_view place, Message& message);
  // True if the sum has changed; it is then emitted.
  bool recount(Message& message, const transcript::Usage& before, transcript::Sink& sink);
  Voice voice_of(const Message& message) const;

  const SourceInfo* info_;
  std::string id_;
  TurnBuilder builder_;
  std::string root_, parent_, fork_;  // sessions that it comes from
  std::string title_, directory_;     // as last emitted
  std::optional<Millis> updated_;
  std::deque<Message> messages_;
  std::deque<PendingEvent> pending_;
  Recent emitted_{kEmittedParts};
  transcript::Usage usage_{};
};

}  // namespace weft::formats::opencode
