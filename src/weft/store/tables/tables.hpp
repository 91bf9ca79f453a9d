// Tables: what is kept of every conversation so that questions over all of them read rows, and not
// thoughts: the catalogue, the figures, the model requests, the edits of files, and secrets.
//
// A row that is missing (filling.hpp) is computed on the spot: answers are the same, and slower.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/conversations.hpp"
#include "weft/store/tables/edit_list.hpp"
#include "weft/store/tables/request_list.hpp"
#include "weft/store/tables/request_sums.hpp"
#include "weft/store/tables/secret_list.hpp"
#include "weft/store/tables/tally.hpp"
#include "weft/thought/facts.hpp"

namespace weft::store {

// How many of how many rows were there already.
struct RowsRead {
  std::uint64_t done = 0, all = 0;
};

struct CatalogueEntry {
  // Without `facts` and `checkpoint`. Its counts include what strangers said about it, in stores
  // that an older weft imported into; conversation() leaves that out.
  ConversationRow row;
  thought::KnownFacts known{};          // without tools and account; of sealed facts what opens
  bool is_internal = false;             // a program's talk with itself: its facts say so
  std::optional<std::string> prompt{};  // the person's first words, if the facts have no title
  std::optional<Cid> parent{};          // the conversation whose call spawned it
  bool has_sealed_facts = false;        // `known` is empty because the keyring does not open it
};
struct Catalogue {
  std::vector<CatalogueEntry> entries{};  // by last commit, newest first
  RowsRead rows{};
};

// What is known of some conversations together.
struct TallySum {
  std::uint64_t conversations = 0;
  Figures figures{};
  std::map<std::string, Count> by_type{}, by_tool{};
  std::map<Cid, Count> by_author{};
  Quarters quarters{};          // if they were asked for
  Count chars_without_usage{};  // of the conversations whose facts do not
  std::uint64_t sealed = 0;     // conversations of which something does not open, and is left out
  RowsRead rows{};
};

struct TallyRequest {
  std::optional<Cid> conversation{};  // all, if it is empty
  bool with_quarters = false;
  const crypto::Keyring* keyring = nullptr;  // may be null
  // Called after each conversation; ends the sum, as unavailable, by returning false.
  std::function<bool(std::uint64_t done, std::uint64_t all)> go_on{};
};

// The model requests of one conversation.
struct ConversationRequests {
  // Without `facts` and `checkpoint`; with its CID and creator if they were asked for.
  ConversationRow row;
  std::vector<RequestEntry> requests{};  // each once, by time
  std::span<const RequestSum> sums{};    // instead of them, if they may come as sums; until visited
  bool is_sealed = false;                // some do not open, and are left out
  std::optional<transcript::Usage> stated{};  // if there are none: the totals in its facts
};
struct RequestsRequest {
  ConversationFilter filter{};
  bool with_names = false;                   // CIDs and creators of conversations
  const crypto::Keyring* keyring = nullptr;  // may be null
  // Whether the question can use a sum. If it is set, a conversation comes as sums if all of them
  // can be used, and no other conversation, nor a second request of its own, has a message of its
  // requests: these have no copies.
  std::function<bool(const RequestSum&)> takes_sum{};
  // Called after each conversation; ends the answer, as unavailable, by returning false.
  std::function<bool(std::uint64_t done, std::uint64_t all)> go_on{};
};

struct EditsRequest {
  // Of files with this name (a path is cut to its last component), also those moved away from it;
  // of all files, if it is empty.
  std::string file_name{};
  std::optional<Cid> conversation{};         // all, if it is empty
  const crypto::Keyring* keyring = nullptr;  // may be null
  // Called after each conversation that is looked into; ends the answer, as unavailable, by
  // returning false.
  std::function<bool(std::uint64_t done, std::uint64_t all)> go_on{};
};
struct EditList {
  std::vector<EditEntry> entries{};  // by time
  std::uint64_t sealed = 0;          // conversations with calls that the keyring does not open
  RowsRead rows{};
};

struct SecretsRequest {
  std::optional<Cid> conversation{};         // all, if it is empty
  const crypto::Keyring* keyring = nullptr;  // may be null
  // Called after each conversation; ends the answer, as unavailable, by returning false.
  std::function<bool(std::uint64_t done, std::uint64_t all)> go_on{};
};
// A thought that a conversation holds, with a secret in it.
struct SecretEntry {
  Cid conversation, thought;
  std::string type{};  // of the thought, as the next
  Millis time = 0;
  SecretPlace place{};
};
struct SecretTable {
  std::vector<SecretEntry> entries{};  // by conversation and thought, in the order stored
  std::uint64_t sealed = 0;  // conversations of which the keyring does not open everything
  RowsRead rows{};
};

class Tables {
 public:
  virtual ~Tables() = default;

  // Of one format, or of all. `keyring` may be null.
  [[nodiscard]] virtual Result<Catalogue> catalogue(const std::optional<std::string>& format,
                                                    const crypto::Keyring* keyring) const = 0;
  [[nodiscard]] virtual Result<TallySum> sum_tallies(const TallyRequest& request) const = 0;
  // The model requests of each conversation, the oldest conversation first (of the same moment, by
  // CID): millions of requests do not fit in memory, and a request that several conversations have
  // belongs to the first of them. `models` gets the names of all models. `visit` may move away what
  // it is given, and may not ask a snapshot anything. A failure of it ends the visit.
  [[nodiscard]] virtual Result<RowsRead> each_requests(
      const RequestsRequest& request, ModelNames& models,
      const std::function<Status(ConversationRequests&)>& visit) const = 0;
  // What tool calls changed in files, without calls that failed. Reads the rows of conversations
  // that edit a file of the name, and no others.
  [[nodiscard]] virtual Result<EditList> edits(const EditsRequest& request) const = 0;
  // The secrets of the sure tier, superseded thoughts included. Without the key of the content
  // layer, fingerprints of rows that are missing name values only within one answer.
  [[nodiscard]] virtual Result<SecretTable> secrets(const SecretsRequest& request) const = 0;
};

}  // namespace weft::store
