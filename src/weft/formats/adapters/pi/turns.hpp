// From the entries of a session's tree to the turns of a conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/message.hpp"
#include "weft/formats/reading/entry_window.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::pi {

// An entry and what it tells.
struct RecordContent {
  const Entry& entry;
  Print print;               // where it has an id
  std::uint64_t number = 0;  // of its record, from 1
  std::vector<AuthoredBlock> blocks{};
  bool is_prompt = false;  // what a program says in it stays with the person's words
  bool is_answer = false;  // whoever speaks in it, it is no system turn
  std::optional<std::string> model{}, message_id{};
  std::optional<Millis> recorded{};
};

// Knows the tree as far as EntryWindow does, and the turn that is running.
class SessionTurns {
 public:
  // Nothing new, the same id saying the same again, or saying something else.
  EntryWindow::Seen seen(Print print) const { return window_.seen(print); }
  // Its turn, if that is a new one (or new to the sink), and its blocks.
  void emit(RecordContent content, transcript::Sink& sink);
  // An entry that tells nothing: those that follow it follow its parent.
  void bridge(const Entry& entry, Print print);

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  Seat parent_of(const Entry& entry) const;
  void settle(const Entry& entry, Print print, Seat seat);
  void open(transcript::Role role, bool is_branch, const Seat& parent, std::string name,
            bool is_counted, std::uint32_t index, transcript::Sink& sink);

  EntryWindow window_;
  Seat tip_;  // of the line before
  std::uint64_t last_emitted_ = 0;
  std::optional<transcript::TurnHead> turn_;
  bool is_turn_emitted_ = false;  // to the sink at hand: not after restore()
};

}  // namespace weft::formats::pi
