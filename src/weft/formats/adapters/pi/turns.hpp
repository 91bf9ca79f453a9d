// Emits the entries of a session's tree as the turns of a conversation.
#pragma once

#include <cstdint>

#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/message.hpp"
#include "weft/formats/reading/entry_window.hpp"
#include "weft/formats/reading/turn_emitter.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::pi {

// An entry continues the running turn if it follows the last one emitted; otherwise it begins a
// turn that follows its parent's. Parents are known as far back as EntryWindow remembers them.
class TreeTurns {
 public:
  // Whether the window has an entry of that id, with the same line or another.
  EntryWindow::Seen seen(Fingerprint fingerprint) const { return window_.seen(fingerprint); }
  // Emits the blocks of an entry, which must have some; `content` needs no place. `fingerprint` is
  // used where the entry has an id; `number` is that of its record, from 1.
  void emit(const Entry& entry, Fingerprint fingerprint, std::uint64_t number,
            RecordContent content, transcript::Sink& sink);
  // Passes over an entry without blocks: entries that follow it follow its parent.
  void bridge(const Entry& entry, Fingerprint fingerprint);

  void archive(StateArchive& a);

 private:
  TreePosition parent_of(const Entry& entry) const;
  void settle(const Entry& entry, Fingerprint fingerprint, TreePosition position);

  EntryWindow window_;
  TreePosition tip_;  // of the entry before
  std::uint64_t last_emitted_ = 0;
  TurnEmitter turns_{TurnEmitter::ProgramBranch::system};
};

}  // namespace weft::formats::pi
