// Any text as a file of thoughts: each line is imported or refused with a reason, and what was
// imported is imported again without adding anything.
#include "fuzz_files.hpp"
#include "weft/ingest/import.hpp"
#include "weft/store/open.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  static const std::unique_ptr<store::Store> store =
      store::open_store(fuzz::scratch() / "weft.db", store::Create::yes).value();
  const auto path = fuzz::write_file("thoughts.jsonl", fuzz::text_of(data, size));
  const auto file = ingest::ThoughtsFile::open(path);
  fuzz::require(file.has_value());
  const Result<ingest::ImportReport> report = ingest::import_thoughts(*store, nullptr, *file);
  if (!report) {
    fuzz::require(report.error().code != ErrorCode::internal);
    return 0;
  }
  fuzz::require(report->valid == 0);  // there is no keyring whose keys could have signed it
  fuzz::require(report->read >= report->foreign + report->refused.size() || report->read == 0);
  for (const ingest::Refused& refused : report->refused) fuzz::require(!refused.reason.empty());
  const Result<ingest::ImportReport> again = ingest::import_thoughts(*store, nullptr, *file);
  fuzz::require(again && again->new_thoughts == 0);
  return 0;
}
