#include "weft/formats/adapters/pi/turns.hpp"

#include <utility>

#include "weft/base/state_archive.hpp"

namespace weft::formats::pi {
namespace {

// As it is saved.
struct Tip {
  TreePosition& position;
  void archive(StateArchive& a) {
    a.field("told", position.content);
    a.field("turn", position.turn);
  }
};

}  // namespace

TreePosition TreeTurns::parent_of(const Entry& entry) const {
  if (entry.follows == Entry::Follows::nothing) return {};
  if (entry.follows == Entry::Follows::named) {
    if (const TreePosition* position = window_.find(entry.parent)) return *position;
  }
  // The parent may be the session, or a tool call, or long ago.
  return tip_;
}

void TreeTurns::settle(const Entry& entry, Fingerprint fingerprint, TreePosition position) {
  if (entry.id) window_.add(*entry.id, fingerprint, position);
  tip_ = std::move(position);
}

void TreeTurns::bridge(const Entry& entry, Fingerprint fingerprint) {
  settle(entry, fingerprint, parent_of(entry));
}

void TreeTurns::emit(const Entry& entry, Fingerprint fingerprint, std::uint64_t number,
                     RecordContent content, transcript::Sink& sink) {
  TreePosition parent = parent_of(entry);
  // A second root follows none: its parent's turn is "".
  const bool is_branch = last_emitted_ != 0 && parent.content != last_emitted_;
  if (is_branch) turns_.follow(std::move(parent.turn));
  // An id that stands for another entry already cannot be a place a second time.
  const bool is_named = entry.id && window_.seen(fingerprint) == EntryWindow::Seen::no;
  content.place = is_named ? std::string(*entry.id) : "#" + std::to_string(number);
  turns_.emit(std::move(content), sink);
  last_emitted_ = number;
  settle(entry, fingerprint, {number, turns_.turn_id()});
}

void TreeTurns::archive(StateArchive& a) {
  a.field("window", window_);
  Tip tip{tip_};
  a.field("tip", tip);
  a.field("told", last_emitted_);
  turns_.archive(a);
}

}  // namespace weft::formats::pi
