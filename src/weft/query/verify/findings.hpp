// Collects the findings of a check from several threads. The result does not depend on their order.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "weft/thought/verify.hpp"

namespace weft::query {

// Number of valid thoughts.
struct Counts {
  std::uint64_t valid = 0, foreign = 0, consistent = 0;

  void add(thought::Verdict verdict);
  Counts& operator+=(const Counts& other);
};

// A statement about a conversation by somebody else than its creator.
struct ForeignStructure {
  Cid cid;
  Cid created_by;
  std::optional<Cid> conversation{};  // empty if it is about a block, and its turn is unknown
  std::string reason;
};

class Findings {
 public:
  // A thought is bad for one reason: of those reported in one round, the first by the alphabet.
  void bad(const Cid& cid, std::string reason);
  void missing(const Cid& cid);
  // Structure that somebody else than the creator of `conversation` made about it.
  void foreign(const ForeignStructure& found);
  // Something could not be read. If a lock or the disk is the reason, it says nothing about the
  // store, and ends the check; any other reason is a finding, which the caller reports.
  void unreadable(const Error& error);

  // --- while no other thread reports --------------------------------------------------
  // Reasons reported from here on do not replace existing ones.
  void end_round() { ++round_; }
  std::map<Cid, std::string> all_bad() const;
  const std::set<Cid>& all_missing() const { return missing_; }
  const std::map<Cid, ForeignStructure>& all_foreign() const { return foreign_; }
  // The first error that ends the check.
  Status status() const;

 private:
  struct Reason {
    unsigned round = 0;
    std::string text;
    friend auto operator<=>(const Reason&, const Reason&) = default;
  };
  unsigned round_ = 0;
  std::mutex mutex_;
  std::map<Cid, Reason> bad_;                // guarded by mutex_
  std::set<Cid> missing_;                    // guarded by mutex_
  std::map<Cid, ForeignStructure> foreign_;  // by statement; guarded by mutex_
  std::optional<Error> error_;               // guarded by mutex_
};

}  // namespace weft::query
