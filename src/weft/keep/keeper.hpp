// Keeper: a thread that keeps a web on a server, in a process that serves it.
//
//   const keep::Keeper keeper({.server = url, .on_note = …});
//   keep::read_report(url);   // {keeper: …}, from any process
//
// Of the processes that would keep a web, one does at a time (store/upkeep.hpp); the others wait,
// and one of them takes over within kHeld of the end of the first. It
//
//   - rewrites the server's tables where something was forgotten and its bytes are still there;
//   - carries out tombstones that were pushed (carry_out.hpp);
//   - merges the search index, and has the server plan anew afterwards;
//   - checks what was added, and little by little everything else, over and over.
//
// Each piece can be the last one before a crash.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/postgres/url.hpp"

namespace weft::keep {

inline constexpr std::chrono::seconds kHeld{10};

struct KeeperOptions {
  postgres::Url server;
  std::string label{};  // what others are told that the keeper is: "host:pid"
  // A line for people, without text of any thought. Called on the keeper's threads.
  std::function<void(const std::string& line)> on_note{};
};

class Keeper {
 public:
  explicit Keeper(KeeperOptions options);
  ~Keeper();  // ends the piece of work under way, and lets another one take over
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

// What the keeper of a web does and found, as it last said on the server, whichever process it is:
//
// {is_kept, keeper: {name, since} | null, behind, checked, rounds, findings: [{cid, kind}],
// forgotten:
// [{tombstone, conversations, thoughts, at}], waiting: [{tombstone, conversations, why}], wiped,
// merged_at, analyzed_at, error}. `behind` is how many rows are still to be checked; `wiped` says
// whether nothing of what was removed is left in the server's files.
Result<json::object> read_report(const postgres::Url& server);

}  // namespace weft::keep
