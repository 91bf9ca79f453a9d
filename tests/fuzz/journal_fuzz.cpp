// Any bytes as an entry of the journal of `weft record`, and as the frames of one: an entry is read
// or refused, and what was read becomes a line of a log or is refused.
#include "fuzz_files.hpp"
#include "weft/base/json.hpp"
#include "weft/capture/proxy/exchange_log.hpp"

namespace {

using namespace weft;
using namespace weft::capture;

void read(const JournalEntry& entry) {
  const Result<RecordedExchange> recorded = entry.read();
  if (!recorded) return;
  const Result<LoggedExchange> logged = to_log(*recorded);
  if (!logged) {
    fuzz::require(logged.error().code == ErrorCode::invalid_input);
    return;
  }
  fuzz::require(logged->line.find('\n') == std::string::npos || !logged->format.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const crypto::Keyring keyring =
      crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking).value();
  static const Journal journal = Journal::open(fuzz::scratch() / "record", keyring).value();
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 2 == 0) {  // a file as it may be found
    const std::filesystem::path path = "record/0123456789abcdef.exchange";
    fuzz::write_file(path.string(), bytes);
    const auto orphans = journal.orphans();
    fuzz::require(orphans.has_value());
    for (const auto& entry : *orphans) {
      read(*entry);
      entry->remove();
    }
    return 0;
  }
  // Frames that this keyring sealed, in any order: kind and size, then the bytes.
  const Result<std::unique_ptr<JournalEntry>> entry = journal.begin();
  fuzz::require(entry.has_value());
  for (std::size_t at = 0; at + 2 <= bytes.size();) {
    const auto kind = static_cast<FrameKind>(static_cast<unsigned char>(bytes[at]) % 9);
    const std::size_t length = static_cast<unsigned char>(bytes[at + 1]);
    const std::string_view frame = bytes.substr(at + 2, length);
    (*entry)->add(kind, static_cast<Millis>(at), frame);
    at += 2 + length;
  }
  read(**entry);
  (*entry)->remove();
  return 0;
}
