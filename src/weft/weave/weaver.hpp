// Weaver: the sink that makes thoughts from what a reader emits (docs/design.md, "Weaving").
// Weaving is online: what a record becomes depends only on it and on what came before it in its own
// file.
//
//   Weaver weaver(identities, known_web);
//   read_all(adapter, info, bytes, weaver);
//   WEFT_TRY_VALUE(auto units, weaver.take(now));   // fails if a look-up failed
//   for (CommitUnit& unit : units) sign(unit);      // then commit
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "weft/thought/identities.hpp"
#include "weft/transcript/conversation.hpp"
#include "weft/weave/known_web.hpp"

namespace weft::weave {

class ConversationWeaver;
struct Joining;
struct Pending;

class Weaver : public transcript::Sink {
 public:
  // What was left out. Beyond a limit for each reason only the first is listed with how
  // many there were: a file may hold millions of them.
  struct Report {
    static constexpr std::size_t kListed = 1000;
    struct Skips {
      std::uint64_t count = 0;
      std::vector<std::uint64_t> lines{};  // of the first kListed
    };
    std::map<std::string, Skips> skipped{};  // by reason
    std::size_t repairs = 0;
  };
  // Both outlive the weaver.
  Weaver(thought::Identities& identities, const KnownWeb& known_web);
  ~Weaver() override;

  void heading(const transcript::Heading& heading) override;
  void turn(const transcript::TurnHead& head) override;
  void block(transcript::Block block) override;
  void facts(const transcript::Facts& facts) override;
  void origin(const transcript::Origin& origin) override;
  void spawned(const transcript::Spawned& spawned) override;
  void skip(transcript::Skipped skipped) override;
  void repaired(std::size_t count) override;

  // All that was woven since the last call, one CommitUnit for each conversation that it
  // adds to, each closed by a checkpoint dated `now`; still to be signed: sign(unit).
  //
  // A sink cannot report a failure, so the weaver keeps the first failed look-up and weaves nothing
  // after it: take() then returns that failure, and the source must be read again by a new weaver.
  [[nodiscard]] Result<std::vector<CommitUnit>> take(Millis now);
  // Roughly how much is waiting in take(), in bytes.
  std::size_t pending_bytes() const;
  // Every conversation met so far, whether anything was added to it or not.
  std::vector<Cid> conversations() const;
  // The thought of the last block, whether it was woven now or known before; empty if there was
  // none.
  std::optional<Cid> last_block() const;
  Report take_report();
  // Whether one of the conversations was forgotten. It is skipped, and nothing of its source may be
  // kept.
  bool met_forgotten() const { return met_forgotten_; }

  // The state for resuming the same source, once all that was taken is committed. Bounded in size;
  // it may quote transcript text.
  json::object save() const;
  // Restores a state into a new weaver. False if `state` is not one that save() wrote, or the web
  // has changed: then the source is read from the start. A failed look-up is a failure.
  [[nodiscard]] Result<bool> restore(const json::object& state);

 private:
  // Most sources have one open conversation, some a few; an export has thousands, one after the
  // other.
  static constexpr std::size_t kOpenConversations = 64;
  // Keeps the first failure. False after it.
  bool keep(Status status);
  Status enter(const transcript::Heading& heading);
  Result<ConversationWeaver*> open(const transcript::Heading& heading);
  Result<bool> is_forgotten(const transcript::Heading& heading) const;
  void note_met();
  // Joins conversations to the calls that spawned them.
  Status join_all();
  Result<std::unique_ptr<ConversationWeaver>> caller_of(const Joining& joining);

  thought::Identities& identities_;
  const KnownWeb& known_web_;
  std::unique_ptr<Pending> pending_;                         // woven, and not taken yet
  std::list<std::unique_ptr<ConversationWeaver>> open_;      // most recently used last
  std::vector<std::unique_ptr<ConversationWeaver>> closed_;  // with something to be taken
  ConversationWeaver* current_ = nullptr;
  std::vector<Cid> met_;
  std::unordered_set<Cid> seen_;  // the same, to look up
  Report report_;
  bool met_forgotten_ = false;
  std::optional<Error> failure_;  // of the first look-up that failed
};

// Names a conversation by what it is known by in its source; keyed, as places are.
PlaceKey heading_key(const crypto::Keyring& keyring, std::string_view format,
                     std::string_view session_id, std::string_view source);

}  // namespace weft::weave
