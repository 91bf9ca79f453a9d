#include "weft/ingest/ingest.hpp"

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {

Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options) {
  Result<Report> report = IngestRun(store, keyring, options).take_all();
  if (!report) return report;
  if (report->stopped) return report;  // whoever waits for the end does not wait for a vacuum
  // Of a forget that was cut off, or of pieces of a file in which a forgotten conversation was
  // met late.
  if (const Result<bool> wiped = store.scrub(); !wiped || !*wiped) {
    report->warnings.push_back("what was forgotten is still in the store's files: " +
                               (wiped ? "somebody reads an older state" : wiped.error().message));
  }
  return report;
}

}  // namespace weft::ingest
