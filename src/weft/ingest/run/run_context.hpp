// The parts of one ingest run that every step uses. References are borrowed: `options` and the
// report belong to the run, the rest to its Ingester (ingest.cpp).
#pragma once

#include <set>
#include <string>
#include <utility>

#include "weft/ingest/run/commit_queue.hpp"
#include "weft/ingest/run/run_report.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/thought/identities.hpp"

namespace weft::ingest {

struct RunContext {
  const Options& options;
  const store::Store& store;
  const crypto::Keyring& keyring;
  const SourceSeal& seal;
  thought::Identities& identities;
  CommitQueue& queue;
  std::string& buffer;  // for the bytes of a file as it is read; reused, files come by the thousand
  bool& is_scrub_due;   // set when a commit may remove segments of a forgotten conversation
  RunReport& report;
  // Conversations of databases that take precedence over files: their format and name.
  std::set<std::pair<const formats::Adapter*, std::string>> in_databases{};

  // Whether nothing more may begin. The report says so from then on.
  bool is_stopped() {
    if (options.stop.stop_requested()) report.stop();
    return report.is_stopped();
  }
};

}  // namespace weft::ingest
