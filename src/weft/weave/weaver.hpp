// Weaver turns what a reader emits into thoughts (docs/design.md, "Weaving"). Weaving is online:
// the result of a record depends only on the record and on what precedes it in its own file.
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
struct Ref;
struct Pending;

class Weaver : public transcript::Sink {
 public:
  // Skipped records. Beyond a limit for each reason, only the first is listed, with their number: a
  // file may contain millions of them.
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
  void block(transcript::Block&& block) override;
  void facts(const transcript::Facts& facts) override;
  void request(const transcript::Request& request) override;
  void origin(const transcript::Origin& origin) override;
  void spawned(const transcript::Spawned& spawned) override;
  void skip(transcript::Skipped skipped) override;
  void repaired(std::size_t count) override;

  // Has take() add an attestation of what the model says in the last record that was read, because
  // it was heard on the wire (thought/attestation.hpp). Nothing if the web knew all of it.
  void witness_answer(json::object heard);

  // Returns everything woven since the last call: one CommitUnit for each conversation that grew,
  // closed by a checkpoint dated `now`. Sign them with sign().
  //
  // A sink cannot report a failure, so the weaver keeps the first failed look-up and weaves nothing
  // after it: take() then returns that failure, and the source must be read again by a new weaver.
  [[nodiscard]] Result<std::vector<CommitUnit>> take(Millis now);
  // The approximate size, in bytes, of what take() would return.
  std::size_t pending_bytes() const;
  // Every conversation seen so far, whether or not anything was added to it.
  std::vector<Cid> conversations() const;
  // The thought of the last block, whether it was woven now or known before; empty if there was
  // none.
  std::optional<Cid> last_block() const;
  Report take_report();
  // Whether one of the conversations was forgotten. It is skipped, and nothing of its source may be
  // stored.
  bool saw_forgotten() const { return saw_forgotten_; }

  // The state for resuming the same source, once everything that take() returned is committed.
  // Bounded in size;
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
  void note_conversation(const ConversationWeaver& conversation);
  // Joins conversations to the calls that spawned them, and what these returned to them.
  Status join_all();
  Status return_all();
  // Joins summaries to the conversations that they summarize.
  Status summarize_all();
  Result<std::optional<Ref>> find_summarized(const ConversationWeaver& holder,
                                             const PlaceKey& place) const;
  Result<ConversationWeaver*> weaver_of(const Cid& conversation);
  Result<ConversationWeaver*> caller_of(const Joining& joining);
  std::vector<ConversationWeaver*> all_open() const;

  thought::Identities& identities_;
  const KnownWeb& known_web_;
  std::unique_ptr<Pending> pending_;                         // woven since the last take()
  std::list<std::unique_ptr<ConversationWeaver>> open_;      // most recently used last
  std::vector<std::unique_ptr<ConversationWeaver>> closed_;  // with something for take() to return
  ConversationWeaver* current_ = nullptr;
  std::vector<Cid> conversation_cids_;
  std::unordered_set<Cid> seen_;  // the same, to look up
  Report report_;
  bool saw_forgotten_ = false;
  std::optional<Error> failure_;  // of the first look-up that failed
};

// The key of a conversation: a keyed hash of its name in its source, like a place.
PlaceKey heading_key(const crypto::Keyring& keyring, std::string_view format,
                     std::string_view session_id, std::string_view source);

}  // namespace weft::weave
