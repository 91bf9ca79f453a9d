// From transcript to web: takes what a reader tells and weaves thoughts (§4 of the
// design). Weaving is online: what a record becomes depends only on it and on what
// came before it in its own file.
//
//   Weaver weaver(cast, memory);
//   read_all(adapter, info, bytes, weaver);
//   for (Woven& woven : weaver.take(now)) sign(woven), …   // then commit
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "weft/thought/cast.hpp"
#include "weft/thought/woven.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::thought {

// A conversation that is in the web already.
struct KnownConversation {
  Cid cid;
  Millis created_at = 0;
  std::uint64_t turns = 0;
  std::optional<Cid> checkpoint{};  // the newest
  std::optional<Cid> facts{};       // the newest
};

// What is in the web already. The store answers; tests use a map.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual bool has(const Cid& thought) const = 0;
  virtual Result<Thought> get(const Cid& thought) const = 0;
  // By format, session id and source; empty if it is new.
  virtual std::optional<KnownConversation> find_conversation(
      const transcript::Heading& heading) const = 0;
  // What stands at a place of a conversation; empty for a new place.
  virtual std::optional<Cid> find_place(const Cid& conversation, const PlaceKey& key) const = 0;
};

class ConversationWeaver;

class Weaver : public transcript::Sink {
 public:
  struct Report {
    std::vector<transcript::Skipped> skipped;
    std::size_t repairs = 0;
  };
  // `cast` and `memory` outlive the weaver.
  Weaver(Cast& cast, const Memory& memory);
  ~Weaver() override;

  void heading(const transcript::Heading& heading) override;
  void turn(const transcript::TurnHead& head) override;
  void block(transcript::Block block) override;
  void facts(const transcript::Facts& facts) override;
  void origin(const transcript::Origin& origin) override;
  void spawned(const transcript::Spawned& spawned) override;
  void skip(transcript::Skipped skipped) override;
  void repaired(std::size_t count) override;

  // All that was woven since the last call, one Woven for each conversation that it
  // adds to, each closed by a checkpoint dated `now`; still to be signed: sign(woven).
  std::vector<Woven> take(Millis now);
  // Roughly how much is waiting in take(), in bytes.
  std::size_t pending_bytes() const;
  // Every conversation met so far, whether anything was added to it or not.
  std::vector<Cid> conversations() const;
  Report take_report();

 private:
  Cast& cast_;
  const Memory& memory_;
  std::unordered_set<Cid> pending_;                                 // woven, and not taken yet
  std::vector<std::unique_ptr<ConversationWeaver>> conversations_;  // by first appearance
  std::map<std::string, ConversationWeaver*> by_heading_;
  ConversationWeaver* current_ = nullptr;
  Report report_;
};

}  // namespace weft::thought
