// What passes is written down here before it goes on, sealed, so that nothing that a client was
// given is lost if weft ends at any moment: one small file for each exchange, in `record/` of the
// home, which is removed once the exchange is woven. docs/formats/journal.md has its bytes.
//
// Nothing is flushed to the disk: what was written survives the end of the process, not the loss
// of power. Of what heads say only what decoding takes is kept: never a key, never a cookie.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/posix.hpp"
#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/capture/proxy/tap.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::capture {

// Numbers on disk.
enum class FrameKind : std::uint8_t {
  asked = 1,  // JSON: method, target, content_type, content_encoding
  request_body = 2,
  request_end = 3,
  answered = 4,  // JSON: status, content_type, content_encoding, request_id
  response_body = 5,
  end = 6,        // one byte: How
  too_large = 7,  // no more of the bodies was kept
};

// An exchange as it was written down, whole or as far as it came.
struct RecordedExchange {
  std::string name;  // of its file
  std::string method, target;
  Millis asked_at = 0;
  std::string request_type, request_encoding, request;
  bool is_request_whole = false;
  int status = 0;  // 0: no answer came
  std::string response_type, response_encoding, request_id, response;
  std::vector<std::pair<std::size_t, Millis>> arrivals;  // of the response: how many bytes, when
  std::optional<How> how;                                // empty if it was not written to its end
  Millis last = 0;                                       // when the last of it came
  bool is_too_large = false;
};

// One exchange that is being written down. A file that cannot be written to (the disk is full) is
// given up: is_lost() says so, and what comes after it is ignored.
class JournalEntry {
 public:
  JournalEntry(std::filesystem::path path, Fd file, crypto::LayerKey key);

  void add(FrameKind kind, Millis now, std::string_view bytes);
  bool is_lost() const { return is_lost_; }
  const std::filesystem::path& path() const { return path_; }

  // What was written. corrupt if it is no journal of this keyring. A last piece that is torn is
  // left out: nobody was given it.
  Result<RecordedExchange> read() const;
  // The exchange is woven.
  void remove() const;

 private:
  std::string associated() const;

  std::filesystem::path path_;
  Fd file_;  // locked, so that no other process takes it for an orphan
  crypto::LayerKey key_;
  std::string name_;
  std::uint64_t frames_ = 0, kept_ = 0;
  bool is_lost_ = false, is_full_ = false;
};

class Journal {
 public:
  // Makes the folder, for the owner alone. denied, unavailable. `keyring` can sign and outlives
  // it.
  static Result<Journal> open(std::filesystem::path folder, const crypto::Keyring& keyring);

  // unavailable where no file can be made.
  Result<std::unique_ptr<JournalEntry>> begin() const;
  // Those that a process left which is gone, the oldest first.
  Result<std::vector<std::unique_ptr<JournalEntry>>> orphans() const;

 private:
  Journal(std::filesystem::path folder, crypto::LayerKey key)
      : folder_(std::move(folder)), key_(std::move(key)) {}
  std::filesystem::path folder_;
  crypto::LayerKey key_;
};

}  // namespace weft::capture
