// The journal of `weft record`. Every byte is written here, sealed, before it is passed on, so that
// nothing the client received is lost if weft ends at any moment. Each exchange is one file in
// `record/` of the home, which is removed once the exchange is woven. docs/formats/journal.md has
// the format.
//
// Nothing is flushed to disk: entries survive the end of the process, not a loss of power. Of the
// heads only the fields needed for decoding are kept: never a key, never a cookie.
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
#include "weft/capture/proxy/exchange_tap.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::capture {

// Numbers on disk.
enum class FrameKind : std::uint8_t {
  request_head = 1,  // JSON: method, target, content_type, content_encoding
  request_body = 2,
  request_end = 3,
  response_head = 4,  // JSON: status, content_type, content_encoding, request_id
  response_body = 5,
  end = 6,        // one byte: ExchangeEnd
  too_large = 7,  // the rest of the bodies is not kept
};

// The limit on both bodies of an exchange together, as they came. A larger exchange cannot be
// woven, so it is not kept.
inline constexpr std::uint64_t kMostBodyBytes = 64u << 20;

// An exchange as the journal has it, complete or cut off.
struct RecordedExchange {
  std::string name;  // of its file, without the suffix
  std::string method, target;
  Millis requested_at = 0;
  std::string request_type, request_encoding, request;
  bool is_request_complete = false;
  int status = 0;  // 0: there is no response
  std::string response_type, response_encoding, request_id, response;
  std::vector<std::pair<std::size_t, Millis>> arrivals;  // of the response: number of bytes, time
  std::optional<ExchangeEnd> end;                        // empty if the entry is cut off
  Millis last_at = 0;                                    // of the last frame
  bool is_too_large = false;
};

// One file of the journal. If it cannot be written (the disk is full), the file is removed:
// has_failed() is true then, and further frames are ignored.
class JournalEntry {
 public:
  JournalEntry(std::filesystem::path path, Fd file, crypto::LayerKey key);

  void add(FrameKind kind, Millis now, std::string_view bytes);
  bool has_failed() const { return has_failed_; }
  const std::filesystem::path& path() const { return path_; }

  // Reads the entry. corrupt if it is not a journal file of this keyring. A torn last frame is
  // ignored: its bytes were never passed on.
  Result<RecordedExchange> read() const;
  // Removes the file, once the exchange is woven.
  void remove() const;

 private:
  std::string associated() const;

  std::filesystem::path path_;
  Fd file_;  // locked, so that no other process treats it as an orphan
  crypto::LayerKey key_;
  std::string name_;
  std::uint64_t frames_ = 0, body_bytes_ = 0;
  bool has_failed_ = false, is_full_ = false;
};

class Journal {
 public:
  // Creates the folder, private to the owner. denied or unavailable if it cannot be created;
  // denied if the keyring cannot seal. `keyring` outlives it.
  static Result<Journal> open(std::filesystem::path folder, const crypto::Keyring& keyring);

  // Creates an entry. unavailable if its file cannot be created.
  Result<std::unique_ptr<JournalEntry>> begin() const;
  // Entries left by processes that have ended, the oldest first.
  Result<std::vector<std::unique_ptr<JournalEntry>>> orphans() const;

 private:
  Journal(std::filesystem::path folder, crypto::LayerKey key)
      : folder_(std::move(folder)), key_(std::move(key)) {}
  std::filesystem::path folder_;
  crypto::LayerKey key_;
};

}  // namespace weft::capture
